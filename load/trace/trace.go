// Package trace reads recorded arrivals: CSV and JSON-lines files of the
// kinds that providers publish, by the names of their columns. It knows when
// requests came and how long they were; it knows no prompt and no clock.
package trace

import (
	"errors"
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

	seen os.FileInfo // the file as Open found it; nil: it wasn't opened
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
// line: a column that is missing, times that go back, lengths below one (a
// request that failed, as BurstGPT has some, says no length that could be asked
// for). An error is a *text.Fault.
func Open(path string, o Options) (*Trace, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, closed(path, err)
	case !info.Mode().IsRegular(): // a pipe gives what it holds only once
		return nil, text.Wrong(text.Msg("trace.regular", path), text.Msg("trace.regular.hint"))
	}
	t := &Trace{Path: path, Options: o, seen: info}
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
	for _, err := range t.All() {
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	what := text.Msg("trace.slice", path, o.From, o.To)
	if o.To <= 0 {
		what = text.Msg("trace.slice.open", path, o.From)
	}
	return nil, text.Wrong(what, text.Msg("trace.slice.hint", requests))
}

// Name is the file's, without its directory.
func (t *Trace) Name() string { return filepath.Base(t.Path) }

// All gives the requests of the part that is replayed. Time 0 is where that
// part begins: the slice's beginning or, without one, the first request. Where
// the file isn't what Open read, it ends with an error, a *text.Fault.
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

// file gives all requests of the file, on its own clock since the first. It
// ends with the first error, which names the line.
func (t *Trace) file() iter.Seq2[arrival.Request, error] {
	return func(yield func(arrival.Request, error) bool) {
		f, err := os.Open(t.Path)
		if err != nil {
			yield(arrival.Request{}, closed(t.Path, err))
			return
		}
		defer f.Close()
		bad := t.unchanged(f)
		var from rows
		if bad == nil {
			from, bad = newRows(f, t.Columns)
		}
		clock := clock{scale: max(t.Scale, 1)}
		for bad == nil {
			var r arrival.Request
			var at int64
			if r, at, bad = from.next(); bad == nil {
				r.Due, bad = clock.since(at, from.line())
			}
			if bad == nil {
				bad = lengths(r, from.line())
			}
			if bad == nil && !yield(r, nil) {
				return
			}
		}
		if bad == end {
			bad = t.unchanged(f)
		}
		if bad != nil {
			yield(arrival.Request{}, bad.fault(t.Path))
		}
	}
}

// unchanged refuses a file that isn't as Open found it: what was said of it
// before would not hold.
func (t *Trace) unchanged(f *os.File) *trouble {
	if t.seen == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return unreadable(0, err)
	}
	if info.Size() != t.seen.Size() || !info.ModTime().Equal(t.seen.ModTime()) {
		return wrong(0, text.Msg("trace.changed"), text.Msg("trace.changed.hint"))
	}
	return nil
}

// longest is the longest a replay may be: far from what a duration can hold.
const longest = 100 * 365 * 24 * time.Hour

// clock tells times since the first.
type clock struct {
	scale         float64 // at least 1
	first, before int64
	running       bool
}

func (c *clock) since(at int64, line int) (time.Duration, *trouble) {
	if !c.running {
		c.running, c.first, c.before = true, at, at
	}
	if at < c.before {
		return 0, wrong(line, text.Msg("trace.back"), text.Msg("trace.back.hint"))
	}
	c.before = at
	// As floats, where the difference can't run over.
	if (float64(at)-float64(c.first))*c.scale > float64(longest) {
		return 0, wrong(line, text.Msg("trace.far"), text.Msg("trace.far.hint"))
	}
	return time.Duration(at - c.first), nil
}

// most is the longest prompt or answer that is believed, in tokens.
const most = 10_000_000

func lengths(r arrival.Request, line int) *trouble {
	if r.Input < 1 || r.Input > most || r.Output < 1 || r.Output > most {
		return wrong(line, text.Msg("trace.length", r.Input, r.Output), text.Msg("trace.length.hint", most))
	}
	return nil
}

// closed refuses a file that can't be opened.
func closed(path string, err error) error {
	var system *os.PathError // which says the path too
	if errors.As(err, &system) {
		err = system.Err
	}
	return text.Wrong(text.Msg("trace.open", path, err.Error()), text.Msg("trace.open.hint"))
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
