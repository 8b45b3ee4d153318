// Package finding fills in a report's conclusions: rules over its figures,
// each with an id, the numbers behind it and what to do. It knows nothing of
// how they are shown.
//
// A rule speaks only where the figures carry it. It compares levels of one
// target and workload, and only those that are not short; it says nothing of
// a healthy level that stands alone.
package finding

import (
	"cmp"
	"slices"

	"tidemark/report"
	"tidemark/text"
)

// Add puts the findings into a report: those of one level with the level,
// those of several, or of the whole run, with the run. What was there before
// is replaced.
func Add(r *report.Report, lang text.Lang) {
	r.Findings = []report.Finding{}
	for i := range r.Levels {
		l := &r.Levels[i]
		l.Findings = []report.Finding{}
		for _, rule := range ofLevel {
			if c, ok := rule.judge(l); ok {
				l.Findings = append(l.Findings, c.finding(rule.id, lang))
			}
		}
	}
	if c, ok := quota(r); ok {
		r.Findings = append(r.Findings, c.finding("quota_spent", lang))
	}
	for _, ladder := range ladders(r.Levels) {
		for _, rule := range ofLadder {
			if c, ok := rule.judge(ladder); ok {
				r.Findings = append(r.Findings, c.finding(rule.id, lang))
			}
		}
	}
}

// conclusion is what a rule found.
type conclusion struct {
	said     text.Message
	evidence map[string]float64
}

func (c conclusion) finding(id string, lang text.Lang) report.Finding {
	return report.Finding{ID: id, Text: c.said.In(lang), Evidence: c.evidence}
}

// ladders groups the levels that compare, each by concurrency.
func ladders(levels []report.Level) [][]*report.Level {
	var out [][]*report.Level
	for i := range levels {
		l := &levels[i]
		if l.Short || l.Load.Concurrency == nil {
			continue
		}
		at := slices.IndexFunc(out, func(have []*report.Level) bool {
			return have[0].Target == l.Target && have[0].Workload == l.Workload
		})
		if at < 0 {
			out = append(out, []*report.Level{l})
		} else {
			out[at] = append(out[at], l)
		}
	}
	for _, ladder := range out {
		slices.SortStableFunc(ladder, func(a, b *report.Level) int {
			return cmp.Compare(*a.Load.Concurrency, *b.Load.Concurrency)
		})
	}
	return out
}
