// Package trace reads recorded arrivals: CSV and JSON-lines files of the
// kinds that providers publish, by the names of their columns. It knows when
// requests came and how long they were; it knows no prompt and no clock.
package trace

import (
	"iter"
	"math"
	"os"
	"path/filepath"
	"time"

	"tidemark/load/arrival"
	"tidemark/text"
)

// Trace is a recorded schedule. It is read from its file each time it is
// asked for, a line at a time: a file of any length takes the same memory.
type Trace struct {
	Path string
	Options
}

// Options say which part of a trace is replayed, and how fast.
type Options struct {
	Scale    float64       // times are multiplied by it: 0.1 is ten times as fast; 0: 1
	From, To time.Duration // part of the trace, on its own clock since its first request; To 0: to its end
	Requests int           // at most so many; 0: all
	// Columns names the file's columns where they are not the known ones:
	// time, input, output, blocks, session → the file's word.
	Columns map[string]string
	// BlockTokens is how many tokens a block id stands for; 0: 512.
	BlockTokens int
}

var _ arrival.Schedule = (*Trace)(nil)

// Open reads the whole file once and refuses what can't be replayed, with the
// line: a column that is missing, times that go back, lengths below one. An
// error is a *text.Fault.
func Open(path string, o Options) (*Trace, error) {
	t := &Trace{Path: path, Options: o}
	requests := 0
	for _, err := range t.file() {
		if err != nil {
			return nil, err
		}
		requests++
	}
	if requests == 0 {
		return nil, text.Wrong(text.Msg("trace.empty", path), text.Msg("trace.empty.hint"))
	}
	for range t.All() {
		return t, nil
	}
	return nil, text.Wrong(text.Msg("trace.slice", path, o.From, o.To), text.Msg("trace.slice.hint", requests))
}

// Name is the file's, without its directory.
func (t *Trace) Name() string { return filepath.Base(t.Path) }

// All gives the requests of the part that is replayed. Time 0 is where that
// part begins: the slice's beginning or, without one, the first request.
func (t *Trace) All() iter.Seq2[arrival.Request, error] {
	return func(yield func(arrival.Request, error) bool) {
		given := 0
		for r, err := range t.file() {
			switch {
			case err != nil:
				yield(arrival.Request{}, err)
				return
			case r.Due < t.From:
				continue
			case t.To > 0 && r.Due >= t.To:
				return
			}
			if r.Due -= t.From; t.Scale > 0 {
				r.Due = time.Duration(math.Round(float64(r.Due) * t.Scale))
			}
			if !yield(r, nil) {
				return
			}
			if given++; given == t.Requests {
				return
			}
		}
	}
}

// most is the longest prompt or answer that is believed, in tokens.
const most = 10_000_000

// file gives all requests of the file, on its own clock since the first. It
// ends with the first error, which names the line.
func (t *Trace) file() iter.Seq2[arrival.Request, error] {
	return func(yield func(arrival.Request, error) bool) {
		f, err := os.Open(t.Path)
		if err != nil {
			yield(arrival.Request{}, text.Wrong(text.Msg("trace.open", t.Path, cause(err)), text.Msg("trace.open.hint")))
			return
		}
		defer f.Close()
		rows, bad := newRows(f, t.Columns)
		if bad != nil {
			yield(arrival.Request{}, bad.fault(t.Path))
			return
		}
		var first, before int64
		for n := 0; ; n++ {
			r, at, bad := rows.next()
			switch {
			case bad == end:
				return
			case bad == nil && n > 0 && at < before:
				bad = wrong(rows.line(), text.Msg("trace.back"), text.Msg("trace.back.hint"))
			case bad == nil && (r.Input < 1 || r.Input > most || r.Output < 1 || r.Output > most):
				bad = wrong(rows.line(), text.Msg("trace.length", r.Input, r.Output), text.Msg("trace.length.hint", most))
			}
			if bad != nil {
				yield(arrival.Request{}, bad.fault(t.Path))
				return
			}
			if n == 0 {
				first = at
			}
			before = at
			r.Due = time.Duration(at - first)
			if !yield(r, nil) {
				return
			}
		}
	}
}

// cause is what the system says, without the path that is said already.
func cause(err error) string {
	if e, ok := err.(*os.PathError); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// trouble is what is wrong with a line; line 0: with the file.
type trouble struct {
	line       int
	what, hint text.Message
}

// end is no trouble: the file is over.
var end = &trouble{}

func wrong(line int, what, hint text.Message) *trouble { return &trouble{line, what, hint} }

func (t *trouble) fault(path string) error {
	if t.line == 0 {
		return text.Wrong(text.Msg("trace.file", path, t.what), t.hint)
	}
	return text.Wrong(text.Msg("trace.line", path, t.line, t.what), t.hint)
}
