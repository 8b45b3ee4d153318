package finding

import (
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/text"
)

// saturated tells of a rate that the endpoint does not keep up with (V7).
func saturated(l *report.Level) (conclusion, bool) {
	growth := l.Check("V7").Found
	if !l.Saturated() || growth == nil || l.Throughput.RequestsPerS == nil {
		return conclusion{}, false
	}
	evidence := map[string]float64{
		"rate_per_s": l.Asked(), "requests_per_s": *l.Throughput.RequestsPerS, "growth_percent": *growth,
	}
	if c := l.Check("V8").Found; c != nil && *c > 0 {
		evidence["cut_requests"] = *c
	}
	if a := l.Load.Achieved; a != nil {
		evidence["in_flight_max"] = float64(a.Max)
	}
	return conclusion{text.Msg("finding.saturated", l.Named(), *l.Throughput.RequestsPerS, *growth), evidence}, true
}

// capReached tells of requests that waited for the plan's own cap.
func capReached(l *report.Level) (conclusion, bool) {
	held, due, most := l.Load.Held, l.Load.Due, l.Load.MaxInFlight
	if held == nil || *held == 0 || most == nil || due == nil || *due == 0 {
		return conclusion{}, false
	}
	share := 100 * float64(*held) / float64(*due)
	return conclusion{text.Msg("finding.cap_reached", share, *most), map[string]float64{
		"share_percent": share, "requests": float64(*held), "max_in_flight": float64(*most),
	}}, true
}

// cancelled tells of requests that the client left, as users do.
func cancelled(l *report.Level) (conclusion, bool) {
	n, asked := count(l.Reliability.Outcomes, outcome.CancelledByPlan), l.Load.CancelPercent
	if n == 0 || asked == nil {
		return conclusion{}, false
	}
	share := 100 * float64(n) / float64(l.Reliability.Sent)
	return conclusion{text.Msg("finding.cancelled", share, *asked), map[string]float64{
		"share_percent": share, "requests": float64(n), "asked_percent": *asked,
	}}, true
}

// overrunFrom is how many times its schedule a level may take.
const overrunFrom = 2.0

// overrun tells of a level that went on for longer after its schedule than
// during it. Sessions go on by their nature; an endpoint that does not keep up
// is told of as that.
func overrun(l *report.Level) (conclusion, bool) {
	s, whole := l.Load.Schedule, l.Load.DurationS
	if l.Load.Kind != record.Open || l.Load.Turns != nil || s == nil || s.LengthS <= 0 || whole == nil || l.Load.Rounds == 0 || l.Saturated() {
		return conclusion{}, false
	}
	took := *whole / float64(l.Load.Rounds)
	if took < overrunFrom*s.LengthS {
		return conclusion{}, false
	}
	return conclusion{text.Msg("finding.schedule_overrun", took, s.LengthS),
		map[string]float64{"took_s": took, "schedule_s": s.LengthS}}, true
}
