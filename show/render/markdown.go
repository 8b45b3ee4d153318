package render

import (
	"io"
	"strings"

	"tidemark/report"
)

// markdown writes the report's head for a pull request: the first table, the
// best concurrency, what went wrong, what the console should show.
func markdown(w io.Writer, r *report.Report, o Options) error {
	m := &pull{newPage(o)}
	sets := setsOf(r)
	m.say("### ", mdText(m.Say("show.title")), "\n")
	for i, n := range m.notices(r) {
		m.say([]string{"\n> ", ">\n> "}[min(i, 1)], "**", mdText(n), "**\n")
	}
	m.say("\n")
	for _, t := range r.Targets {
		m.say("- ", m.Say("show.colon", mdText(m.Say("show.target")), mdCode(targetLine(t))), "\n")
	}
	m.item(m.Say("show.when"), m.when(r))
	m.item(m.Say("show.load"), m.offered(r.Levels))
	for _, s := range sets {
		m.table(s, r)
		m.groups(s)
	}
	m.best(r, sets)
	m.checks(sets)
	m.findings(r, sets)
	m.outcomes(r, sets)
	m.say("\n#### ", mdText(m.Say("show.console")), "\n\n")
	for _, f := range m.consoleFacts(r.Console) {
		if f.text != "" {
			m.item(f.label, f.text)
		}
	}
	return m.to(w)
}

// findings lists the conclusions, and below them what was odd, level by level.
func (m *pull) findings(r *report.Report, sets []set) {
	rows := m.conclusions(r, sets)
	for _, s := range sets {
		for _, l := range s.levels {
			for _, w := range l.Warnings {
				rows = append(rows, fact{label: m.fullName(s, l), text: m.warning(w)})
			}
		}
	}
	if len(rows) == 0 {
		return
	}
	m.say("\n#### ", mdText(m.Say("show.findings")), "\n\n")
	for _, f := range rows {
		if f.label != "" {
			f.text = m.Say("show.colon", f.label, f.text)
		}
		m.say("- ", mdText(f.text), "\n")
	}
}

// pull is a page for a pull request, whose lines are as long as they are.
type pull struct{ *page }

func (m *pull) say(parts ...string) {
	for _, s := range parts {
		m.b.WriteString(s)
	}
}

func (m *pull) item(label, s string) {
	m.say("- ", mdText(m.Say("show.colon", label, s)), "\n")
}

func (m *pull) table(s set, r *report.Report) {
	m.say("\n")
	if s.name != "" {
		m.say("**", mdText(s.name), "**\n\n")
	}
	names, units, rungs, thinP99 := m.rungs(s, r)
	for i := range names {
		if units[i] != "" {
			names[i] += " (" + units[i] + ")"
		}
		names[i] = mdText(names[i])
	}
	m.say("| ", strings.Join(names, " | "), " |\n|", strings.Repeat("--:|", len(names)-1), "---|\n")
	for _, row := range rungs {
		cells := make([]string, len(row.cells))
		for i, c := range row.cells {
			cells[i] = mdText(c)
		}
		m.say("| ", strings.Join(cells, " | "), " |\n")
	}
	if thinP99 {
		m.say("\n", mdText(m.Say("show.thin", m.thinList(map[string]bool{"p99": true}))), "\n")
	}
	for _, l := range s.levels {
		if l.Short {
			m.say("\n", mdText(m.shortLine(l)), "\n")
		}
		if why := m.invalidLine(l); why != "" {
			m.say("\n**", mdText(why), "**\n")
		}
	}
}

func (m *pull) best(r *report.Report, sets []set) {
	v := r.Verdict
	head := m.noBest(r)
	if v.BestLevel != nil {
		head = m.bestIs(r) + m.bestOf(v, sets)
	}
	m.say("\n**", mdText(head), "**")
	if v.Because != "" {
		m.say("  \n", mdText(v.Because))
	}
	m.say("\n")
	if v.Valid != nil {
		said, _ := m.judged(r)
		said = mdText(said)
		if !*v.Valid {
			said = "**" + said + "**"
		}
		m.say("\n", said, "\n")
	}
}

// checks lists what the checks have to say.
func (m *pull) checks(sets []set) {
	all := m.sayings(sets)
	if len(all) == 0 {
		return
	}
	m.say("\n#### ", mdText(m.Say("show.validity_head")), "\n\n")
	for _, s := range all {
		m.say("- ", mdText(m.Say("show.colon", s.label+" · "+s.ID, s.sentence())), "\n")
		if s.Remedy != "" {
			m.say("  - → ", mdText(s.Remedy), "\n")
		}
	}
}

// groups are tables of the parts that have rows of their own.
func (m *pull) groups(s set) {
	for _, l := range s.levels {
		for i, row := range m.groupRows(l) {
			if i == 0 {
				if len(l.Groups) == 0 {
					break
				}
				m.say("\n", mdText(m.fullName(s, l)), "\n\n")
			}
			m.say("|")
			for _, c := range row {
				m.say(" ", mdText(c.text), " |")
			}
			m.say("\n")
			if i == 0 {
				m.say("|---|", strings.Repeat("--:|", len(row)-1), "\n")
			}
		}
	}
}

func (m *pull) outcomes(r *report.Report, sets []set) {
	all := m.endings(r, sets)
	if len(all) == 0 {
		return
	}
	m.say("\n#### ", mdText(m.Say("show.outcomes")), "\n\n")
	for _, e := range all {
		kinds := e.kind()
		for i, k := range kinds {
			kinds[i] = mdCode(k)
		}
		m.say("- ", mdText(e.named(m.Lang)), " – ", mdText(strings.Join(e.where, " · ")), "  \n  ", strings.Join(kinds, " · "), "\n")
		if e.Message != "" {
			m.say("  - ", mdCode(e.Message), "\n")
		}
		if e.Hint != "" {
			m.say("  - → ", mdText(e.Hint), "\n")
		}
	}
}

// mdText makes a plain text one line of Markdown that shows just that text: no
// markup, no table cell, no mention of a person or an issue.
func mdText(s string) string {
	var b strings.Builder
	for _, r := range oneLine(s) {
		switch {
		case r == '@' || r == '#':
			// A backslash would not keep a mention from being made.
			b.WriteRune(r)
			b.WriteString("<!-- -->")
		case strings.ContainsRune("\\`*_[]<>|~&", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// mdCode shows a text of a provider as code, where nothing in it is markup.
// Its fence is longer than any run of backticks inside; a bar is shown by its
// full-width form, because no escape works in code outside of a table.
func mdCode(s string) string {
	s = strings.ReplaceAll(oneLine(s), "|", "｜")
	if s == "" {
		return ""
	}
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	if longest == 0 {
		return "`" + s + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + s + " " + fence
}
