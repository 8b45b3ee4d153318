package report

import (
	"tidemark/record"
	"tidemark/record/outcome"
)

// mostParts bounds how many parts a schedule is shown in.
const mostParts = 60

// timeline counts the first round of an open loop in equal parts of its
// schedule. What lies behind the schedule's end is in no part.
type timeline struct {
	from, step record.Offset
	Timeline
	asks bool // a trace says how long prompts and answers are
}

// newTimeline is nil where there is no schedule, or the first round did not
// begin.
func newTimeline(l *levelEdges) *timeline {
	first := l.rounds[1]
	if !l.open() || l.load.Schedule == nil || first == nil || first.started == 0 {
		return nil
	}
	parts := min(max(l.load.Schedule.Requests, 1), mostParts)
	step := l.load.Schedule.LengthS / float64(parts)
	if step <= 0 {
		return nil
	}
	return &timeline{from: first.started, step: record.Offset(step * 1e9), Timeline: Timeline{
		StepS: step, Due: make([]int, parts), Sent: make([]int, parts), OK: make([]int, parts),
		InputAsked: make([]int64, parts), Input: make([]int64, parts),
		OutputAsked: make([]int64, parts), Output: make([]int64, parts),
	}}
}

func (t *timeline) add(a *record.Attempt) {
	if t == nil || a.Round != 1 {
		return
	}
	if i, ok := t.part(a.Due); ok {
		t.Due[i]++
		t.asks = t.asks || a.InputAsked > 0 || a.OutputAsked > 0
		t.InputAsked[i] += int64(a.InputAsked)
		t.OutputAsked[i] += int64(a.OutputAsked)
		t.Input[i] += a.Tokens.Input.N
		t.Output[i] += a.Tokens.Output.N
	}
	if i, ok := t.part(a.Sent); ok {
		t.Sent[i]++
	}
	if i, ok := t.part(a.End); ok && a.Outcome.Side() == outcome.Success {
		t.OK[i]++
	}
}

// part is where a moment lies; the schedule's end belongs to the last.
func (t *timeline) part(at record.Offset) (int, bool) {
	if at == 0 || at < t.from {
		return 0, false
	}
	i := int((at - t.from) / max(t.step, 1))
	if i == len(t.Due) && at-t.from <= record.Offset(t.StepS*float64(len(t.Due))*1e9) {
		i--
	}
	return i, i < len(t.Due)
}

func (t *timeline) timeline() *Timeline {
	if t == nil {
		return nil
	}
	out := t.Timeline
	if !t.asks {
		out.InputAsked, out.Input, out.OutputAsked, out.Output = nil, nil, nil, nil
	}
	return &out
}
