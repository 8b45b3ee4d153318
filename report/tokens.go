package report

import "tidemark/record"

// tokenTally sums the tokens of a level's ok requests.
type tokenTally struct {
	input, output, cached, reasoning sum
	estimated                        sum
	without                          int
}

type sum struct {
	n     int64
	known bool
}

func (s *sum) add(c record.Count) {
	if c.Known() {
		s.n += c.N
		s.known = true
	}
}

func (s sum) value() *int64 {
	if !s.known {
		return nil
	}
	return &s.n
}

func (t *tokenTally) add(a *record.Attempt) {
	t.input.add(a.Tokens.Input)
	t.output.add(a.Tokens.Output)
	t.cached.add(a.Tokens.Cached)
	t.reasoning.add(a.Tokens.Reasoning)
	if a.Tokens.Output.Known() {
		return
	}
	t.without++
	if a.OutputEstimated > 0 {
		t.estimated.n += int64(a.OutputEstimated)
		t.estimated.known = true
	}
}

func (t *tokenTally) tokens() Tokens {
	source := "none"
	if t.output.known || t.input.known {
		source = string(record.FromUsage)
	}
	return Tokens{
		Input: t.input.value(), Output: t.output.value(), OutputEstimated: t.estimated.value(),
		Cached: t.cached.value(), Reasoning: t.reasoning.value(),
		Source: source, WithoutCount: t.without,
	}
}
