package report

import (
	"strings"

	"tidemark/stat"
	"tidemark/text"
)

// enoughForPercentiles is V6: whether each percentile that is shown of single
// requests has the values it needs. One that has not is marked where it stands.
func enoughForPercentiles(_ rule, e *evidence) answer {
	s := fewest(e.Latency.TTFT, e.Latency.E2E)
	if s == nil {
		return idle(text.Msg("validity.no_figures"))
	}
	top := "p99"
	if s.P999 != nil {
		top = "p999"
	}
	found, limit := float64(s.N), float64(stat.Needed(top))
	says := text.Msg("validity.percentiles.fine", s.N)
	if len(s.Thin) > 0 {
		says = text.Msg("validity.percentiles", s.N, strings.Join(s.Thin, " "))
	}
	return within(len(s.Thin) == 0, found, limit, says, text.Msg("validity.percentiles.remedy", int(limit)))
}

// fewest is the summary of the smallest sample; nil: there is none.
func fewest(all ...*stat.Summary) *stat.Summary {
	var least *stat.Summary
	for _, s := range all {
		if s != nil && (least == nil || s.N < least.N) {
			least = s
		}
	}
	return least
}

// cutAtEnd is V8: attempts that the run's end cut, whose latency nobody knows.
func cutAtEnd(r rule, e *evidence) answer {
	n := e.tally.schedule.cutAtEnd
	return within(float64(n) <= r.limit, float64(n), r.limit, text.Msg("validity.cut", n), text.Msg("validity.cut.remedy"))
}

// lengthAsAsked is V10: whether answers were as long as was asked for, where a
// trace or the plan fixes that.
func lengthAsAsked(r rule, e *evidence) answer {
	a := e.tally.asked
	if a.asked == 0 {
		return idle(text.Msg("validity.no_length"))
	}
	found := percent(a.delivered, a.asked)
	return within(found >= r.limit, found, r.limit, text.Msg("validity.length", found), text.Msg("validity.length.remedy"))
}

// tokensCounted is V11: one source of counts, and a count for each answer.
func tokensCounted(r rule, e *evidence) answer {
	if e.Reliability.OK == 0 {
		return idle(text.Msg("validity.no_figures"))
	}
	if n := len(e.tally.asked.sources); n > 1 {
		without := float64(e.Tokens.WithoutCount)
		return within(false, without, r.limit, text.Msg("validity.sources", n), text.Msg("validity.sources.remedy"))
	}
	n := e.Tokens.WithoutCount
	return within(float64(n) <= r.limit, float64(n), r.limit, text.Msg("validity.uncounted", n), text.Msg("validity.uncounted.remedy"))
}
