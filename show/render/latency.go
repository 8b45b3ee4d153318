package render

import (
	"slices"
	"strings"

	"tidemark/report"
	"tidemark/stat"
)

// measure is a row of the latency table.
type measure struct {
	distribution
	sum *stat.Summary
}

func measures(l *report.Level) []measure {
	var all []measure
	for _, d := range distributions {
		m := measure{d, d.of(l)}
		if d.name == "ttfa" && alike(m.sum, l.Latency.TTFT) {
			continue // no reasoning before the answer: the same figure
		}
		if m.sum != nil || m.always {
			all = append(all, m)
		}
	}
	return all
}

func alike(a, b *stat.Summary) bool {
	return a != nil && b != nil && a.N == b.N && a.Mean == b.Mean
}

// latency shows a level's distributions; where there is none, nothing.
func (p *page) latency(l *report.Level) bool {
	measures := measures(l)
	if !slices.ContainsFunc(measures, func(m measure) bool { return m.sum != nil }) {
		return false
	}
	var rows [][]span
	head := []span{{}, {}}
	for _, name := range []string{p.Say("show.mean"), "p50", "p90", "p95", "p99", p.Say("show.max"), "n"} {
		head = append(head, span{faint, name})
	}
	for _, m := range measures {
		rows = append(rows, p.row(m))
	}
	// A star hangs outside of its column, so that figures stay aligned.
	for c := 2; c < len(head); c++ {
		starred := slices.ContainsFunc(rows, func(row []span) bool { return strings.HasSuffix(row[c].text, "*") })
		for _, row := range append([][]span{head}, rows...) {
			if starred && !strings.HasSuffix(row[c].text, "*") {
				row[c].text += " "
			}
		}
	}
	p.grid(2, 2, append([][]span{head}, rows...))
	return true
}

func (p *page) row(m measure) []span {
	sc := scale{p.Say("show.unit_tps"), 1}
	if m.unit == "ms" {
		sc.unit = ""
	}
	row := []span{{plain, m.heading(p.Lang)}, {faint, sc.unit}}
	s := m.sum
	if s == nil {
		for range 7 {
			row = append(row, span{faint, absent})
		}
		return row
	}
	if m.unit == "ms" {
		sc = scaleFor(s.Mean, s.P50, s.P90, s.P95, s.P99, s.Max)
		row[1].text = sc.unit
	}
	star := func(percentile string, v float64) string {
		if thin(s, percentile) {
			return sc.num(v) + "*"
		}
		return sc.num(v)
	}
	n := count(s.N)
	if s.N > 9_999_999 {
		n = num(float64(s.N))
	}
	for _, cell := range []string{sc.num(s.Mean), sc.num(s.P50), star("p90", s.P90), star("p95", s.P95), star("p99", s.P99), sc.num(s.Max)} {
		row = append(row, span{plain, cell})
	}
	return append(row, span{faint, n})
}

// legend explains the table's words and stars, once.
func (p *page) legend(sets []set) {
	stars := map[string]bool{}
	any := false
	for _, s := range sets {
		for _, l := range s.levels {
			any = true
			for _, m := range measures(l) {
				if m.sum != nil {
					for _, t := range m.sum.Thin {
						stars[t] = true
					}
				}
			}
		}
	}
	if !any {
		return
	}
	p.blank()
	if list := p.thinList(stars); list != "" {
		p.para(2, span{}, faint, p.Say("show.thin", list))
	}
	p.para(2, span{}, faint, p.Say("show.legend"))
}
