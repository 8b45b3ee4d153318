package report

import (
	"cmp"
	"maps"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

const (
	mostOutcomes = 20   // told of with their words
	mostKinds    = 1000 // told apart
)

// endings counts how requests ended.
type endings struct {
	sent, ok, failed, cut, client int
	finishes                      map[string]int
	kinds                         map[ending]kind
}

// ending is what makes two bad endings the same.
type ending struct {
	class         outcome.Class
	status        int
	code, message string
}

type kind struct {
	count      int
	retryAfter float64 // the longest asked for, in seconds; 0: none was
}

func (k kind) with(other kind) kind {
	return kind{k.count + other.count, max(k.retryAfter, other.retryAfter)}
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
	e.bad(ending{a.Outcome, a.HTTPStatus, a.Code, a.Message}, a.RetryAfter)
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

// bad counts an ending. Messages that are new each time, because a request's
// id is in them, are told apart up to a bound.
func (e *endings) bad(of ending, retryAfter float64) {
	if e.kinds == nil {
		e.kinds = map[ending]kind{}
	}
	if _, known := e.kinds[of]; !known && len(e.kinds) >= mostKinds {
		of = ending{class: of.class, status: of.status}
	}
	e.kinds[of] = e.kinds[of].with(kind{1, retryAfter})
}

// outcomes is the bad endings, the most frequent first. The rarer ones have
// their class and status alone, so that each request is in one row.
func (e *endings) outcomes(lang text.Lang) []Outcome {
	kinds := maps.Clone(e.kinds)
	if all := byCount(kinds); len(all) > mostOutcomes {
		for _, of := range all[mostOutcomes:] {
			k := kinds[of]
			delete(kinds, of)
			bare := ending{class: of.class, status: of.status}
			kinds[bare] = kinds[bare].with(k)
		}
	}
	out := []Outcome{}
	for _, of := range byCount(kinds) {
		k := kinds[of]
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
	return out
}

// byCount lists kinds, the most frequent first.
func byCount(kinds map[ending]kind) []ending {
	return slices.SortedFunc(maps.Keys(kinds), func(a, b ending) int {
		return cmp.Or(cmp.Compare(kinds[b].count, kinds[a].count), cmp.Compare(a.class, b.class),
			cmp.Compare(a.code, b.code), cmp.Compare(a.message, b.message), cmp.Compare(a.status, b.status))
	})
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
