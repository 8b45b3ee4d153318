package run

import (
	"context"
	"errors"

	"tidemark/record"
)

func run(ctx context.Context, c Config) (record.Reason, error) {
	return record.Done, errors.New("run: skeleton")
}
