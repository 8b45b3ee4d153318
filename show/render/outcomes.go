package render

import (
	"fmt"
	"strings"

	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/text"
)

// ending is one kind of failure and where it was met: the same words of a
// provider are said once, however many levels met them.
type ending struct {
	report.Outcome
	where []string // "concurrency 8: 2"
}

// endings lists the failures of every phase, in the order they are first met.
func (p *page) endings(r *report.Report, sets []set) []*ending {
	type key struct {
		class         outcome.Class
		status        int
		code, message string
	}
	at := map[key]*ending{}
	var all []*ending
	add := func(where string, outcomes []report.Outcome) {
		for _, o := range outcomes {
			k := key{o.Outcome, 0, o.Code, o.Message}
			if o.HTTPStatus != nil {
				k.status = *o.HTTPStatus
			}
			e := at[k]
			if e == nil {
				e = &ending{Outcome: o}
				at[k] = e
				all = append(all, e)
			}
			if e.Hint == "" {
				e.Hint = o.Hint
			}
			if o.RetryAfter != nil && (e.RetryAfter == nil || *o.RetryAfter > *e.RetryAfter) {
				e.RetryAfter = o.RetryAfter
			}
			e.where = append(e.where, p.Say("show.colon", where, count(o.Count)))
		}
	}
	add(p.Say("show.preflight"), r.Preflight)
	for _, s := range sets {
		for _, l := range s.levels {
			add(p.fullName(s, l), l.Reliability.Outcomes)
			add(p.Say("show.warmup_at", p.fullName(s, l)), l.WarmUp.Outcomes)
		}
	}
	return all
}

// kind is an ending's class, status and code; a code that only repeats the
// status is left out.
func (e *ending) kind() []string {
	parts := []string{oneLine(string(e.Outcome.Outcome))}
	if e.HTTPStatus != nil {
		parts = append(parts, fmt.Sprintf("HTTP %d", *e.HTTPStatus))
	}
	if e.Code != "" && (e.HTTPStatus == nil || e.Code != fmt.Sprint(*e.HTTPStatus)) {
		parts = append(parts, oneLine(e.Code))
	}
	return parts
}

// named is the class in words.
func (e *ending) named(lang text.Lang) string {
	return oneLine(e.Outcome.Outcome.Name().In(lang))
}

// outcomes shows what went wrong, in the provider's words, with a cure each.
func (p *page) outcomes(r *report.Report, sets []set) {
	all := p.endings(r, sets)
	if len(all) == 0 {
		return
	}
	p.heading(p.Say("show.outcomes"))
	for _, e := range all {
		p.para(2, span{}, red, e.named(p.Lang))
		p.para(4, span{}, plain, strings.Join(e.where, " · "))
		p.para(4, span{}, faint, strings.Join(e.kind(), " · "))
		if m := oneLine(e.Message); m != "" {
			p.para(4, span{}, plain, p.Say("show.quote", m))
		}
		if e.RetryAfter != nil {
			p.para(4, span{}, plain, p.Say("show.retry_after", secs(*e.RetryAfter)))
		}
		if e.Hint != "" {
			p.para(4, span{green, "→ "}, plain, oneLine(e.Hint))
		}
	}
}
