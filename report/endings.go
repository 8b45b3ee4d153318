package report

import (
	"cmp"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

const (
	mostOutcomes = 20   // shown
	mostKinds    = 1000 // told apart
)

// endings counts how requests ended.
type endings struct {
	sent, ok, failed, cut, client int
	finishes                      map[string]int
	kinds                         map[ending]*kind
}

// ending is what makes two bad endings the same.
type ending struct {
	class         outcome.Class
	status        int
	code, message string
}

type kind struct {
	count      int
	retryAfter float64
}

func (e *endings) add(a *record.Attempt) {
	e.sent++
	switch a.Outcome.Side() {
	case outcome.Success:
		e.ok++
		e.finish(a.Finish)
		return
	case outcome.Failure:
		e.failed++
	case outcome.Cut:
		e.cut++
	case outcome.Client:
		e.client++
	}
	k := e.kind(ending{a.Outcome, a.HTTPStatus, a.Code, a.Message})
	k.count++
	k.retryAfter = max(k.retryAfter, a.RetryAfter)
}

func (e *endings) finish(word string) {
	if word == "" {
		word = "unknown"
	}
	if e.finishes == nil {
		e.finishes = map[string]int{}
	}
	if _, known := e.finishes[word]; !known && len(e.finishes) >= mostOutcomes {
		word = "other"
	}
	e.finishes[word]++
}

// kind finds the count of an ending. Messages that are new each time, because
// a request's id is in them, are told apart up to a bound.
func (e *endings) kind(of ending) *kind {
	if e.kinds == nil {
		e.kinds = map[ending]*kind{}
	}
	if e.kinds[of] == nil && len(e.kinds) >= mostKinds {
		of = ending{class: of.class, status: of.status}
	}
	k := e.kinds[of]
	if k == nil {
		k = &kind{}
		e.kinds[of] = k
	}
	return k
}

// outcomes is the bad endings, the most frequent first.
func (e *endings) outcomes(lang text.Lang) []Outcome {
	out := []Outcome{}
	for of, k := range e.kinds {
		o := Outcome{
			Outcome: of.class, Count: k.count, Code: of.code, Message: of.message,
			Hint: of.class.Cure().In(lang),
		}
		if of.status != 0 {
			o.HTTPStatus = &of.status
		}
		if k.retryAfter > 0 {
			o.RetryAfter = &k.retryAfter
		}
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Outcome, b.Outcome),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message), cmp.Compare(status(a), status(b)))
	})
	return slices.Clip(out[:min(len(out), mostOutcomes)])
}

func status(o Outcome) int {
	if o.HTTPStatus == nil {
		return 0
	}
	return *o.HTTPStatus
}

func (e *endings) reliability(lang text.Lang) Reliability {
	r := Reliability{
		Sent: e.sent, OK: e.ok, Failed: e.failed, Cut: e.cut, Client: e.client,
		Outcomes: e.outcomes(lang), Finishes: e.finishes,
	}
	if r.Finishes == nil {
		r.Finishes = map[string]int{}
	}
	if n := e.ok + e.failed; n > 0 {
		share := 100 * float64(e.ok) / float64(n)
		r.SuccessPercent = &share
	}
	return r
}
