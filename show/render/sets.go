package render

import (
	"slices"
	"strconv"
	"strings"

	"tidemark/report"
)

// set is a ladder with its name: what stands in one table.
type set struct {
	name   string // "" where there is no other
	levels []*report.Level
}

func setsOf(r *report.Report) []set {
	ladders := report.Ladders(r)
	severalWorkloads := slices.ContainsFunc(ladders, func(l report.Ladder) bool { return l.Workload != ladders[0].Workload })
	var sets []set
	for _, l := range ladders {
		s := set{levels: l.Levels}
		if len(ladders) > 1 {
			parts := []string{l.Target}
			if l.Model != "" && l.Model != l.Target {
				parts = append(parts, l.Model)
			}
			if severalWorkloads {
				parts = append(parts, l.Workload)
			}
			s.name = oneLine(strings.Join(parts, " · "))
		}
		sets = append(sets, s)
	}
	return sets
}

// step is what a level asked for, as a figure.
func step(l *report.Level) string {
	switch {
	case l.Load.Concurrency != nil:
		return strconv.Itoa(*l.Load.Concurrency)
	case l.Load.Schedule != nil:
		return rateName(l.Load.Schedule)
	case l.Load.RatePerS != nil:
		return num(*l.Load.RatePerS) + "/s"
	}
	return "#" + strconv.Itoa(l.Level)
}

// levelName is what a level asked for, in words.
func (p *page) levelName(l *report.Level) string {
	switch {
	case l.Load.Concurrency != nil && l.Load.Turns != nil:
		return p.Say("show.users_n", step(l))
	case l.Load.Concurrency != nil:
		return p.Say("show.concurrency_n", step(l))
	case l.Load.Schedule != nil && l.Load.Schedule.Trace != "":
		return p.Say("show.trace_n", step(l))
	case l.Load.Schedule != nil, l.Load.RatePerS != nil:
		return p.Say("show.rate_n", step(l))
	}
	return p.Say("show.level_n", l.Level)
}

// climbs is what the levels of a set climb: the heading of their column.
func (p *page) climbs(s set) string {
	l := s.levels[0].Load
	switch {
	case l.Schedule != nil && l.Schedule.Trace != "":
		return p.Say("show.col_trace")
	case l.Concurrency == nil:
		return p.Say("show.col_rate")
	case l.Turns != nil:
		return p.Say("show.col_users")
	}
	return p.Say("show.col_level")
}

// fullName names a level among several sets.
func (p *page) fullName(s set, l *report.Level) string {
	if s.name == "" {
		return p.levelName(l)
	}
	return s.name + " · " + p.levelName(l)
}
