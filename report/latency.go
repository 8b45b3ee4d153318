package report

import (
	"math"
	"time"

	"tidemark/record"
	"tidemark/stat"
)

// latencies gathers the figures of single requests: those that came to ok, and
// started inside the window.
type latencies struct {
	open                                                     bool      // requests were due: their latency starts then
	ttft, ttfb, ttfa, tpot, e2e, ntpot, endLag, rtt, sendLag []float64 // ms
	ttftFromSent, e2eFromSent, dispatchLag                   []float64 // ms, open loop
	decode, request                                          []float64 // tokens per second
	gaps, lags                                               stat.Hist
}

// start is the moment that an attempt's latency is counted from.
func (l *latencies) start(a *record.Attempt) record.Offset {
	if l.open {
		return a.Due
	}
	return a.Sent
}

func (l *latencies) add(a *record.Attempt) {
	put(&l.ttfb, a.Sent, a.FirstByte)
	l.lag(a)
	if a.RTT > 0 {
		l.rtt = append(l.rtt, ms(a.RTT))
	}
	l.whole(a)
	if a.NotStreamed {
		return // its first output is its last: no wait for a first one was seen
	}
	put(&l.endLag, a.LastOut, a.Terminal)
	put(&l.ttft, l.start(a), a.FirstOut)
	put(&l.ttfa, l.start(a), a.FirstAns)
	if l.open {
		put(&l.ttftFromSent, a.Sent, a.FirstOut)
	}
	if tpot, ok := tpot(a); ok {
		l.tpot = append(l.tpot, tpot)
		l.decode = append(l.decode, 1000/tpot)
	}
	for ns := range a.Gaps.All() {
		l.gaps.Record(ns)
	}
	for ns := range a.Lags.All() {
		l.lags.Record(ns)
	}
}

// lag is how late the client was.
func (l *latencies) lag(a *record.Attempt) {
	if !l.open {
		put(&l.sendLag, a.Dispatched, a.Sent)
		return
	}
	put(&l.dispatchLag, a.Due, a.Dispatched)
	if late, ok := lateness(a); ok {
		l.sendLag = append(l.sendLag, late)
	}
}

// lateness is the milliseconds by which a request was sent later than it was
// due, but for those in which its connection was opened.
func lateness(a *record.Attempt) (float64, bool) {
	late, ok := between(a.Due, a.Sent)
	if !ok {
		return 0, false
	}
	if opening, opened := between(max(a.Dial, a.Due), connected(a)); opened && a.Dial != 0 {
		late -= opening
	}
	return max(late, 0), true
}

// whole is the figures of the request as a whole.
func (l *latencies) whole(a *record.Attempt) {
	if l.open {
		put(&l.e2eFromSent, a.Sent, a.LastOut)
	}
	e2e, ok := between(l.start(a), a.LastOut)
	if !ok {
		return
	}
	l.e2e = append(l.e2e, e2e)
	if n := a.Tokens.Output.N; a.Tokens.Output.Known() && n > 0 {
		l.ntpot = append(l.ntpot, e2e/float64(n))
		if e2e > 0 {
			l.request = append(l.request, 1000*float64(n)/e2e)
		}
	}
}

// TPOT is the time that each token of an answer took after its first, however
// the attempt ended. There is none below two tokens that the stream showed,
// none of an answer that was not streamed, and none where all came at one
// moment: that is a buffer's doing and says nothing of the model.
func TPOT(a *record.Attempt) (d time.Duration, ok bool) {
	perToken, ok := tpot(a)
	return time.Duration(math.Round(perToken * 1e6)), ok
}

// tpot is [TPOT] in milliseconds, not rounded.
func tpot(a *record.Attempt) (float64, bool) {
	window, ok := between(a.FirstOut, a.LastOut)
	n := visible(a)
	if !ok || a.NotStreamed || window == 0 || n < 2 {
		return 0, false
	}
	return window / float64(n-1), true
}

// visible is the output tokens that the stream showed; 0 where that isn't
// known. Tokens of reasoning that the server keeps to itself are in its count
// but not in the stream, so they don't belong to the time between its frames.
func visible(a *record.Attempt) int64 {
	n := a.Tokens.Output.N
	switch {
	case !a.Tokens.Output.Known():
		return 0
	case a.Frames.Reasoning > 0:
		return n
	case a.Tokens.Reasoning.Known():
		return n - a.Tokens.Reasoning.N
	}
	return n
}

// put adds the milliseconds between two moments that are known.
func put(xs *[]float64, from, to record.Offset) {
	if d, ok := between(from, to); ok {
		*xs = append(*xs, d)
	}
}

// between is the milliseconds from one moment to another. Where one is absent,
// or they are in the wrong order, there is no such figure.
func between(from, to record.Offset) (float64, bool) {
	if from == 0 || to == 0 || to < from {
		return 0, false
	}
	return ms(int64(to - from)), true
}

func ms(ns int64) float64 { return float64(ns) / 1e6 }

func (l *latencies) latency() Latency {
	of := func(xs []float64) *stat.Summary { return millis(stat.Summarize(xs)) }
	return Latency{
		TTFT: of(l.ttft), TTFB: of(l.ttfb), TTFA: of(l.ttfa),
		TPOT: of(l.tpot), ITL: millis(l.gaps.Summary()),
		E2E: of(l.e2e), NTPOT: of(l.ntpot), StreamEndLag: of(l.endLag),
		RTT: of(l.rtt), ClientLag: millis(l.lags.Summary()), SendLag: of(l.sendLag),
		TTFTFromSent: of(l.ttftFromSent), E2EFromSent: of(l.e2eFromSent), DispatchLag: of(l.dispatchLag),
	}
}

// millis rounds a summary of milliseconds to whole nanoseconds: the clocks
// know no more.
func millis(s *stat.Summary) *stat.Summary {
	if s == nil {
		return nil
	}
	figures := []*float64{&s.Mean, &s.SD, &s.Min, &s.P50, &s.P90, &s.P95, &s.P99, &s.Max}
	if s.P999 != nil {
		figures = append(figures, s.P999)
	}
	for _, f := range figures {
		*f = math.Round(*f*1e6) / 1e6
	}
	return s
}

func (l *latencies) speed() Speed {
	return Speed{Decode: stat.Summarize(l.decode), Request: stat.Summarize(l.request)}
}
