// Package finding fills in a report's conclusions: rules over its figures,
// each with an id, the numbers behind it and what to do. It knows nothing of
// how they are shown.
//
// A rule speaks only where the figures carry it. It compares levels of one
// target and workload, and only those that are not short; it says nothing of
// a healthy level that stands alone.
package finding

import (
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
	for _, ladder := range report.Ladders(r) {
		levels := slices.DeleteFunc(ladder.Levels, func(l *report.Level) bool {
			return l.Short || l.Asked() == 0
		})
		for _, rule := range ofLadder {
			if c, ok := rule.judge(levels); ok {
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
