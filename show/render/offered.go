package render

import (
	"io"
	"strconv"
	"strings"
	"time"

	"tidemark/record"
	"tidemark/report"
	"tidemark/run"
)

// Schedules draws what the open-loop levels of a run would send, and when.
func Schedules(w io.Writer, levels []run.Level, o Options) error {
	p := newPage(o)
	for _, l := range levels {
		s := l.Schedule
		if s == nil {
			continue
		}
		p.blank()
		p.line(0, span{bold, rateName(s)}, span{faint, "  " + p.Say("show.level_n", l.Number)})
		sent := p.Say("show.schedule_sent", count(s.Requests), length(s.LengthS))
		if l.Turns > 1 {
			sent = p.Say("show.schedule_sessions", count(s.Requests), l.Turns, length(s.LengthS))
		}
		facts := []fact{
			{p.Say("show.schedule"), plain, p.arrivals(s)},
			{p.Say("show.requests"), plain, sent},
		}
		if s.InputTokens > 0 {
			facts = append(facts, fact{p.Say("show.tokens"), plain, p.Say("show.schedule_tokens", count(s.InputTokens), count(s.OutputTokens))})
		}
		p.facts(2, facts)
		p.line(2, span{plain, sparkline(floats(l.Bins), p.prose()-2, 0)})
	}
	return p.to(w)
}

// length is how long a schedule is.
func length(s float64) string { return clock(time.Duration(s * float64(time.Second))) }

// arrivals says by which law requests come, and which schedule it is.
func (p *page) arrivals(s *record.Schedule) string {
	parts := []string{s.Arrival}
	switch {
	case s.Trace != "":
		parts[0] = p.Say("show.trace_n", oneLine(s.Trace))
		if s.Scale != 0 && s.Scale != 1 {
			parts = append(parts, p.Say("show.times", num(s.Scale)))
		}
	case s.CV > 0:
		parts[0] += " cv " + num(s.CV)
	}
	if s.TokenPace {
		parts = append(parts, p.Say("show.token_pace"))
	}
	if len(s.SHA256) > 12 {
		parts = append(parts, "sha256 "+s.SHA256[:12]+"…")
	}
	return strings.Join(parts, " · ")
}

// rateName is a schedule's name; a bare figure is one a second.
func rateName(s *record.Schedule) string {
	name := oneLine(s.Name)
	if _, err := strconv.ParseFloat(name, 64); err == nil {
		return name + "/s"
	}
	return name
}

// sending is what an open loop had to send and what came of it.
func (p *page) sending(l report.Load) string {
	if l.Due == nil {
		return ""
	}
	parts := []string{p.Say("show.due", count(*l.Due))}
	if l.Unsent != nil && *l.Unsent > 0 {
		parts = append(parts, p.Say("show.unsent", count(*l.Unsent)))
	}
	if l.MaxInFlight != nil {
		held := 0
		if l.Held != nil {
			held = *l.Held
		}
		parts = append(parts, p.Say("show.held", count(held), count(*l.MaxInFlight)))
	}
	if l.RatePerS != nil {
		parts = append(parts, p.Say("show.offered_rate", num(*l.RatePerS)))
	}
	return strings.Join(parts, " · ")
}

// talks is what a level's conversations are like.
func (p *page) talks(l report.Load) string {
	if l.Turns == nil {
		return ""
	}
	think := 0.0
	if l.ThinkS != nil {
		think = *l.ThinkS
	}
	return p.Say("show.turns", *l.Turns, secs(think))
}

// mixture is the parts that share a level, each with its weight.
func mixture(l report.Load) string {
	var parts []string
	for _, s := range l.Mix {
		parts = append(parts, oneLine(s.Target)+"/"+oneLine(s.Workload)+" "+decimal(s.Weight))
	}
	return strings.Join(parts, " · ")
}

func (p *page) cancels(l report.Load) string {
	if l.CancelPercent == nil {
		return ""
	}
	return p.Say("show.cancels", decimal(*l.CancelPercent))
}

func (p *page) schedule(l report.Load) string {
	if l.Schedule == nil {
		return ""
	}
	return p.arrivals(l.Schedule)
}

// clockLine says how exact stamps lie on the clock, and what befell it.
func (p *page) clockLine(c *report.Clock) string {
	if c == nil {
		return ""
	}
	parts := []string{p.Say("show.clock_within", millis(c.WithinMs))}
	if c.Steps > 0 && c.StepMs != nil {
		parts = append(parts, p.Say("show.clock_steps", count(c.Steps), millis(*c.StepMs)))
	}
	if c.SleptMs != nil {
		parts = append(parts, p.Say("show.clock_slept", millis(*c.SleptMs)))
	}
	return strings.Join(parts, " · ")
}

// groups shows the parts of a level that have rows of their own.
func (p *page) groups(l *report.Level) {
	if len(l.Groups) == 0 {
		return
	}
	p.blank()
	p.grid(2, 1, p.groupRows(l))
}

// groupRows is a table: a heading, then a row a group.
func (p *page) groupRows(l *report.Level) [][]span {
	rows := [][]span{{{}}}
	for _, name := range []string{"n", "TTFT p50 ms", "TTFT p95 ms", "TPOT p50 ms", "E2E p50 ms", p.Say("show.col_success") + " %"} {
		rows[0] = append(rows[0], span{faint, name})
	}
	for _, g := range l.Groups {
		name := oneLine(g.Key)
		if g.By == report.ByTurn {
			name = p.Say("show.turn_n", name)
		}
		row := []span{{plain, name}, {faint, count(g.Reliability.Sent)}}
		for _, f := range []*float64{
			p50(g.Latency.TTFT), p95(g.Latency.TTFT), p50(g.Latency.TPOT), p50(g.Latency.E2E), g.Reliability.SuccessPercent,
		} {
			row = append(row, span{plain, known(f)})
		}
		rows = append(rows, row)
	}
	return rows
}
