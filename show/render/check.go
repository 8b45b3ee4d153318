package render

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tidemark/job/check"
)

const (
	answerLines = 12 // of an answer that are shown
	modelsShown = 12 // of a list of models
)

// Check writes what a check found, step by step: what was looked at and how
// long it took, the answer, then what stands in the way and the cure.
func Check(w io.Writer, r check.Result, o Options) error {
	p := newPage(o)
	p.steps(r.Steps)
	p.answer(r.Answer)
	p.learned(r.Learned)
	p.blank()
	if r.Fault == nil {
		p.para(0, span{green, "✓ "}, bold, p.Say("show.check_well"))
		return p.to(w)
	}
	p.para(0, span{red, "✗ "}, bold, oneLine(r.Fault.What.In(p.Lang)))
	if hint := r.Fault.Hint.In(p.Lang); hint != "" {
		p.para(2, span{green, "→ "}, plain, oneLine(hint))
	}
	return p.to(w)
}

func (p *page) steps(all []check.Step) {
	var names, times []string
	for _, s := range all {
		names = append(names, p.stepName(s.ID))
		if s.Took > 0 {
			times = append(times, took(s.Took))
		} else {
			times = append(times, "")
		}
	}
	name, clock := widest(names), widest(times)
	for i, s := range all {
		mark, st := statusMark(s.Status)
		lead := mark + " " + pad(names[i], name) + "  " + strings.Repeat(" ", clock-ansi.StringWidth(times[i])) + times[i]
		detail := oneLine(s.Detail.In(p.Lang))
		if detail == "" {
			p.line(0, span{st, lead})
			continue
		}
		p.para(0, span{st, lead + "  "}, plain, detail)
	}
}

func statusMark(s check.Status) (string, style) {
	switch s {
	case check.OK:
		return "✓", green
	case check.Warning:
		return "!", yellow
	case check.Failed:
		return "✗", red
	}
	return "·", faint
}

// stepNames are the words for a step's id.
var stepNames = map[string]string{
	"resolve": "show.step_resolve", "connect": "show.step_connect", "tls": "show.step_tls", "rtt": "show.step_rtt",
	"key": "show.step_key", "model": "show.step_model", "stream": "show.step_stream", "usage": "show.step_usage",
	"terminal": "show.step_terminal", "frames": "show.step_frames", "reuse": "show.step_reuse",
}

// stepName says a step's id in words; one not known here is shown as it is.
func (p *page) stepName(id string) string {
	if name, ok := stepNames[id]; ok {
		return p.Say(name)
	}
	return oneLine(id)
}

func (p *page) answer(s string) {
	if strings.TrimSpace(s) == "" {
		return
	}
	p.heading(p.Say("show.answer"))
	lines := cleanLines(s)
	for i, l := range lines {
		if i == answerLines {
			p.line(2, span{faint, "…"})
			return
		}
		p.short(2, span{}, plain, l, answerLines)
	}
}

// learned is the one request in figures; what is not known is left out.
func (p *page) learned(l check.Learned) {
	var parts []string
	add := func(name string, d time.Duration) {
		if d > 0 {
			parts = append(parts, name+" "+took(d))
		}
	}
	add("TTFT", l.TTFT)
	add("TPOT", l.TPOT)
	add("E2E", l.E2E)
	if l.Usage {
		parts = append(parts, p.Say("show.tokens_of", count(l.InputTokens), count(l.OutputTokens)))
	}
	if len(parts) == 0 {
		return
	}
	p.blank()
	p.para(2, span{}, faint, strings.Join(parts, " · "))
}
