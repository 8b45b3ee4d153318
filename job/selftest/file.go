package selftest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tidemark/text"
)

// fileLimit bounds a result's file, in bytes.
const fileLimit = 4 << 20

// Save writes the result to a file, whole or not at all, and makes its
// directory. An error is a *text.Fault.
func (r *Result) Save(path string) error {
	if err := r.save(path); err != nil {
		return text.Wrong(text.Msg("selftest.save", path, err.Error()), text.Msg("selftest.save.hint"))
	}
	return nil
}

func (r *Result) save(path string) error {
	body, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".selftest-")
	if err != nil {
		return err
	}
	_, err = f.Write(append(body, '\n'))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Load reads a saved result. Where there is none the error is
// fs.ErrNotExist's; a file that can't be understood, or that a later version
// wrote, is a *text.Fault.
func Load(path string) (*Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, fileLimit))
	if err != nil {
		return nil, err
	}
	r, err := parse(body)
	if err != nil {
		return nil, text.Wrong(text.Msg("selftest.load", path, err.Error()), text.Msg("selftest.load.hint"))
	}
	return r, nil
}

func parse(body []byte) (*Result, error) {
	var r Result
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	if r.Format < 1 || r.Format > Format {
		return nil, fmt.Errorf("format %d", r.Format)
	}
	return &r, nil
}
