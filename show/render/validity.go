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

// grave reports whether a check makes its level INVALID.
func grave(c report.Check) bool {
	return c.Status == report.CheckFailed && c.Severity == report.Invalid
}

// invalid reports whether a level was judged, and its figures are the client's.
func invalid(l *report.Level) bool { return l.Validity.Valid != nil && !*l.Validity.Valid }

// graveChecks are the ids of the checks that make a level INVALID.
func graveChecks(v report.Validity) string {
	var ids []string
	for _, c := range v.Checks {
		if grave(c) {
			ids = append(ids, oneLine(c.ID))
		}
	}
	return strings.Join(ids, ", ")
}

// validity is a level's checks in a line.
func (p *page) validity(v report.Validity) (string, style) {
	fine := 0
	for _, c := range v.Checks {
		if c.Status == report.CheckOK {
			fine++
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
	return p.Say("show.level_invalid", graveChecks(v)), red
}

// invalidLine says below the first table which checks an INVALID level failed;
// "" of any other.
func (p *page) invalidLine(l *report.Level) string {
	ids := graveChecks(l.Validity)
	if !invalid(l) || ids == "" {
		return ""
	}
	return p.Say("show.invalid_why", p.levelName(l), ids)
}

// judged is what the verdict says of the measuring side. It may stand on valid
// levels alone while others, far from the best, are INVALID.
func (p *page) judged(r *report.Report) (string, style) {
	if !*r.Verdict.Valid {
		return p.Say("show.invalid_end"), red
	}
	for i := range r.Levels {
		if invalid(&r.Levels[i]) {
			return p.Say("show.valid_apart"), yellow
		}
	}
	return p.Say("show.valid"), green
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
	var first, rest []saying
	for _, s := range sets {
		for _, l := range s.levels {
			for _, c := range l.Validity.Checks {
				said := saying{p.fullName(s, l), c}
				switch {
				case c.ID == "V4" || c.ID == "V6":
				case grave(c):
					first = append(first, said)
				case c.Status == report.CheckFailed, c.Status == report.Undecided && c.Severity == report.Invalid && c.Says != "" && c.Found != nil:
					rest = append(rest, said)
				}
			}
		}
	}
	return append(first, rest...)
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
		if grave(s.Check) {
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

// failedChecks is the ids of all checks that failed, whatever that does.
func failedChecks(l *report.Level) string {
	var ids []string
	for _, c := range l.Validity.Checks {
		if c.Status == report.CheckFailed {
			ids = append(ids, c.ID)
		}
	}
	return strings.Join(ids, " ")
}
