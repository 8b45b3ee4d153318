package render

import (
	"strings"

	"tidemark/report"
	"tidemark/stat"
)

func p50(s *stat.Summary) *float64 {
	if s == nil {
		return nil
	}
	return &s.P50
}

func p95(s *stat.Summary) *float64 {
	if s == nil {
		return nil
	}
	return &s.P95
}

// validity is a level's checks in a line.
func (p *page) validity(v report.Validity) (string, style) {
	fine, failed := 0, []string{}
	for _, c := range v.Checks {
		switch {
		case c.Status == report.CheckOK:
			fine++
		case c.Status == report.CheckFailed && c.Severity == report.Invalid:
			failed = append(failed, oneLine(c.ID))
		}
	}
	switch {
	case len(v.Checks) == 0:
		return "", plain
	case v.Valid == nil:
		return p.Say("show.level_undecided", fine), yellow
	case *v.Valid:
		return p.Say("show.level_valid", fine), plain
	}
	return p.Say("show.level_invalid", strings.Join(failed, ", ")), red
}

// saying is a check that has something to say, and of which level.
type saying struct {
	label string
	report.Check
}

// sayings are the checks that failed or could not tell, those that make a
// level INVALID first. Percentiles that few requests stand behind are starred
// where they stand, and short levels said above: these are not said again.
func (p *page) sayings(sets []set) []saying {
	var grave, rest []saying
	for _, s := range sets {
		for _, l := range s.levels {
			for _, c := range l.Validity.Checks {
				said := saying{p.fullName(s, l), c}
				switch {
				case c.ID == "V4" || c.ID == "V6":
				case c.Status == report.CheckFailed && c.Severity == report.Invalid:
					grave = append(grave, said)
				case c.Status == report.CheckFailed, c.Status == report.Undecided && c.Severity == report.Invalid && c.Says != "" && c.Found != nil:
					rest = append(rest, said)
				}
			}
		}
	}
	return append(grave, rest...)
}

// checks is the block of what the checks have to say.
func (p *page) checks(r *report.Report, sets []set) {
	all := p.sayings(sets)
	if len(all) == 0 {
		return
	}
	p.heading(p.Say("show.validity_head"))
	for _, s := range all {
		st := yellow
		if s.Severity == report.Invalid && s.Status == report.CheckFailed {
			st = red
		} else if s.Severity == report.Remark || s.Status == report.Undecided {
			st = plain
		}
		p.para(2, span{faint, "- "}, st, p.Say("show.colon", s.label+" · "+oneLine(s.ID), s.sentence()))
		if s.Remedy != "" {
			p.para(4, span{faint, "→ "}, plain, oneLine(s.Remedy))
		}
	}
}

// sentence is what a check found, and beside which limit.
func (s saying) sentence() string {
	said := oneLine(s.Says)
	if s.Found == nil || s.Limit == nil {
		return said
	}
	unit := " " + oneLine(s.Unit)
	if s.Unit == "percent" {
		unit = " %"
	}
	return said + " [" + num(*s.Found) + " / " + num(*s.Limit) + strings.TrimRight(unit, " ") + "]"
}

// failedChecks is the ids of the checks that failed, apart from those that
// mark a figure where it stands.
func failedChecks(l *report.Level) string {
	var ids []string
	for _, c := range l.Validity.Checks {
		if c.Status == report.CheckFailed {
			ids = append(ids, c.ID)
		}
	}
	return strings.Join(ids, " ")
}
