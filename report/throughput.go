package report

import (
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
)

// flow is what one round carried through its window.
type flow struct {
	edges    *roundEdges
	ok       int     // of the whole round
	requests float64 // shares of ok requests
	out, in  sum
}

func (f *flow) add(a *record.Attempt) {
	switch a.Outcome.Side() {
	case outcome.Success:
		share := inFlight(a).Share(f.edges.window)
		f.ok++
		f.requests += share
		f.in.share(a.Tokens.Input, share)
		f.out.share(a.Tokens.Output, shareOfFrames(a, f.edges.window))
	case outcome.Cut:
		f.out.share(a.Tokens.Output, shareOfFrames(a, f.edges.window))
	}
}

// shareOfFrames is the share of an attempt's output frames that arrived inside
// the window. An answer without frames is in it if its end is.
func shareOfFrames(a *record.Attempt, w stat.Span) float64 {
	if a.NotStreamed || a.FirstOut == 0 {
		if w.Has(int64(a.End)) {
			return 1
		}
		return 0
	}
	if w.Has(int64(a.FirstOut)) && a.LastOut >= a.FirstOut && w.Has(int64(a.LastOut)) {
		return 1 // the common case, without unpacking
	}
	frames, inside := 0, 0
	at := int64(a.FirstOut)
	count := func() {
		frames++
		if w.Has(at) {
			inside++
		}
	}
	count()
	for gap := range a.Gaps.All() {
		at += gap
		count()
	}
	return float64(inside) / float64(frames)
}

// throughput is the medians over rounds.
func throughput(rounds []*flow) Throughput {
	var requests, overall []float64
	for _, f := range rounds {
		if s := seconds(f.edges.window); s > 0 {
			requests = append(requests, f.requests/s)
		}
		if s := seconds(f.edges.all); s > 0 {
			overall = append(overall, float64(f.ok)/s)
		}
	}
	return Throughput{
		RequestsPerS: stat.Median(requests), RequestsPerSOverall: stat.Median(overall),
		OutputTokensPerS: tokenRate(rounds, func(f *flow) sum { return f.out }),
		InputTokensPerS:  tokenRate(rounds, func(f *flow) sum { return f.in }),
	}
}

// tokenRate is the median over rounds of one sum of tokens. A round whose
// answers came without counts is left out; one that had no answer at all
// carried nothing, and that counts as soon as another round has counts.
func tokenRate(rounds []*flow, of func(*flow) sum) *float64 {
	if !slices.ContainsFunc(rounds, func(f *flow) bool { return of(f).known() }) {
		return nil
	}
	var rates []float64
	for _, f := range rounds {
		if s := seconds(f.edges.window); s > 0 && (of(f).known() || f.ok == 0) {
			rates = append(rates, of(f).n/s)
		}
	}
	return stat.Median(rates)
}

func seconds(s stat.Span) float64 { return float64(s.Len()) / 1e9 }

// offers is what else the level asked for: of an open loop, of sessions, of a
// mix.
func (l *levelEdges) offers(out *Load) {
	asked := l.load
	out.Schedule, out.Mix = asked.Schedule, asked.Mix
	if asked.RatePerS > 0 {
		out.RatePerS = &asked.RatePerS
	}
	if asked.MaxInFlight > 0 {
		out.MaxInFlight = &asked.MaxInFlight
	}
	if asked.Turns > 0 {
		out.Turns, out.ThinkS = &asked.Turns, &asked.ThinkS
	}
	if asked.CancelPercent > 0 {
		out.CancelPercent = &asked.CancelPercent
	}
	if due, unsent, ok := l.dues(); ok {
		out.Due, out.Unsent = &due, &unsent
	}
}

// heldBack is how many requests the cap kept back to the end.
func (l *levelEdges) heldBack() (n int) {
	for _, r := range l.counted() {
		n += r.held
	}
	return n
}

// dues is how many requests of an open loop were due, and were never sent, in
// the rounds whose end is in the records; ok is false where none is.
func (l *levelEdges) dues() (due, unsent int, ok bool) {
	for _, r := range l.counted() {
		if l.open() && r.ended != 0 {
			due, unsent, ok = due+r.due, unsent+r.unsent, true
		}
	}
	return due, unsent, ok
}

// load is what the level asked for and what it got.
func load(l *levelEdges) Load {
	rounds := l.counted()
	out := Load{Kind: l.load.Kind, Rounds: len(rounds)}
	if n := l.load.Concurrency; n > 0 {
		out.Concurrency = &n
	}
	if n := l.load.Requests; n > 0 {
		out.Requests = &n
	}
	l.offers(&out)
	var windows, means []float64
	most, whole := 0, 0.0
	for _, r := range rounds {
		whole += seconds(r.all)
		if r.window.Len() == 0 {
			continue
		}
		if out.Window == nil {
			out.Window = &Window{
				FullS:    float64(r.window.From-r.all.From) / 1e9,
				EmptiedS: float64(r.window.To-r.all.From) / 1e9,
			}
		}
		mean, m := stat.Held(r.inFlight, r.window)
		windows, means, most = append(windows, seconds(r.window)), append(means, mean), max(most, m)
	}
	if mean := stat.Median(means); mean != nil {
		out.Achieved = &MeanMax{Mean: *mean, Max: most}
		out.WindowS = stat.Median(windows)
		out.DurationS = &whole
	}
	return out
}
