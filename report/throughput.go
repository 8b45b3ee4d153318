package report

import (
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
)

// flow is what one round carried through its window.
type flow struct {
	edges    *roundEdges
	ok       int     // of the whole round
	requests float64 // shares of ok requests
	out, in  tokens
}

// tokens is a sum over counts that are known. Where none was, there is no sum.
type tokens struct {
	n     float64
	known bool
}

func (t *tokens) add(c record.Count, share float64) {
	if c.Known() {
		t.n += float64(c.N) * share
		t.known = true
	}
}

func (f *flow) add(a *record.Attempt) {
	switch a.Outcome.Side() {
	case outcome.Success:
		share := inFlight(a).Share(f.edges.window)
		f.ok++
		f.requests += share
		f.in.add(a.Tokens.Input, share)
		f.out.add(a.Tokens.Output, shareOfFrames(a, f.edges.window))
	case outcome.Cut:
		f.out.add(a.Tokens.Output, shareOfFrames(a, f.edges.window))
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
	var requests, overall, out, in []float64
	for _, f := range rounds {
		if s := seconds(f.edges.window); s > 0 {
			requests = append(requests, f.requests/s)
			if f.out.known {
				out = append(out, f.out.n/s)
			}
			if f.in.known {
				in = append(in, f.in.n/s)
			}
		}
		if s := seconds(f.edges.all); s > 0 {
			overall = append(overall, float64(f.ok)/s)
		}
	}
	return Throughput{
		RequestsPerS: stat.Median(requests), RequestsPerSOverall: stat.Median(overall),
		OutputTokensPerS: stat.Median(out), InputTokensPerS: stat.Median(in),
	}
}

func seconds(s stat.Span) float64 { return float64(s.Len()) / 1e9 }

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
