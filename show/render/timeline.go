package render

import (
	"slices"

	"tidemark/report"
)

// series is a figure over the parts of a schedule.
type series struct {
	name   string
	values []float64
}

// timeline draws what was due, sent and answered over the schedule; and of a
// trace the tokens that it asks for, and those that came.
func (p *page) timeline(t *report.Timeline) {
	if t == nil || len(t.Due) < 2 {
		return
	}
	input, output := p.Say("show.line_input"), p.Say("show.line_output")
	blocks := [][]series{
		{{p.Say("show.line_due"), floats(t.Due)}, {p.Say("show.line_sent"), floats(t.Sent)}, {p.Say("show.line_ok"), floats(t.OK)}},
		{{p.Say("show.line_asked", input), floats(t.InputAsked)}, {input, floats(t.Input)}},
		{{p.Say("show.line_asked", output), floats(t.OutputAsked)}, {output, floats(t.Output)}},
	}
	blocks = slices.DeleteFunc(blocks, func(b []series) bool { return len(b[0].values) == 0 })
	var names []string
	for _, b := range blocks {
		for _, s := range b {
			names = append(names, s.name)
		}
	}
	p.blank()
	p.line(2, span{faint, p.Say("show.timeline", secs(t.StepS))})
	for _, b := range blocks {
		p.series(b, widest(names))
	}
}

// series draws figures below each other, on one scale, behind names of so many
// cells.
func (p *page) series(all []series, name int) {
	width, top := p.prose()-4-name, 0.0
	for _, s := range all {
		top = max(top, highest(s.values, width))
	}
	for _, s := range all {
		p.line(2, span{faint, pad(s.name, name) + "  "}, span{plain, sparkline(s.values, width, top)})
	}
}

func floats[T int | int64](values []T) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = float64(v)
	}
	return all
}
