package report

import (
	"cmp"
	"slices"
)

// Ladder is the levels of one target and workload: only these compare.
type Ladder struct {
	Target, Model, Workload string
	Levels                  []*Level // by concurrency; at least one
}

// Ladders groups the levels of a report, in the order in which the run met
// them.
func Ladders(r *Report) []Ladder {
	var ladders []Ladder
	for i := range r.Levels {
		l := &r.Levels[i]
		at := slices.IndexFunc(ladders, func(have Ladder) bool {
			return have.Target == l.Target && have.Workload == l.Workload
		})
		if at < 0 {
			at = len(ladders)
			ladders = append(ladders, Ladder{Target: l.Target, Model: l.Model, Workload: l.Workload})
		}
		ladders[at].Levels = append(ladders[at].Levels, l)
	}
	for _, l := range ladders {
		slices.SortStableFunc(l.Levels, func(a, b *Level) int { return cmp.Compare(concurrency(a), concurrency(b)) })
	}
	return ladders
}

// Carried is the throughput by which levels compare, and its unit, as the
// report's JSON names it: output tokens per second where all of them have
// some, else requests per second. The unit is empty where they have nothing
// in common; then every level carried 0.
func Carried(levels ...*Level) (of func(*Level) float64, unit string) {
	for _, by := range []struct {
		of   func(*Level) float64
		unit string
	}{{outputTokens, "output_tokens_per_s"}, {qps, "requests_per_s"}} {
		if !slices.ContainsFunc(levels, func(l *Level) bool { return by.of(l) <= 0 }) {
			return by.of, by.unit
		}
	}
	return func(*Level) float64 { return 0 }, ""
}

// Figures of a level as numbers: 0 where they are not known, which no
// candidate's is but for its tokens.

func concurrency(l *Level) int {
	if l.Load.Concurrency == nil {
		return 0
	}
	return *l.Load.Concurrency
}

func qps(l *Level) float64          { return value(l.Throughput.RequestsPerS) }
func outputTokens(l *Level) float64 { return value(l.Throughput.OutputTokensPerS) }

func latency(l *Level) float64 {
	if l.Latency.E2E == nil {
		return 0
	}
	return l.Latency.E2E.Mean
}

func value(f *float64) float64 {
	if f == nil {
		return 0
	}
	return *f
}
