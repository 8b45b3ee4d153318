package render

import (
	"io"
	"strings"

	"tidemark/job/selftest"
)

// SelftestStep says in a line how a step of a self-test went.
func SelftestStep(w io.Writer, s selftest.Step, o Options) {
	p := newPage(o)
	word, st := p.selftestMark(s)
	if len(s.Failed) > 0 {
		word += " " + strings.Join(s.Failed, " ")
	}
	p.line(0, span{bold, p.selftestName(s)}, span{plain, "  "}, span{st, word})
	_ = p.to(w)
}

func (p *page) selftestName(s selftest.Step) string {
	if s.Streams > 0 {
		return p.Say("show.self_streams", count(s.Streams))
	}
	return p.Say("show.rate_n", num(s.RatePerS)+"/s")
}

// selftestMark is how a step ended, in a word.
func (p *page) selftestMark(s selftest.Step) (string, style) {
	switch {
	case s.Fine:
		return p.Say("show.self_fine"), green
	case s.Wrong:
		return p.Say("show.self_wrong"), red
	case s.Lack != nil:
		return p.Say("show.self_lack", s.Lack.What), yellow
	case s.Valid != nil && !*s.Valid:
		return p.Say("show.mark_invalid"), yellow
	case s.Uncertain:
		return p.Say("show.self_uncertain"), yellow
	case s.OK < s.Requests:
		return p.Say("show.self_lost", count(s.Requests-s.OK)), yellow
	}
	return p.Say("show.self_undecided"), yellow
}

// Selftest shows what a machine can measure: each step beside the endpoint's
// own truth, and a verdict.
func Selftest(w io.Writer, r *selftest.Result, o Options) error {
	p := newPage(o)
	p.line(0, span{bold, p.Say("show.self_title")})
	p.facts(2, []fact{{p.Say("show.run"), plain, "tidemark " + oneLine(r.Tidemark) + " · " +
		p.Say("show.machine", oneLine(r.Machine.OS), oneLine(r.Machine.Arch), r.Machine.CPUs)}})
	var streams, rates []selftest.Step
	for _, s := range r.Steps {
		if s.Streams > 0 {
			streams = append(streams, s)
		} else {
			rates = append(rates, s)
		}
	}
	p.selftestTable(streams, []string{p.Say("show.self_col_streams"), p.Say("show.self_col_frames"), "TTFT", "TTFT p99", "ITL p99", p.Say("show.self_col_cpu_frame"), p.Say("show.self_col_memory"), ""},
		func(s selftest.Step) []string {
			return []string{count(s.Streams), rateOf(s, s.FramesPerS), beside(s, selftest.TTFTMean), beside(s, selftest.TTFTP99), beside(s, selftest.ITLP99),
				known(s.CPUFrameUs), kilobytes(s.StreamBytes)}
		})
	p.selftestTable(rates, []string{p.Say("show.self_col_rate"), p.Say("show.self_col_requests"), "TTFT", "TTFT p99", p.Say("show.self_col_late"), p.Say("show.self_col_cpu_request"), ""},
		func(s selftest.Step) []string {
			return []string{num(s.RatePerS), rateOf(s, s.RequestsPerS), beside(s, selftest.TTFTMean), beside(s, selftest.TTFTP99), known(s.LateMs), known(s.CPURequestUs)}
		})
	p.blank()
	p.para(2, span{}, faint, p.Say("show.self_legend"))
	p.selftestChart(streams)
	p.selftestVerdict(r)
	return p.to(w)
}

func (p *page) selftestTable(steps []selftest.Step, head []string, row func(selftest.Step) []string) {
	if len(steps) == 0 {
		return
	}
	p.blank()
	rows := [][]span{{}}
	for _, name := range head {
		rows[0] = append(rows[0], span{bold, name})
	}
	for _, s := range steps {
		var cells []span
		for _, c := range row(s) {
			cells = append(cells, span{plain, c})
		}
		word, st := p.selftestMark(s)
		rows = append(rows, append(cells, span{st, word}))
	}
	p.grid(2, 0, rows)
}

// selftestChart draws how far the mean TTFT was off, a bar a step.
func (p *page) selftestChart(steps []selftest.Step) {
	c := chart{title: p.Say("show.self_chart"), unit: "ms"}
	for _, s := range steps {
		for _, f := range s.Figures {
			if f.Name == selftest.TTFTMean {
				off := max(f.Error(), -f.Error())
				c.add(count(s.Streams), &off)
			}
		}
	}
	if len(c.names) < 2 {
		return
	}
	p.blank()
	for _, row := range c.rows(p.prose() / 2) {
		p.line(2, row...)
	}
}

func (p *page) selftestVerdict(r *selftest.Result) {
	p.blank()
	switch {
	case r.Wrong:
		p.para(0, span{}, red, p.Say("show.self_is_wrong"))
	case !r.Fine():
		p.para(0, span{}, yellow, p.Say("show.self_nothing"))
	}
	if r.Streams > 0 {
		p.para(0, span{}, bold, p.Say("show.self_up_to_streams", count(r.Streams), num(r.FramesPerS)))
	}
	if r.RatePerS > 0 {
		p.para(0, span{}, bold, p.Say("show.self_up_to_rate", num(r.RatePerS)))
	}
}

// rateOf is a rate of a step that was carried out.
func rateOf(s selftest.Step, perS float64) string {
	if s.Lack != nil {
		return absent
	}
	return num(perS)
}

// beside is a figure as it was measured and as it was, in milliseconds.
func beside(s selftest.Step, name selftest.Name) string {
	for _, f := range s.Figures {
		if f.Name == name {
			return num(f.Client) + "/" + num(f.Truth)
		}
	}
	return absent
}

func kilobytes(n *int64) string {
	if n == nil {
		return absent
	}
	return num(float64(*n) / 1024)
}
