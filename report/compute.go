package report

import (
	"errors"
	"iter"
	"time"

	"tidemark/record"
	"tidemark/text"
)

// Source gives a run's records from the first, each time it is called.
type Source func() iter.Seq2[record.Record, error]

// Options is how a report is to be made.
type Options struct {
	Lang text.Lang // of the sentences in it; "" is English
}

// Compute makes the report of a run. It reads the records twice: first for the
// edges of the levels, then for the figures of what lies between them. It
// keeps a few numbers a request, and nothing a frame.
//
// Records that end in the middle are no error: the report tells what there
// was, and that it was cut off. At any other error it returns the report of
// what came before, and the error.
func Compute(src Source, o Options) (*Report, error) {
	e := newEdges()
	err := each(src, e.see)
	truncated := errors.Is(err, record.ErrTruncated)
	e.decide()

	t := newTally(e)
	if err2 := each(src, t.see); err == nil {
		err = err2
	}
	r := t.report(o.Lang)
	r.Truncated = truncated || e.end == nil
	if errors.Is(err, record.ErrTruncated) {
		err = nil
	}
	return r, err
}

// each hands over the records up to an error, and returns it.
func each(src Source, see func(record.Record)) error {
	for r, err := range src() {
		if err != nil {
			return err
		}
		see(r)
	}
	return nil
}

// tally is the second reading: what is counted, per level and for the run.
type tally struct {
	edges     *edges
	levels    map[int]*levelTally
	console   consoleTally
	preflight endings
	warnings  warnings       // of no level
	before    *record.Sample // the last one seen; nil: none was
}

func newTally(e *edges) *tally {
	t := &tally{edges: e, levels: map[int]*levelTally{}, console: newConsoleTally(e.models())}
	plan := e.plan()
	for n, l := range e.levels {
		t.levels[n] = newLevelTally(l, plan)
	}
	return t
}

func (t *tally) see(r record.Record) {
	switch r := r.(type) {
	case *record.Attempt:
		t.attempt(r)
	case *record.Sample:
		t.sample(r)
	case *record.Note:
		to := &t.warnings
		if l := t.levels[r.Level]; l != nil {
			to = &l.warnings
		}
		to.note(r)
	}
}

func (t *tally) attempt(a *record.Attempt) {
	t.console.add(a)
	if a.Phase == record.Preflight {
		t.preflight.add(a)
		return
	}
	// A level that the first reading did not see: the file is still growing.
	if l := t.levels[a.Level]; l != nil {
		l.add(a)
	}
}

// sample gives a look at the machine to every level that it tells of: that
// lies, at least in part, between it and the look before.
func (t *tally) sample(s *record.Sample) {
	if t.before != nil {
		for _, l := range t.levels {
			l.sample(t.before, s, t.edges.last)
		}
	}
	t.before = s
}

func (t *tally) report(lang text.Lang) *Report {
	r := &Report{
		Format:    Format,
		Levels:    []Level{},
		Findings:  []Finding{},
		Targets:   []record.Target{},
		Preflight: t.preflight.outcomes(lang),
		Warnings:  t.warnings.list(lang),
	}
	var epoch time.Time
	if run := t.edges.run; run != nil {
		epoch = run.Started
		r.Tidemark, r.Simulated, r.RunID, r.Started = run.Tidemark, run.Simulated, run.RunID, run.Started
		r.Plan, r.Environment, r.Machine = run.Plan, run.Environment, run.Machine
		r.Targets = append(r.Targets, run.Targets...)
	}
	if end := t.edges.end; end != nil {
		ended := epoch.Add(time.Duration(end.At))
		r.Ended, r.Reason = &ended, end.Reason
	}
	r.Console = t.console.console(epoch)
	for _, n := range t.edges.numbers() {
		l := t.levels[n].level(lang, t.edges.place(t.edges.levels[n]))
		l.Model = t.edges.model(l.Target)
		l.Tokens.NonceInput = t.edges.nonceInput()
		r.Levels = append(r.Levels, l)
	}
	r.Verdict = verdict(r, lang)
	return r
}
