package stat

import (
	"cmp"
	"slices"
)

// Span is a stretch of time, both ends included. Its unit is its user's.
type Span struct{ From, To int64 }

// Len is the span's length; 0 for one that ends before it begins.
func (s Span) Len() int64 { return max(0, s.To-s.From) }

// Has reports whether a moment lies in the span.
func (s Span) Has(at int64) bool { return s.From <= at && at <= s.To }

// Share is how much of s lies inside w, from 0 to 1. A span of no length is
// inside or not.
func (s Span) Share(w Span) float64 {
	if s.Len() == 0 {
		if w.Has(s.From) {
			return 1
		}
		return 0
	}
	inside := Span{max(s.From, w.From), min(s.To, w.To)}
	return float64(inside.Len()) / float64(s.Len())
}

// Held tells how many of spans hold at once during w: the mean over time, and
// the most. Where one ends at the moment another begins, they don't meet. Both
// are 0 for a w of no length.
func Held(spans []Span, w Span) (mean float64, most int) {
	if w.Len() == 0 {
		return 0, 0
	}
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	for _, s := range spans {
		in := Span{max(s.From, w.From), min(s.To, w.To)}
		if in.Len() > 0 {
			edges = append(edges, edge{in.From, 1}, edge{in.To, -1})
			mean += float64(in.Len()) / float64(w.Len())
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.step, b.step))
	})
	held := 0
	for _, e := range edges {
		held += e.step
		most = max(most, held)
	}
	return mean, most
}
