package report

import (
	"tidemark/record"
	"tidemark/stat"
	"tidemark/text"
)

// uncertainShare is how many frames in a hundred may have an arrival that is
// uncertain by more than matters (V1).
const uncertainShare = 1.0

// frameTally counts the frames of ok requests that started inside the window.
type frameTally struct {
	output, uncertainFrames int64
	streamed, firsts        int64 // requests with a first output; of these, with an uncertain one
	counted, countedTokens  int64 // frames and tokens of requests whose tokens in the stream are known
	stamps                  string
	bounds                  stat.Hist // how uncertain each uncertain frame is
	worst                   []bound   // one a request that has any
}

// bound is the most by which arrivals of one request are uncertain, in
// nanoseconds: any frame's, and the first output's.
type bound struct{ frame, first int64 }

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
	b := bound{first: a.FirstUncertain}
	if b.first > 0 {
		t.firsts++
	}
	for ns := range a.UncertainBy.All() {
		t.bounds.Record(ns)
		b.frame = max(b.frame, ns)
	}
	if b.first > 0 || b.frame > 0 {
		t.worst = append(t.worst, b)
	}
}

func (t *frameTally) frames() Frames {
	f := Frames{Output: t.output, Uncertain: t.uncertainFrames, FirstUncertain: t.firsts, Stamps: t.stamps}
	if t.counted > 0 {
		per := float64(t.countedTokens) / float64(t.counted)
		f.TokensPerFrame = &per
	}
	if s := t.bounds.Summary(); s != nil {
		f.UncertainBy = &s.P50
	}
	return f
}

// uncertain warns where more frames than may be arrived at a moment that is
// uncertain by more than matters: than 1 ms, and than 2 % of the figure that
// the frame goes into.
func (t *frameTally) uncertain(level *Level, lang text.Lang) (Warning, bool) {
	l := level.Latency
	gap, first := matters(l.ITL), matters(l.TTFT)
	frames := percent(t.bounds.Above(gap), t.output)
	firsts, requests := int64(0), 0
	for _, b := range t.worst {
		if b.first > first {
			firsts++
		}
		if b.first > first || b.frame > gap {
			requests++
		}
	}
	share := percent(firsts, t.streamed)
	why := text.Msg("report.uncertain.either")
	switch lag := l.ClientLag; {
	case level.Bursts():
		why = text.Msg("report.uncertain.prompt", lag.P99)
	case lag != nil && lag.P99 > promptMs:
		why = text.Msg("report.uncertain.late")
	}
	var said text.Message
	switch many, manyFirst := frames > uncertainShare, share > uncertainShare; {
	case many && manyFirst:
		said = text.Msg("report.uncertain.both", frames, ms(gap), share, ms(first), why)
	case many:
		said = text.Msg("report.uncertain.frames", frames, ms(gap), why)
	case manyFirst:
		said = text.Msg("report.uncertain.first", share, ms(first), why)
	default:
		return Warning{}, false
	}
	return Warning{ID: UncertainArrivals, Count: requests, Unit: Requests, Text: said.In(lang)}, true
}

const (
	promptMs   = 1   // client lag at p99, in ms, beyond which the client may have been late
	burstFrom  = 10  // percent of the frames that must be uncertain for their lags to show in p99
	burstShare = 0.1 // of the uncertainty, at most: the lags of a client that was not late
)

// Bursts reports whether frames shared reads since the endpoint sent them so.
// The lags of a late client lie anywhere up to as long as its frames are
// uncertain by. Where a tenth of the frames or more are, and hardly any lag is
// a tenth of that, it was not late. Of fewer frames the lags tell nothing.
func (l *Level) Bursts() bool {
	f, lag := l.Frames, l.Latency.ClientLag
	return percent(f.Uncertain, f.Output) >= burstFrom && lag != nil && f.UncertainBy != nil &&
		lag.P99 <= burstShare**f.UncertainBy
}

// matters is the uncertainty, in nanoseconds, that would show in a figure.
func matters(s *stat.Summary) int64 {
	limit := 1e6
	if s != nil {
		limit = max(limit, .02*s.P50*1e6)
	}
	return int64(limit)
}

func percent(part, of int64) float64 {
	if of <= 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}
