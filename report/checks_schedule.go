package report

import (
	"cmp"
	"slices"

	"tidemark/text"
)

// sentOnTime is V2: how late requests of an open loop were sent, at p99. What
// the cap held back waited for the plan, not for the client.
func sentOnTime(r rule, e *evidence) answer {
	if !e.tally.edges.open() {
		return idle(text.Msg("validity.closed"))
	}
	late := slices.Clone(e.tally.schedule.late)
	if len(late) == 0 {
		return unsure(text.Msg("validity.nothing_sent"))
	}
	found, limit := p99OrNext(late), r.beyond(e.serverTTFT())
	return within(found <= limit, found, limit, text.Msg("validity.late", found), text.Msg("validity.late.remedy"))
}

// p99OrNext is the 99th percentile, or of fewer values than that leaves room
// above the second greatest: one late request alone is no client that is late.
// It sorts xs.
func p99OrNext(xs []float64) float64 {
	slices.Sort(xs)
	above := max(len(xs)/100, lonely)
	return xs[max(len(xs)-1-above, 0)]
}

// sentAll is V3: what was sent of what was due. What the cap may have kept
// back to the end is the plan's doing.
func sentAll(r rule, e *evidence) answer {
	if !e.tally.edges.open() {
		return idle(text.Msg("validity.closed"))
	}
	if e.Load.Due == nil || *e.Load.Due == 0 {
		return unsure(text.Msg("validity.nothing_due"))
	}
	due, s := *e.Load.Due, e.tally.schedule
	missing := *e.Load.Unsent - e.tally.edges.heldBack() + s.unsendable
	found := 100 * float64(due-missing) / float64(due)
	fine := found >= r.limit || missing <= lonely
	a := within(fine, found, r.limit, text.Msg("validity.sent", due-missing, due), text.Msg("validity.sent.remedy"))
	if held := *e.Load.Held; held > 0 && e.Load.MaxInFlight != nil {
		a.says = text.Msg("validity.sent.held", due-missing, due, held, *e.Load.MaxInFlight)
		told := e.tally.edges.heldBack() > 0 // and so taken off what is missing
		if !fine && !told && s.unsendable <= lonely {
			a.status, a.remedy = Undecided, text.Message{}
		}
	}
	return a
}

// heldConcurrency is V4: whether a closed loop had in flight what was asked.
// It marks the level short, and needs no other mark.
func heldConcurrency(r rule, e *evidence) answer {
	l := e.tally.edges
	switch {
	case l.open():
		return idle(text.Msg("validity.open"))
	case l.sessions():
		return idle(text.Msg("validity.thinking"))
	case e.ShortReason == Few || e.ShortReason == NeverFull:
		return idle(text.Msg("validity.short"))
	}
	found := 100 * l.mean / float64(max(l.load.Concurrency, 1))
	return within(e.ShortReason != BelowMean, found, r.limit, text.Msg("validity.in_flight", found), text.Msg("validity.in_flight.remedy"))
}

// keepsUp is V7: whether ever more requests of an open loop are under way.
func keepsUp(r rule, e *evidence) answer {
	if !e.tally.edges.open() {
		return idle(text.Msg("validity.closed"))
	}
	var growths []growth
	for _, round := range e.tally.edges.counted() {
		if g, ok := growthOf(round.underWay(e.tally.edges.sessions())); ok {
			growths = append(growths, g)
		}
	}
	if len(growths) == 0 {
		return unsure(text.Msg("validity.growth.brief"))
	}
	slices.SortFunc(growths, func(a, b growth) int { return cmp.Compare(a.share(), b.share()) })
	g := growths[len(growths)/2] // a round's hiccup is not the level
	found := 100 * g.share()
	switch {
	case g.ramp:
		return unsure(text.Msg("validity.growth.ramp"))
	case g.fine(r.limit):
		return within(true, found, r.limit, text.Msg("validity.growth.none", g.from, g.to), text.Message{})
	}
	return within(false, found, r.limit, text.Msg("validity.growth", g.from, g.to, found), text.Msg("validity.growth.remedy"))
}
