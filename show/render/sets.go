package render

import (
	"slices"
	"strconv"
	"strings"

	"tidemark/report"
)

// set is the levels of one target and workload: what stands in one table.
type set struct {
	name   string // "" where there is no other
	levels []*report.Level
}

// setsOf keeps the order of the run.
func setsOf(r *report.Report) []set {
	type key struct{ target, model, workload string }
	var keys []key
	var sets []set
	workloads := map[string]bool{}
	for i := range r.Levels {
		l := &r.Levels[i]
		k := key{l.Target, l.Model, l.Workload}
		workloads[l.Workload] = true
		at := slices.Index(keys, k)
		if at < 0 {
			at = len(keys)
			keys, sets = append(keys, k), append(sets, set{})
		}
		sets[at].levels = append(sets[at].levels, l)
	}
	if len(sets) < 2 {
		return sets
	}
	for i, k := range keys {
		parts := []string{k.target}
		if k.model != "" && k.model != k.target {
			parts = append(parts, k.model)
		}
		if len(workloads) > 1 {
			parts = append(parts, k.workload)
		}
		sets[i].name = oneLine(strings.Join(parts, " · "))
	}
	return sets
}

// step is what a level asked for, as a figure.
func step(l *report.Level) string {
	switch {
	case l.Load.Concurrency != nil:
		return strconv.Itoa(*l.Load.Concurrency)
	case l.Load.RatePerS != nil:
		return num(*l.Load.RatePerS) + "/s"
	}
	return "#" + strconv.Itoa(l.Level)
}

// levelName is what a level asked for, in words.
func (p *page) levelName(l *report.Level) string {
	switch {
	case l.Load.Concurrency != nil:
		return p.Say("show.concurrency_n", step(l))
	case l.Load.RatePerS != nil:
		return p.Say("show.rate_n", step(l))
	}
	return p.Say("show.level_n", l.Level)
}

// fullName names a level among several sets.
func (p *page) fullName(s set, l *report.Level) string {
	if s.name == "" {
		return p.levelName(l)
	}
	return s.name + " · " + p.levelName(l)
}
