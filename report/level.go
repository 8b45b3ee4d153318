package report

import (
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
	"tidemark/text"
)

// levelTally counts one level.
type levelTally struct {
	edges    *levelEdges
	rounds   map[*roundEdges]*flow
	measured endings
	warmUp   endings
	figures  latencies
	frames   frameTally
	tokens   tokenTally
	groups   groups
	timeline *timeline // nil: a closed loop
	schedule scheduleTally
	asked    askedTally
	machine  machineTally
	connect  []float64 // ms, of every connection that the level's attempts opened
	opened   int
	answer   string
	warnings warnings
}

func newLevelTally(e *levelEdges, plan planned) *levelTally {
	l := &levelTally{
		edges: e, rounds: map[*roundEdges]*flow{}, groups: newGroups(e), timeline: newTimeline(e),
		figures: latencies{open: e.open()}, asked: askedTally{fixed: plan.output()},
	}
	for _, r := range e.rounds {
		l.rounds[r] = &flow{edges: r}
	}
	return l
}

func (l *levelTally) add(a *record.Attempt) {
	l.connection(a)
	switch a.Phase {
	case record.WarmUp:
		l.warmUp.add(a)
	case record.Measured:
		l.measured.add(a)
		l.warnings.attempt(a)
		l.groups.add(a)
		l.timeline.add(a)
		if r := l.edges.rounds[a.Round]; r != nil {
			l.count(a, l.rounds[r])
		}
	}
}

func (l *levelTally) count(a *record.Attempt, f *flow) {
	f.add(a)
	if !f.edges.leftOut {
		l.schedule.add(a)
	}
	if a.Outcome.Side() != outcome.Success {
		return
	}
	l.tokens.add(a)
	l.asked.add(a)
	if l.answer == "" {
		l.answer = shorten(a.Answer)
	}
	if !f.edges.leftOut && f.edges.window.Has(int64(l.edges.start(a))) {
		l.figures.add(a)
		l.frames.add(a)
		l.groups.measure(a)
	}
}

// start is the moment by which an attempt is inside the window or not.
func (l *levelEdges) start(a *record.Attempt) record.Offset {
	if l.open() {
		return a.Due
	}
	return a.Dispatched
}

// connection counts the connection that an attempt opened, whichever its
// phase and however it ended: a warm-up request often tells of the connection
// that the measured ones use.
func (l *levelTally) connection(a *record.Attempt) {
	if a.OpenedInLevel {
		l.opened++
	}
	put(&l.connect, a.Dial, connected(a))
}

// connected is when the connection that an attempt opened could carry it.
func connected(a *record.Attempt) record.Offset {
	if a.TLS != 0 {
		return a.TLS
	}
	return a.Connected
}

func (l *levelTally) level(lang text.Lang, where place) Level {
	out := Level{
		Level: l.edges.number, Target: l.edges.target, Workload: l.edges.workload,
		Short: l.edges.short.reason != "", ShortReason: l.edges.short.reason, ShortWhy: l.edges.short.why.In(lang),
		Ended:        l.edges.why,
		Load:         load(l.edges),
		Latency:      l.figures.latency(),
		Groups:       l.groups.list(lang),
		Timeline:     l.timeline.timeline(),
		Clock:        l.machine.clock(),
		Throughput:   throughput(l.flows()),
		Speed:        l.figures.speed(),
		Reliability:  l.measured.reliability(lang),
		Tokens:       l.tokens.tokens(),
		WarmUp:       WarmUp{Sent: l.warmUp.sent, OK: l.warmUp.ok, Outcomes: l.warmUp.outcomes(lang)},
		SampleAnswer: l.answer,
		Findings:     []Finding{},
	}
	out.Frames = l.frames.frames(out.Latency)
	out.Load.Opened = l.opened
	if l.edges.open() {
		held := l.schedule.held + l.edges.heldBack()
		out.Load.Held = &held
	}
	out.Latency.Connect = millis(stat.Summarize(l.connect))
	l.warnings.atLeast(usageMissing, l.tokens.without)
	l.warnings.atLeast(roundsLeftOut, len(l.edges.rounds)-len(l.edges.counted()))
	out.Warnings = append(l.warnings.list(lang), l.machine.warnings(lang)...)
	out.Validity = judge(&evidence{Level: &out, tally: l, place: where}, lang)
	return out
}

// flows is what the rounds that count carried.
func (l *levelTally) flows() []*flow {
	var flows []*flow
	for _, r := range l.edges.counted() {
		flows = append(flows, l.rounds[r])
	}
	return flows
}

// sampleLength bounds the answer that a report shows, in characters.
const sampleLength = 1000

func shorten(s string) string {
	runes := 0
	for i := range s {
		if runes == sampleLength {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}
