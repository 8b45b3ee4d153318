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
	waited                  stat.Hist // how late the read of each uncertain frame was
	late                    stat.Hist // how uncertain each is that was read late,
	lateFirsts              []int64   // and each first output
	untold                  int64     // uncertain frames that nothing is known of
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

// wait judges, frame by frame, whether the client may have come late to what
// is uncertain. Frames that came in one read bear one stamp, and so have no gap
// between them.
func (t *frameTally) wait(a *record.Attempt) {
	if a.Frames.Uncertain == 0 {
		return
	}
	bounds := slices.Collect(a.UncertainBy.All())
	lags, told := readLags(a)
	if !told || len(bounds) == 0 {
		t.untold += int64(len(bounds))
		return
	}
	if len(lags) != len(bounds) { // some reads of several frames were one write
		most := slices.Max(append(lags, 0))
		lags = slices.Repeat([]int64{most}, len(bounds))
	}
	for i, by := range bounds {
		t.waited.Record(lags[i])
		if lags[i] > prompt(by) {
			t.late.Record(by)
		}
	}
	if a.FirstUncertain > 0 && lags[0] > prompt(a.FirstUncertain) {
		t.lateFirsts = append(t.lateFirsts, a.FirstUncertain)
	}
}

// readLags is, for each frame but the last of a read that brought several, how
// late that read was, in nanoseconds; false: not all frames have the kernel's
// stamp.
func readLags(a *record.Attempt) (of []int64, told bool) {
	lags := slices.Collect(a.Lags.All())
	frame := 0
	for gap := range a.Gaps.All() {
		if frame++; frame >= len(lags) {
			return nil, false
		}
		if gap == 0 {
			of = append(of, lags[frame])
		}
	}
	return of, true
}

// prompt is how late a read may be, in nanoseconds, for its client not to be
// the cause that frames are uncertain by so much. A late client comes at any
// moment after the last of them, so that its lags lie anywhere up to the gap
// between frames: next to none, for long ones, is a tenth. Some wakings take
// 0.3 ms, and 1 ms is late whatever the gap.
func prompt(by int64) int64 { return min(max(3e5, by/10), 1e6) }

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

// above is how many bounds are greater.
func above(bounds []int64, ns int64) int64 {
	n := int64(0)
	for _, b := range bounds {
		if b > ns {
			n++
		}
	}
	return n
}

// Bursts reports whether frames shared reads since the endpoint sent them so:
// more arrivals are uncertain than may be, and the client read them promptly.
func (l *Level) Bursts() bool {
	undecided := false
	for _, id := range arrivalChecks {
		switch l.Check(id).Status {
		case CheckFailed:
			return false
		case Undecided:
			undecided = true
		}
	}
	return undecided
}

func percent(part, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}
