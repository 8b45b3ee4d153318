package report

import (
	"cmp"
	"slices"

	"tidemark/record"
	"tidemark/text"
)

// best names the level of greatest power, throughput / latency, of the first
// ladder that has one, and says in a sentence why; nil, and why, where no
// level can be named.
func best(r *Report) (*Level, text.Message) {
	ladders := Ladders(r)
	for _, l := range ladders {
		level, because := l.best()
		if level == nil {
			continue
		}
		if len(ladders) > 1 {
			because = text.Msg("report.best.of", l.Target, l.Workload, because)
		}
		return level, because
	}
	return nil, whyNone(r, ladders)
}

// candidates is the levels that can be best. What the endpoint did not keep up
// with can't be: its latency grows for as long as it is loaded so.
func (l Ladder) candidates() []*Level {
	var all []*Level
	for _, level := range l.Levels {
		if !level.Short && !level.Saturated() && succeeded(level) && level.Asked() > 0 &&
			latency(level) > 0 && qps(level) > 0 {
			all = append(all, level)
		}
	}
	return all
}

// best is nil where the ladder has no candidate, or is none.
func (l Ladder) best() (*Level, text.Message) {
	candidates := l.candidates()
	if len(l.Levels) < 2 || len(candidates) == 0 {
		return nil, text.Message{}
	}
	if len(candidates) == 1 {
		return candidates[0], text.Msg("report.best.only")
	}
	carried, _ := Carried(candidates...)
	power := func(c *Level) float64 { return carried(c) / latency(c) }
	// The first of equals: more load for the same is no gain.
	most := slices.MaxFunc(candidates, func(a, b *Level) int { return cmp.Compare(power(a), power(b)) })
	return most, l.because(most, candidates)
}

// because sets the level beside the lowest that counts, or where it is that
// one, beside the next.
func (l Ladder) because(best *Level, candidates []*Level) text.Message {
	lowest := candidates[0]
	if best == lowest {
		next := candidates[1]
		return text.Msg("report.best.lowest", next.Named(), qps(next)/qps(best), latency(next)/latency(best))
	}
	peak := qps(slices.MaxFunc(candidates, func(a, b *Level) int { return cmp.Compare(qps(a), qps(b)) }))
	why := text.Msg("report.best.power", 100*qps(best)/peak, latency(best)/latency(lowest), lowest.Named())
	if slices.ContainsFunc(l.Levels, (*Level).Saturated) {
		return text.Msg("report.best.power_kept_up", why.Args...)
	}
	if best == l.Levels[len(l.Levels)-1] {
		return text.Msg("report.best.power_at_top", why.Args...)
	}
	return why
}

// whyNone says why no level can be named.
func whyNone(r *Report, ladders []Ladder) text.Message {
	short, failing, saturated := 0, 0, 0
	for i := range r.Levels {
		switch l := &r.Levels[i]; {
		case l.Short:
			short++
		case !succeeded(l):
			failing++
		case l.Saturated():
			saturated++
		}
	}
	alone := !slices.ContainsFunc(ladders, func(l Ladder) bool { return len(l.Levels) > 1 })
	switch {
	case len(r.Levels) == 0 && r.Reason == record.Refused:
		return text.Msg("report.best.refused")
	case len(r.Levels) == 0:
		return text.Msg("report.best.nothing")
	case alone && short+failing == 0 && r.Reason != record.Done:
		return text.Msg("report.best.one_reached")
	case alone && short+failing == 0:
		return text.Msg("report.best.one_level")
	}
	if saturated > 0 {
		return text.Msg("report.best.none_kept_up", len(r.Levels), short, failing, successExpected, saturated)
	}
	return text.Msg("report.best.none", len(r.Levels), short, failing, successExpected)
}
