package report

import (
	"slices"

	"tidemark/record"
	"tidemark/stat"
)

// frameTally counts the frames of ok requests that started inside the window.
type frameTally struct {
	output, uncertainFrames int64
	streamed, firsts        int64 // requests with a first output; of these, with an uncertain one
	counted, countedTokens  int64 // frames and tokens of requests whose tokens in the stream are known
	stamps                  string
	bounds                  stat.Hist // how uncertain each uncertain frame is
	firstBounds             []int64   // and each uncertain first output, in nanoseconds
	bound, firstBound       float64   // their sums
	waited                  stat.Hist // how late each read was that brought several frames of a request with uncertain ones
}

func (t *frameTally) add(a *record.Attempt) {
	if a.NotStreamed {
		return
	}
	t.output += int64(a.Frames.Output)
	t.uncertainFrames += int64(a.Frames.Uncertain)
	if a.FirstOut != 0 {
		t.streamed++
	}
	if n := visible(a); n > 0 && a.Frames.Output > 0 {
		t.counted += int64(a.Frames.Output)
		t.countedTokens += n
	}
	switch {
	case t.stamps == "":
		t.stamps = a.Stamps
	case a.Stamps != "" && a.Stamps != t.stamps:
		t.stamps = "mixed"
	}
	if a.FirstUncertain > 0 {
		t.firsts++
		t.firstBounds = append(t.firstBounds, a.FirstUncertain)
		t.firstBound += float64(a.FirstUncertain)
	}
	for ns := range a.UncertainBy.All() {
		t.bounds.Record(ns)
		t.bound += float64(ns)
	}
	t.wait(a)
}

// wait notes how late the reads were that may have brought uncertain frames:
// those of several frames, which bear one stamp and so have no gap between
// them.
func (t *frameTally) wait(a *record.Attempt) {
	if a.Frames.Uncertain == 0 {
		return
	}
	lags := slices.Collect(a.Lags.All())
	frame, several := 0, false
	for gap := range a.Gaps.All() {
		if frame++; frame >= len(lags) {
			return // not all frames have the kernel's stamp
		}
		if gap == 0 && !several {
			t.waited.Record(lags[frame])
		}
		several = gap == 0
	}
}

// frames needs the figures that the frames went into.
func (t *frameTally) frames(l Latency) Frames {
	f := Frames{Output: t.output, Uncertain: t.uncertainFrames, FirstUncertain: t.firsts, Stamps: t.stamps}
	if t.counted > 0 {
		per := float64(t.countedTokens) / float64(t.counted)
		f.TokensPerFrame = &per
	}
	if s := t.bounds.Summary(); s != nil {
		f.UncertainBy = &s.P50
	}
	if s := t.waited.Summary(); s != nil {
		f.UncertainLag = &s.P90
	}
	f.TTFTWithin, f.ITLWithin = spread(t.firstBound, l.TTFT), spread(t.bound, l.ITL)
	return f
}

// spread is how far bounds, in nanoseconds, may move the mean of a sample, in
// milliseconds; nil: there is no mean.
func spread(bounds float64, over *stat.Summary) *float64 {
	if over == nil {
		return nil
	}
	by := bounds / 1e6 / float64(over.N)
	return &by
}

// above is how many first outputs are uncertain by more.
func (t *frameTally) above(ns int64) int64 {
	n := int64(0)
	for _, b := range t.firstBounds {
		if b > ns {
			n++
		}
	}
	return n
}

const (
	burstShare = 0.1 // of the uncertainty, at most: the lag of a client that was not late
	burstMs    = 0.3 // a lag that says nothing, in ms: some wakings take as long
)

// Bursts reports whether frames shared reads since the endpoint sent them so.
// A late client comes to its bytes at any moment after the last of them: the
// lags of such reads lie anywhere up to the gap between frames. Where nine in
// ten of them are next to none, and hardly any read of the level was late by
// what matters, the client had not been late.
func (l *Level) Bursts() bool {
	f, lag := l.Frames, l.Latency.ClientLag
	if f.UncertainLag == nil || f.UncertainBy == nil || lag == nil {
		return false
	}
	small := burstShare * *f.UncertainBy
	return *f.UncertainLag <= max(burstMs, small) && lag.P99 <= max(mattersLeast, small)
}

func percent(part, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}
