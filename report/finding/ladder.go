package finding

import (
	"slices"

	"tidemark/record"
	"tidemark/report"
	"tidemark/stat"
	"tidemark/text"
)

// ofLadder is the rules over the levels of one target and workload that are
// not short, the lowest load first.
var ofLadder = []struct {
	id    string
	judge func([]*report.Level) (conclusion, bool)
}{
	{"throughput_plateau", plateau},
	{"queueing", queueing},
	{"decode_slowed", decodeSlowed},
}

const (
	more  = 1.5  // times the load: a step that should have shown
	same  = 1.05 // times a throughput, at most: within what is of no interest
	flat  = 1.25 // times a latency, at most: it did not move
	twice = 2.0  // times TTFT: requests wait in a queue
	grown = 1.5  // times TPOT: tokens come slower
	// enough is the least number of requests that a level's median is taken
	// seriously from.
	enough = 10
)

// plateau finds the first step from which on more load brought no more: a
// higher level that carried more after all makes it a dent.
func plateau(ladder []*report.Level) (conclusion, bool) {
	for i := 1; i < len(ladder); i++ {
		low, high := ladder[i-1], ladder[i]
		carried, unit := report.Carried(low, high)
		a, b := carried(low), carried(high)
		if unit == "" || load(high) < more*load(low) || load(low) == 0 {
			continue
		}
		above := func(l *report.Level) bool { return carried(l) > same*a }
		if slices.ContainsFunc(ladder[i:], above) {
			continue
		}
		evidence := asked(low, high)
		evidence["from_"+unit], evidence["to_"+unit] = a, b
		return conclusion{text.Msg("finding.throughput_plateau", step(low, high), 100*(b/a-1)), evidence}, true
	}
	return conclusion{}, false
}

// load is what a level put on the endpoint: what was due, or in a closed loop
// what was in flight.
func load(l *report.Level) float64 {
	switch {
	case l.Load.Kind == record.Open:
		return l.Asked()
	case l.Load.Achieved == nil:
		return 0
	}
	return l.Load.Achieved.Mean
}

// step names two levels of a ladder, in words that follow "From".
func step(low, high *report.Level) text.Message {
	from, to := int(low.Asked()), int(high.Asked())
	switch {
	case low.Load.Kind == record.Open:
		return text.Msg("finding.step.rate", low.Named(), high.Named())
	case low.Load.Turns != nil:
		return text.Msg("finding.step.users", from, to)
	}
	return text.Msg("finding.step.concurrency", from, to)
}

// asked is what two levels of a ladder ask for.
func asked(low, high *report.Level) map[string]float64 {
	of := "concurrency"
	if low.Load.Kind == record.Open {
		of = "rate_per_s"
	}
	return map[string]float64{"from_" + of: low.Asked(), "to_" + of: high.Asked()}
}

// queueing finds the first level at which the first token came much later and
// the others no slower: requests wait before their prefill.
func queueing(ladder []*report.Level) (conclusion, bool) {
	c, ok := against(ladder, func(ttft, tpot float64) bool { return ttft >= twice && tpot <= flat })
	if !ok {
		return conclusion{}, false
	}
	return c.conclude(text.Msg("finding.queueing", step(c.low, c.high), c.ttft, c.tpot)), true
}

// decodeSlowed finds the first level at which tokens came slower and the first
// no later: more sequences share each step.
func decodeSlowed(ladder []*report.Level) (conclusion, bool) {
	c, ok := against(ladder, func(ttft, tpot float64) bool { return tpot >= grown && ttft <= flat })
	if !ok {
		return conclusion{}, false
	}
	return c.conclude(text.Msg("finding.decode_slowed", step(c.low, c.high), c.tpot, c.ttft)), true
}

// contrast is two levels of a ladder: how many times TTFT and TPOT, at their
// medians, are at the higher what they were at the lower.
type contrast struct {
	low, high  *report.Level
	ttft, tpot float64
}

// against finds the first level whose contrast to the lowest tells something.
func against(ladder []*report.Level, tells func(ttft, tpot float64) bool) (contrast, bool) {
	for i := 1; i < len(ladder); i++ {
		c := contrast{low: ladder[0], high: ladder[i]}
		var ok1, ok2 bool
		c.ttft, ok1 = ratio(c.low.Latency.TTFT, c.high.Latency.TTFT)
		c.tpot, ok2 = ratio(c.low.Latency.TPOT, c.high.Latency.TPOT)
		if ok1 && ok2 && tells(c.ttft, c.tpot) {
			return c, true
		}
	}
	return contrast{}, false
}

func (c contrast) conclude(said text.Message) conclusion {
	evidence := asked(c.low, c.high)
	evidence["from_ttft_p50_ms"], evidence["to_ttft_p50_ms"] = c.low.Latency.TTFT.P50, c.high.Latency.TTFT.P50
	evidence["from_tpot_p50_ms"], evidence["to_tpot_p50_ms"] = c.low.Latency.TPOT.P50, c.high.Latency.TPOT.P50
	return conclusion{said, evidence}
}

func ratio(low, high *stat.Summary) (float64, bool) {
	if low == nil || high == nil || low.N < enough || high.N < enough || low.P50 <= 0 {
		return 0, false
	}
	return high.P50 / low.P50, true
}
