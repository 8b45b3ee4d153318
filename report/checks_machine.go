package report

import (
	"math"

	"tidemark/text"
)

// fewestLooks is how many looks at the machine a level needs for what it used
// to be known.
const fewestLooks = 2

// ownCPU is V5.cpu: how much of the CPU it may use this process used.
func ownCPU(r rule, e *evidence) answer {
	m := e.tally.machine
	if m.looks < fewestLooks || e.place.quota <= 0 {
		return idle(text.Msg("validity.no_looks"))
	}
	found := 100 * m.cpu / m.seconds / e.place.quota
	return within(found <= r.limit, found, r.limit,
		text.Msg("validity.cpu", m.cpu/m.seconds, e.place.quota), text.Msg("validity.cpu.remedy"))
}

// throttled is V5.quota: whether the control group held this process back.
func throttled(r rule, e *evidence) answer {
	m := e.tally.machine
	if m.looks < fewestLooks {
		return idle(text.Msg("validity.no_looks"))
	}
	return within(m.throttled <= r.limit, m.throttled, r.limit,
		text.Msg("validity.throttled", m.throttled), text.Msg("validity.throttled.remedy"))
}

// othersCPU is V13: whether an endpoint on this machine leaves the client its
// CPU.
func othersCPU(r rule, e *evidence) answer {
	m := e.tally.machine
	switch {
	case !e.place.local:
		return idle(text.Msg("validity.remote"))
	case m.looks < fewestLooks || !m.others || e.place.quota <= 0:
		return idle(text.Msg("validity.no_looks"))
	}
	found := 100 * m.other / m.seconds / e.place.quota
	return within(found <= r.limit, found, r.limit,
		text.Msg("validity.others", m.other/m.seconds, e.place.quota), text.Msg("validity.others.remedy"))
}

// between the engine's clock and an attempt's own lies, in seconds, what two
// readings of a clock and a lock may take; no request is shorter by more.
const readings = 1e-4

// countersAgree is V9: the engine's integral of requests in flight against the
// records', the round where they differ most.
func countersAgree(r rule, e *evidence) answer {
	found, judged, fine := 0.0, false, true
	for _, round := range e.tally.edges.rounds {
		if round.inFlightS <= 0 || round.ended == 0 {
			continue
		}
		judged = true
		recorded := 0.0
		for _, s := range round.inFlight {
			recorded += seconds(s)
		}
		apart := math.Abs(round.inFlightS - recorded)
		share := 100 * apart / round.inFlightS
		found = max(found, share)
		fine = fine && (share <= r.limit || apart <= readings*float64(len(round.inFlight)))
	}
	if !judged {
		return unsure(text.Msg("validity.no_counter"))
	}
	return within(fine, found, r.limit, text.Msg("validity.counters", found), text.Msg("validity.counters.remedy"))
}
