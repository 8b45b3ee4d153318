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
	connect  []float64 // ms, of every connection that the level's attempts opened
	opened   int
	answer   string
	warnings warnings
}

func newLevelTally(e *levelEdges) *levelTally {
	l := &levelTally{edges: e, rounds: map[*roundEdges]*flow{}}
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
		if r := l.edges.rounds[a.Round]; r != nil {
			l.count(a, l.rounds[r])
		}
	}
}

func (l *levelTally) count(a *record.Attempt, f *flow) {
	f.add(a)
	if a.Outcome.Side() != outcome.Success {
		return
	}
	l.tokens.add(a)
	if l.answer == "" {
		l.answer = shorten(a.Answer)
	}
	if !f.edges.leftOut && f.edges.window.Has(int64(a.Dispatched)) {
		l.figures.add(a)
		l.frames.add(a)
	}
}

// connection counts the connection that an attempt opened, whichever its
// phase and however it ended: a warm-up request often tells of the connection
// that the measured ones use.
func (l *levelTally) connection(a *record.Attempt) {
	if a.OpenedInLevel {
		l.opened++
	}
	ready := a.Connected
	if a.TLS != 0 {
		ready = a.TLS
	}
	put(&l.connect, a.Dial, ready)
}

func (l *levelTally) level(lang text.Lang) Level {
	out := Level{
		Level: l.edges.number, Target: l.edges.target, Workload: l.edges.workload,
		Short: l.edges.short.reason != "", ShortReason: l.edges.short.reason, ShortWhy: l.edges.short.why.In(lang),
		Ended:        l.edges.why,
		Load:         load(l.edges),
		Frames:       l.frames.frames(),
		Latency:      l.figures.latency(),
		Throughput:   throughput(l.flows()),
		Speed:        l.figures.speed(),
		Reliability:  l.measured.reliability(lang),
		Tokens:       l.tokens.tokens(),
		WarmUp:       WarmUp{Sent: l.warmUp.sent, OK: l.warmUp.ok, Outcomes: l.warmUp.outcomes(lang)},
		Validity:     Validity{Checks: []Check{}},
		SampleAnswer: l.answer,
		Findings:     []Finding{},
	}
	out.Load.Opened = l.opened
	out.Latency.Connect = millis(stat.Summarize(l.connect))
	l.warnings.atLeast(usageMissing, l.tokens.without)
	l.warnings.atLeast(roundsLeftOut, len(l.edges.rounds)-len(l.edges.counted()))
	out.Warnings = l.warnings.list(lang)
	if w, ok := l.frames.uncertain(&out, lang); ok {
		out.Warnings = append(out.Warnings, w)
	}
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
