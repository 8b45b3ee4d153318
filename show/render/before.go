package render

import (
	"io"
	"strings"
	"time"

	"tidemark/job/check"
	"tidemark/record"
	"tidemark/run"
)

// Target says where requests will go, before the first is sent. key says
// where the key comes from.
func Target(w io.Writer, url, key string, o Options) {
	p := newPage(o)
	p.before("show.before_target", p.Say("show.before_where", url, key))
	_ = p.to(w) // a line on the way: who doesn't read it loses nothing
}

// Preflight says what the one small request met.
func Preflight(w io.Writer, l check.Learned, o Options) {
	p := newPage(o)
	said := p.Say("show.before_whole", oneLine(l.Model), took(l.E2E))
	if l.Streamed {
		said = p.Say("show.before_streamed", oneLine(l.Model), took(l.TTFT), took(l.E2E))
	}
	p.before("show.before_preflight", said)
	_ = p.to(w)
}

// Estimate says what is about to be sent.
func Estimate(w io.Writer, levels []run.Level, e record.Estimate, o Options) {
	p := newPage(o)
	parts := []string{p.Say("show.before_levels", count(len(levels))), p.Say("show.before_requests", count(e.Requests))}
	if e.InputTokens > 0 {
		parts = append(parts, p.Say("show.before_input", count(e.InputTokens)))
	}
	if e.OutputTokens > 0 {
		parts = append(parts, p.Say("show.before_output", count(e.OutputTokens)))
	}
	if e.DurationS > 0 {
		parts = append(parts, p.Say("show.before_least_time", clock(time.Duration(e.DurationS*float64(time.Second)))))
	}
	p.before("show.before_send", strings.Join(parts, " · "))
	_ = p.to(w)
}

// before writes a fact below the others that are told before a load.
func (p *page) before(label, said string) {
	width := widest([]string{p.Say("show.before_target"), p.Say("show.before_preflight"), p.Say("show.before_send")})
	p.para(0, span{faint, pad(p.Say(label), width) + "  "}, plain, oneLine(said))
}
