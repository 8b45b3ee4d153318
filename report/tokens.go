package report

import (
	"math"

	"tidemark/record"
)

// sum adds counts of tokens that are known. Where none was, there is no sum.
type sum struct {
	n      float64
	source record.Source // who counted, by the first count that came
}

func (s *sum) add(c record.Count) { s.share(c, 1) }

// share adds a part, from 0 to 1, of a count.
func (s *sum) share(c record.Count, part float64) {
	if !c.Known() {
		return
	}
	s.n += float64(c.N) * part
	if !s.known() {
		s.source = c.Source
	}
}

func (s sum) known() bool { return s.source != record.NoSource }

// value is nil where there is no sum.
func (s sum) value() *int64 {
	if !s.known() {
		return nil
	}
	n := int64(math.Round(s.n))
	return &n
}

// tokenTally sums the tokens of a level's ok requests.
type tokenTally struct {
	input, output, cached, reasoning sum
	estimated                        int64
	without                          int
}

func (t *tokenTally) add(a *record.Attempt) {
	t.input.add(a.Tokens.Input)
	t.output.add(a.Tokens.Output)
	t.cached.add(a.Tokens.Cached)
	t.reasoning.add(a.Tokens.Reasoning)
	if !a.Tokens.Output.Known() {
		t.without++
		t.estimated += int64(a.OutputEstimated)
	}
}

func (t *tokenTally) tokens() Tokens {
	out := Tokens{
		Input: t.input.value(), Output: t.output.value(),
		Cached: t.cached.value(), Reasoning: t.reasoning.value(),
		Source: "none", WithoutCount: t.without,
	}
	switch {
	case t.output.known():
		out.Source = string(t.output.source)
	case t.input.known():
		out.Source = string(t.input.source)
	}
	if t.estimated > 0 {
		out.OutputEstimated = &t.estimated
	}
	return out
}
