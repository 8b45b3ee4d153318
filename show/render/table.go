package render

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tidemark/report"
)

// narrowest is the width that tables are made for; a narrower terminal
// breaks their lines itself.
const narrowest = 80

// table writes the report for a person at a terminal.
func table(w io.Writer, r *report.Report, o Options) error {
	p := newPage(o)
	p.Width = max(p.Width, narrowest)
	p.header(r)
	sets := setsOf(r)
	for _, s := range sets {
		p.ladder(s, r)
	}
	for _, s := range sets {
		p.details(s)
	}
	p.legend(sets)
	p.best(r, sets)
	p.checks(r, sets)
	p.findings(r, sets)
	p.outcomes(r, sets)
	p.answers(sets)
	p.console(r)
	return p.to(w)
}

// best is the sentence that people read first and last.
func (p *page) best(r *report.Report, sets []set) {
	v := r.Verdict
	if len(r.Levels) == 0 && v.BestLevel == nil && v.Because == "" {
		return
	}
	p.blank()
	if v.BestLevel == nil {
		p.line(0, span{bold, p.noBest(r)})
	} else {
		p.line(0, span{bold, p.bestIs(r)}, span{plain, p.bestOf(v, sets)})
	}
	if v.Because != "" {
		p.para(2, span{}, plain, oneLine(v.Because))
	}
	if v.Valid != nil {
		said, how := p.judged(r)
		p.para(2, span{}, how, said)
	}
}

// noBest says that there is none, of what the levels climb.
func (p *page) noBest(r *report.Report) string {
	if len(r.Levels) > 0 && r.Levels[0].Load.Concurrency == nil {
		return p.Say("show.no_best_rate")
	}
	return p.Say("show.no_best")
}

// bestIs names the best level.
func (p *page) bestIs(r *report.Report) string {
	for i := range r.Levels {
		l := &r.Levels[i]
		switch {
		case l.Level != *r.Verdict.BestLevel:
		case l.Load.Concurrency == nil:
			return p.Say("show.best_rate", step(l))
		case l.Load.Turns != nil:
			return p.Say("show.best_users", step(l))
		}
	}
	if c := r.Verdict.BestConcurrency; c != nil {
		return p.Say("show.best", *c)
	}
	return p.noBest(r)
}

// bestOf says of which target, where there are several.
func (p *page) bestOf(v report.Verdict, sets []set) string {
	for _, s := range sets {
		for _, l := range s.levels {
			if v.BestLevel != nil && l.Level == *v.BestLevel && s.name != "" {
				return " (" + s.name + ")"
			}
		}
	}
	return ""
}

func (p *page) findings(r *report.Report, sets []set) {
	rows := p.conclusions(r, sets)
	if len(rows) == 0 {
		return
	}
	p.heading(p.Say("show.findings"))
	for _, f := range rows {
		if f.label != "" {
			f.text = p.Say("show.colon", f.label, f.text)
		}
		p.para(2, span{faint, "- "}, f.style, f.text)
	}
}

// conclusions are the findings of the run and of its levels.
func (p *page) conclusions(r *report.Report, sets []set) []fact {
	var rows []fact
	for _, f := range r.Findings {
		rows = append(rows, fact{text: oneLine(f.Text)})
	}
	for _, s := range sets {
		for _, l := range s.levels {
			for _, f := range l.Findings {
				rows = append(rows, fact{label: p.fullName(s, l), text: oneLine(f.Text)})
			}
		}
	}
	for _, w := range r.Warnings {
		rows = append(rows, fact{style: yellow, text: p.warning(w)})
	}
	return rows
}

func (p *page) warning(w report.Warning) string {
	said := oneLine(w.Text)
	switch {
	case w.Unit == report.Requests:
		return p.Say("show.met_requests", said, count(w.Count))
	case w.Unit == report.Rounds:
		return p.Say("show.met_rounds", said, count(w.Count))
	case w.Unit == report.Times && w.Count > 1:
		return p.Say("show.met_times", said, count(w.Count))
	}
	return said
}

// answers shows what the model said, so that figures of nonsense are seen.
func (p *page) answers(sets []set) {
	var names, answers []string
	for _, s := range sets {
		for _, l := range s.levels {
			if a := oneLine(l.SampleAnswer); a != "" {
				names, answers = append(names, p.fullName(s, l)), append(answers, a)
			}
		}
	}
	if len(answers) == 0 {
		return
	}
	p.heading(p.Say("show.answers"))
	width := min(widest(names), p.prose()/3)
	for i, a := range answers {
		p.short(2, span{faint, pad(ansi.Truncate(clean(names[i]), width, "…"), width) + "  "}, plain, a, 2)
	}
}

// console is what a person can lay beside the provider's own count.
func (p *page) console(r *report.Report) {
	p.heading(p.Say("show.console"))
	p.facts(2, p.consoleFacts(r.Console))
}

func (p *page) consoleFacts(c report.Console) []fact {
	failed := plain
	if c.Failed > 0 {
		failed = red
	}
	facts := []fact{
		{p.Say("show.requests"), plain, p.Say("show.requests_of", count(c.Requests), count(c.WarmUp), count(c.Preflight))},
		{p.Say("show.failed"), failed, count(c.Failed)},
		{p.Say("show.input_tokens"), plain, knownCount(c.InputTokens)},
		{p.Say("show.output_tokens"), plain, knownCount(c.OutputTokens)},
	}
	if c.WithoutCount > 0 {
		facts = append(facts, fact{p.Say("show.uncounted"), yellow, p.Say("show.without_count", count(c.WithoutCount))})
	}
	models := make([]string, len(c.Models))
	for i, m := range c.Models {
		models[i] = oneLine(m)
	}
	facts = append(facts, fact{p.Say("show.models"), plain, strings.Join(models, ", ")})
	if c.From != nil && c.To != nil {
		// Up to the end of the last second, so that its requests are inside.
		end := c.To.Add(time.Second - 1).Truncate(time.Second)
		facts = append(facts, fact{p.Say("show.from_to"), plain, p.stretch(*c.From, end)})
	}
	return facts
}
