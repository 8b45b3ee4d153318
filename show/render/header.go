package render

import (
	"slices"
	"strings"

	"tidemark/record"
	"tidemark/report"
)

// header says what was measured, when and how; and first of all what a reader
// must know before reading a figure.
func (p *page) header(r *report.Report) {
	p.line(0, span{bold, p.Say("show.title")})
	for _, n := range p.notices(r) {
		p.para(0, span{}, alarm, n)
	}
	p.blank()
	var facts []fact
	for _, t := range r.Targets {
		facts = append(facts, fact{p.Say("show.target"), bold, targetLine(t)})
	}
	facts = append(facts,
		fact{p.Say("show.when"), plain, p.when(r)},
		fact{p.Say("show.load"), plain, p.offered(r.Levels)},
		fact{p.Say("show.run"), plain, p.runLine(r)})
	p.facts(2, facts)
}

// notices are what limits the whole report, gravest first.
func (p *page) notices(r *report.Report) []string {
	var all []string
	if r.Simulated {
		all = append(all, p.Say("show.simulated"))
	}
	if v := r.Verdict.Valid; v != nil && !*v {
		all = append(all, p.Say("show.invalid"))
	}
	if r.Truncated {
		all = append(all, p.Say("show.truncated"))
	}
	switch r.Reason {
	case "", record.Done:
	case record.Refused:
		all = append(all, p.Say("show.stopped_before", r.Reason.Name()))
	default:
		all = append(all, p.Say("show.stopped", r.Reason.Name()))
	}
	return all
}

func targetLine(t record.Target) string {
	parts := []string{oneLine(t.URL)}
	if t.Model != "" {
		parts = append(parts, oneLine(t.Model))
	}
	if t.Dialect != "" {
		parts = append(parts, oneLine(t.Dialect))
	}
	return strings.Join(parts, " · ")
}

func (p *page) when(r *report.Report) string {
	if r.Ended == nil {
		return p.moment(r.Started)
	}
	return p.stretch(r.Started, *r.Ended) + " · " + clock(r.Ended.Sub(r.Started))
}

func (p *page) runLine(r *report.Report) string {
	parts := []string{oneLine(r.RunID), "tidemark " + oneLine(r.Tidemark)}
	if r.Machine.OS != "" {
		parts = append(parts, p.Say("show.machine", oneLine(r.Machine.OS), oneLine(r.Machine.Arch), r.Machine.CPUs))
	}
	return strings.Join(parts, " · ")
}

// offered is the load in a line: each thing that differs by level is listed.
func (p *page) offered(levels []report.Level) string {
	if len(levels) == 0 {
		return p.Say("show.no_level")
	}
	var steps, requests []string
	once := func(list []string, s string) []string {
		if slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	rounds := 0
	for _, l := range levels {
		steps = once(steps, step(&l))
		rounds = max(rounds, l.Load.Rounds)
		if n := l.Load.Requests; n != nil {
			requests = once(requests, count(*n))
		}
	}
	var parts []string
	switch first := levels[0].Load; {
	case first.Concurrency != nil && first.Turns != nil:
		parts = append(parts, p.Say("show.users", strings.Join(steps, ", ")))
	case first.Concurrency != nil:
		parts = append(parts, p.Say("show.closed", strings.Join(steps, ", ")))
	case first.Schedule != nil && first.Schedule.Trace != "":
		parts = append(parts, p.Say("show.trace_n", strings.Join(steps, ", ")))
	default:
		parts = append(parts, p.Say("show.open", strings.Join(steps, ", ")))
	}
	if len(requests) > 0 {
		parts = append(parts, p.Say("show.requests_each", strings.Join(requests, ", ")))
	} else {
		parts = append(parts, p.Say("show.by_duration"))
	}
	if rounds > 1 {
		parts = append(parts, p.Say("show.rounds", rounds))
	}
	return strings.Join(parts, " · ")
}
