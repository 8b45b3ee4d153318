package render

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/report"
	"tidemark/stat"
)

// rung is a level's row of the first table.
type rung struct {
	cells []string
	style style
}

// rungs makes the table that people know: a column's name, its unit, and a
// row a level. thinP99 says whether a P99 in it is marked.
func (p *page) rungs(s set, r *report.Report) (names, units []string, rows []rung, thinP99 bool) {
	e2e := func(l *report.Level) *stat.Summary { return l.Latency.E2E }
	ttft := func(l *report.Level) *stat.Summary { return l.Latency.TTFT }
	mean := func(s *stat.Summary) float64 { return s.Mean }
	p99 := func(s *stat.Summary) float64 { return s.P99 }
	meanUnit, means := s.millis(e2e, mean)
	p99Unit, p99s := s.millis(e2e, p99)
	ttftUnit, ttfts := s.millis(ttft, mean)

	names = []string{p.climbs(s), "QPS", p.Say("show.col_latency"), "P99", "TPS", "TTFT", p.Say("show.col_success"), ""}
	units = []string{"", p.Say("show.unit_qps"), meanUnit, p99Unit, p.Say("show.unit_tps"), p.Say("show.unit_mean", ttftUnit), "%", ""}
	for i, l := range s.levels {
		if e := l.Latency.E2E; e != nil && thin(e, "p99") {
			p99s[i] += "*"
			thinP99 = true
		}
		success := absent
		if v := l.Reliability.SuccessPercent; v != nil {
			success = decimal(*v)
		}
		mark, st := p.mark(l, r)
		rows = append(rows, rung{[]string{step(l), known(l.Throughput.RequestsPerS), means[i], p99s[i],
			known(l.Throughput.OutputTokensPerS), ttfts[i], success, mark}, st})
	}
	return names, units, rows, thinP99
}

// millis is a column of one figure, in one unit.
func (s set) millis(of func(*report.Level) *stat.Summary, figure func(*stat.Summary) float64) (unit string, cells []string) {
	var all []float64
	for _, l := range s.levels {
		if sum := of(l); sum != nil {
			all = append(all, figure(sum))
		}
	}
	sc := scaleFor(all...)
	for _, l := range s.levels {
		if sum := of(l); sum != nil {
			cells = append(cells, sc.num(figure(sum)))
		} else {
			cells = append(cells, absent)
		}
	}
	return sc.unit, cells
}

// mark is the word at the end of a level's row.
func (p *page) mark(l *report.Level, r *report.Report) (string, style) {
	best := r.Verdict.BestLevel
	switch {
	case invalid(l):
		return p.Say("show.mark_invalid"), red
	case l.Short:
		return p.Say("show.mark_short"), yellow
	case best != nil && *best == l.Level:
		return p.Say("show.mark_best"), green
	case l.Saturated():
		return p.Say("show.mark_saturated"), yellow
	}
	return "", plain
}

// ladder shows the first table of a set, its footnotes and its charts.
func (p *page) ladder(s set, r *report.Report) {
	p.blank()
	if s.name != "" {
		p.line(0, span{bold, s.name})
	}
	names, units, rungs, thinP99 := p.rungs(s, r)
	table := [][]span{{}, {}}
	for i := range names {
		table[0] = append(table[0], span{bold, names[i]})
		table[1] = append(table[1], span{faint, units[i]})
	}
	cells := make([][]string, len(names))
	for c := range cells {
		for _, row := range rungs {
			cells[c] = append(cells[c], row.cells[c])
		}
		cells[c] = onPoint(cells[c])
	}
	last := len(names) - 1
	for i, row := range rungs {
		var line []span
		for c := range row.cells {
			line = append(line, span{plain, cells[c][i]})
		}
		line[0].style = bold
		line[last] = span{row.style, pad(row.cells[last], widest(column(rungs, last)))}
		table = append(table, line)
	}
	p.grid(2, 0, table)
	if thinP99 {
		p.para(2, span{}, faint, p.Say("show.thin", p.thinList(map[string]bool{"p99": true})))
	}
	for _, l := range s.levels {
		if l.Short {
			p.para(2, span{}, yellow, p.shortLine(l))
		}
		if why := p.invalidLine(l); why != "" {
			p.para(2, span{}, red, why)
		}
	}
	p.charts(s)
}

func (p *page) shortLine(l *report.Level) string {
	if l.ShortWhy == "" {
		return p.Say("show.short", p.levelName(l))
	}
	return p.Say("show.short_why", p.levelName(l), oneLine(l.ShortWhy))
}

// thinList says how many requests each of the thin percentiles wants.
func (p *page) thinList(which map[string]bool) string {
	var parts []string
	for _, percentile := range []string{"p90", "p95", "p99"} {
		if which[percentile] {
			parts = append(parts, percentile+" n ≥ "+count(stat.Needed(percentile)))
		}
	}
	return strings.Join(parts, ", ")
}

// onPoint pads figures at their right so that their points lie on one line.
func onPoint(cells []string) []string {
	tail := func(s string) int {
		if s == "" || s == absent || strings.Trim(s, "0123456789.,*") != "" {
			return 0
		}
		if i := strings.IndexAny(s, ".*"); i >= 0 {
			return len(s) - i
		}
		return 0
	}
	longest := 0
	for _, c := range cells {
		longest = max(longest, tail(c))
	}
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = c
		if c != "" {
			out[i] += strings.Repeat(" ", longest-tail(c))
		}
	}
	return out
}

func column(rows []rung, c int) []string {
	var cells []string
	for _, r := range rows {
		cells = append(cells, r.cells[c])
	}
	return cells
}

func widest(cells []string) int {
	w := 0
	for _, c := range cells {
		w = max(w, ansi.StringWidth(clean(c)))
	}
	return w
}

// charts draws throughput and first token beside each other, a bar a level.
func (p *page) charts(s set) {
	tps := chart{title: p.Say("show.chart_tps"), unit: p.Say("show.unit_tps")}
	ttft := chart{title: p.Say("show.chart_ttft")}
	var all []float64
	for _, l := range s.levels {
		tps.add(step(l), l.Throughput.OutputTokensPerS)
		var v *float64
		if t := l.Latency.TTFT; t != nil {
			v = &t.Mean
			all = append(all, t.Mean)
		}
		ttft.add(step(l), v)
	}
	sc := scaleFor(all...)
	ttft.per, ttft.unit = sc.per, sc.unit
	if len(s.levels) < 2 || tps.top() == 0 && ttft.top() == 0 {
		return
	}
	half := (p.prose() - 2 - 4) / 2
	left, right := tps.rows(half), ttft.rows(half)
	p.blank()
	for i := range left {
		spans := append([]span{}, left[i]...)
		used := 0
		for _, sp := range left[i] {
			used += ansi.StringWidth(sp.text)
		}
		spans = append(spans, span{plain, strings.Repeat(" ", max(half+4-used, 0))})
		p.line(2, append(spans, right[i]...)...)
	}
}

// chart is a figure by level.
type chart struct {
	title, unit string
	per         float64 // of the figure in one of the unit; zero: one
	names       []string
	values      []*float64
}

func (c *chart) add(name string, v *float64) {
	if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
		v = nil
	}
	c.names, c.values = append(c.names, name), append(c.values, v)
}

func (c *chart) top() float64 {
	top := 0.0
	for _, v := range c.values {
		if v != nil {
			top = max(top, *v)
		}
	}
	return top
}

// rows draws the chart in so many cells: its title, then name, bar and figure.
func (c *chart) rows(width int) [][]span {
	per := c.per
	if per == 0 {
		per = 1
	}
	var figures []string
	for _, v := range c.values {
		if v == nil {
			figures = append(figures, absent)
		} else {
			figures = append(figures, num(*v/per))
		}
	}
	name := min(widest(c.names), width/2)
	room := max(width-name-2-1-widest(figures), 1)
	top := c.top()
	rows := [][]span{{{bold, c.title}, {faint, "  " + c.unit}}}
	for i, v := range c.values {
		b := ""
		if v != nil && top > 0 {
			b = bar(*v/top, room) + " "
		}
		of := ansi.Truncate(clean(c.names[i]), name, "…")
		rows = append(rows, []span{
			{plain, strings.Repeat(" ", name-ansi.StringWidth(of)) + of + "  "},
			{blue, b}, {plain, figures[i]}})
	}
	return rows
}

// bar fills a share of width cells, to an eighth of a cell.
func bar(share float64, width int) string {
	eighths := int(math.Round(min(max(share, 0), 1) * float64(width) * 8))
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	if s == "" {
		s = "▏"
	}
	return s
}
