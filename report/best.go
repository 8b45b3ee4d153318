package report

import (
	"cmp"
	"slices"

	"tidemark/record"
	"tidemark/text"
)

// ladder is the levels of one target and workload: only these compare.
type ladder struct {
	target, workload string
	levels           []*Level // by concurrency
	candidates       []*Level // of these, those that can be best
}

// best names the level of greatest power, throughput / latency, of the first
// ladder that has one, and says in a sentence why; nil, and why, where no
// level can be named.
func best(r *Report) (*Level, text.Message) {
	ladders := laddersOf(r.Levels)
	for _, l := range ladders {
		level, because := l.best()
		if level == nil {
			continue
		}
		if len(ladders) > 1 {
			because = text.Msg("report.best.of", l.target, l.workload, because)
		}
		return level, because
	}
	return nil, whyNone(r, ladders)
}

func laddersOf(levels []Level) []*ladder {
	var ladders []*ladder
	for i := range levels {
		l := &levels[i]
		at := slices.IndexFunc(ladders, func(have *ladder) bool {
			return have.target == l.Target && have.workload == l.Workload
		})
		if at < 0 {
			at = len(ladders)
			ladders = append(ladders, &ladder{target: l.Target, workload: l.Workload})
		}
		ladders[at].add(l)
	}
	for _, l := range ladders {
		for _, levels := range [][]*Level{l.levels, l.candidates} {
			slices.SortStableFunc(levels, func(a, b *Level) int { return cmp.Compare(concurrency(a), concurrency(b)) })
		}
	}
	return ladders
}

func (l *ladder) add(level *Level) {
	l.levels = append(l.levels, level)
	if !level.Short && succeeded(level) && concurrency(level) > 0 &&
		latency(level) > 0 && qps(level) > 0 {
		l.candidates = append(l.candidates, level)
	}
}

// best is nil where the ladder has no candidate, or is none.
func (l *ladder) best() (*Level, text.Message) {
	if len(l.levels) < 2 || len(l.candidates) == 0 {
		return nil, text.Message{}
	}
	if len(l.candidates) == 1 {
		return l.candidates[0], text.Msg("report.best.only")
	}
	carried := outputTokens
	if slices.ContainsFunc(l.candidates, func(c *Level) bool { return outputTokens(c) == 0 }) {
		carried = qps
	}
	power := func(c *Level) float64 { return carried(c) / latency(c) }
	// The first of equals: more load for the same is no gain.
	most := slices.MaxFunc(l.candidates, func(a, b *Level) int { return cmp.Compare(power(a), power(b)) })
	return most, l.because(most)
}

// because sets the level beside the lowest that counts, or where it is that
// one, beside the next.
func (l *ladder) because(best *Level) text.Message {
	lowest, highest := l.candidates[0], l.candidates[len(l.candidates)-1]
	if best == lowest {
		next := l.candidates[1]
		return text.Msg("report.best.lowest", concurrency(next), qps(next)/qps(best), latency(next)/latency(best))
	}
	peak := qps(slices.MaxFunc(l.candidates, func(a, b *Level) int { return cmp.Compare(qps(a), qps(b)) }))
	why := text.Msg("report.best.power", 100*qps(best)/peak, latency(best)/latency(lowest), concurrency(lowest))
	if best == highest && best == l.levels[len(l.levels)-1] {
		return text.Msg("report.best.power_at_top", why.Args...)
	}
	return why
}

// whyNone says why no level can be named.
func whyNone(r *Report, ladders []*ladder) text.Message {
	short, failing := 0, 0
	for i := range r.Levels {
		switch l := &r.Levels[i]; {
		case l.Short:
			short++
		case !succeeded(l):
			failing++
		}
	}
	alone := !slices.ContainsFunc(ladders, func(l *ladder) bool { return len(l.levels) > 1 })
	switch {
	case len(r.Levels) == 0 && r.Reason == record.Refused:
		return text.Msg("report.best.refused")
	case len(r.Levels) == 0:
		return text.Msg("report.best.nothing")
	case alone && short+failing == 0:
		return text.Msg("report.best.one_level")
	}
	return text.Msg("report.best.none", len(r.Levels), short, failing)
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
