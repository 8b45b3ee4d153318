// Package endpoint answers what else an endpoint tells besides completions:
// the models it serves. It knows nothing of load.
package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"tidemark/wire"
	"tidemark/wire/dialect"
)

const (
	modelsWait = 10 * time.Second // for the list; it is a help, not a need
	mostModels = 10_000           // kept of a list
	longestID  = 256              // bytes; a longer name is none
)

// ErrNoRoute means that the endpoint doesn't list its models: there is nothing
// at that path.
var ErrNoRoute = errors.New("no list of models at this path")

// ErrNoList means that there is something at that path, and it is no list.
var ErrNoList = errors.New("the answer is no list of models")

// Refusal is an endpoint that may list its models, and would not.
type Refusal struct {
	Status int
	dialect.Failure
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s (HTTP %d): %s", r.Class, r.Status, r.Message)
}

// Models lists the models that the endpoint says it serves, in its order. It
// waits ten seconds at most. A refusal is named as the dialect's are. An error
// wraps [ErrNoRoute] or [ErrNoList], is a *[Refusal], or is the network's.
func Models(ctx context.Context, c *wire.Client, d dialect.Dialect) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, modelsWait)
	defer cancel()
	reply, err := c.Fetch(ctx, "/models")
	if err != nil {
		return nil, err
	}
	switch reply.Status {
	case http.StatusOK:
		return list(reply.Body)
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return nil, fmt.Errorf("%w: HTTP %d", ErrNoRoute, reply.Status)
	}
	return nil, &Refusal{reply.Status, d.Error(reply.Status, reply.Header, reply.Body)}
}

// model is an entry of a list: an object that names itself in one of these
// ways, or the name alone.
type model struct{ name string }

func (m *model) UnmarshalJSON(b []byte) error {
	var named struct{ ID, Model, Name string }
	if json.Unmarshal(b, &m.name) == nil {
		return nil
	}
	if json.Unmarshal(b, &named) == nil {
		for _, s := range []string{named.ID, named.Model, named.Name} {
			if m.name == "" {
				m.name = s
			}
		}
	}
	return nil // an entry of another shape names nothing
}

// list reads {"data":[…]}, {"models":[…]} or […].
func list(body []byte) ([]string, error) {
	var shape struct{ Data, Models *[]model }
	var entries []model
	switch {
	case json.Unmarshal(body, &entries) == nil && entries != nil:
	case json.Unmarshal(body, &shape) != nil, shape.Data == nil && shape.Models == nil:
		return nil, ErrNoList
	case shape.Data != nil:
		entries = *shape.Data
	default:
		entries = *shape.Models
	}
	names := []string{}
	seen := map[string]bool{"": true}
	for _, e := range entries[:min(len(entries), mostModels)] {
		if len(e.name) <= longestID && !seen[e.name] {
			seen[e.name] = true
			names = append(names, e.name)
		}
	}
	return names, nil
}
