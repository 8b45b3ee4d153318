package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tidemark/record"
	"tidemark/text"
)

// smallFile bounds a plan or a transcript that is read at once, in bytes.
const smallFile = 4 << 20

// readSmall reads a file whole, and not one that has no end.
func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, smallFile+1))
	if err == nil && len(body) > smallFile {
		err = fmt.Errorf("more than %d MiB", smallFile>>20)
	}
	return body, err
}

const (
	reportFile = "report.json"
	planFile   = "plan.yaml"
)

// ourFiles are what a run's directory holds.
var ourFiles = []string{reportFile, planFile, record.FileName}

// makeOut makes the directory of a run. One that exists and is not empty is
// refused unless force is set.
func makeOut(path string, force bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(path, 0o755); err != nil {
			return ours(text.Wrong(text.Msg("cli.out.make", path, reason(err)), text.Msg("cli.out.make.hint")))
		}
		return nil
	case err != nil:
		return ours(text.Wrong(text.Msg("cli.out.make", path, reason(err)), text.Msg("cli.out.make.hint")))
	case !info.IsDir():
		return wrong(text.Msg("cli.out.file", path), text.Msg("cli.out.make.hint"))
	case !force && !emptyDir(path):
		return wrong(text.Msg("cli.out.exists", path), text.Msg("cli.out.exists.hint"))
	}
	return nil
}

// clearOut removes the files of a run that was there before. Whatever else
// lies there stays.
func clearOut(path string) error {
	for _, name := range ourFiles {
		if err := os.Remove(filepath.Join(path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return ours(text.Wrong(text.Msg("cli.out.make", path, reason(err)), text.Msg("cli.out.make.hint")))
		}
	}
	return nil
}

// removeRun removes a run's files, and its directory if nothing else is in it.
func removeRun(path string) {
	for _, name := range ourFiles {
		os.Remove(filepath.Join(path, name))
	}
	os.Remove(path)
}

func emptyDir(path string) bool {
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) == 0
}

// defaultOut is a new directory under the user's data directory.
func (w *world) defaultOut(runID string, now time.Time) (string, error) {
	dir, err := w.dataDir()
	name := fmt.Sprintf("%s-%s", now.Format("20060102-150405"), runID)
	return filepath.Join(dir, "runs", name), err
}

// dataDir is where what is kept for the user goes.
func (w *world) dataDir() (string, error) {
	data := w.getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // the specification: a relative path is ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return "", wrong(text.Msg("cli.out.home"), text.Msg("cli.out.home.hint"))
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "tidemark"), nil
}
