package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
	"tidemark/text"
)

// one is the figures of an attempt as answered makes it, changed.
func one(change func(a *record.Attempt)) Latency {
	a := answered(1, 1000)
	change(a)
	var l latencies
	l.add(a)
	return l.latency()
}

func TestFiguresOfOneRequest(t *testing.T) {
	value := func(s *stat.Summary) float64 {
		if s == nil {
			return -1 // absent
		}
		return s.Mean
	}
	type row struct{ ttft, ttfa, tpot, e2e, ntpot float64 }
	for name, c := range map[string]struct {
		change func(a *record.Attempt)
		want   row
	}{
		"as it is": {func(*record.Attempt) {}, row{30, 30, 10, 60, 15}},
		// 30 ms over 9 tokens after the first, six of ten being reasoning that was streamed.
		"reasoning shown": {func(a *record.Attempt) {
			a.Frames.Reasoning, a.FirstAns = 2, at(1051)
			a.Tokens.Output, a.Tokens.Reasoning = usage(10), usage(6)
		}, row{30, 50, 30.0 / 9, 60, 6}},
		"reasoning only": {func(a *record.Attempt) { a.Frames.Reasoning, a.FirstAns = 4, 0 }, row{30, -1, 10, 60, 15}},
		// 502 tokens, 500 of them not shown: two visible ones, 30 ms apart.
		"reasoning hidden": {func(a *record.Attempt) { a.Tokens.Output, a.Tokens.Reasoning = usage(502), usage(500) },
			row{30, 30, 30, 60, 60.0 / 502}},
		"all but one hidden": {func(a *record.Attempt) { a.Tokens.Output, a.Tokens.Reasoning = usage(501), usage(500) },
			row{30, 30, -1, 60, 60.0 / 501}},
		"one token": {func(a *record.Attempt) { a.Tokens.Output = usage(1) }, row{30, 30, -1, 60, 60}},
		"none":      {func(a *record.Attempt) { a.Tokens.Output = usage(0) }, row{30, 30, -1, 60, -1}},
		"no count":  {func(a *record.Attempt) { a.Tokens.Output = record.Count{} }, row{30, 30, -1, 60, -1}},
		"all at one moment": {func(a *record.Attempt) {
			a.LastOut, a.Gaps = a.FirstOut, record.Packed(nil).Append(0).Append(0).Append(0)
		}, row{30, 30, -1, 30, 7.5}},
		"not streamed": {func(a *record.Attempt) { a.NotStreamed = true }, row{-1, -1, -1, 60, 15}},
		"no output":    {func(a *record.Attempt) { a.FirstOut, a.FirstAns, a.LastOut = 0, 0, 0 }, row{-1, -1, -1, -1, -1}},
		"clocks in the wrong order": {func(a *record.Attempt) { a.FirstOut, a.FirstAns = at(900), at(900) },
			row{-1, -1, (1061 - 900) / 3.0, 60, 15}},
		"never sent": {func(a *record.Attempt) { a.Sent = 0 }, row{-1, -1, 10, -1, -1}},
	} {
		t.Run(name, func(t *testing.T) {
			l := one(c.change)
			got := row{value(l.TTFT), value(l.TTFA), value(l.TPOT), value(l.E2E), value(l.NTPOT)}
			if d := cmp.Diff(c.want, got, toNs, cmp.AllowUnexported(row{})); d != "" {
				t.Error(d)
			}
			a := answered(1, 1000)
			c.change(a)
			d, ok := TPOT(a)
			if want := c.want.tpot; ok != (want >= 0) || ok && math.Abs(float64(d)-1e6*want) > .5 {
				t.Errorf("TPOT %v, %v", d, ok)
			}
		})
	}
	if l := one(func(a *record.Attempt) { a.NotStreamed = true }); l.ITL != nil || l.ClientLag != nil || l.StreamEndLag != nil {
		t.Errorf("of an answer that was not streamed: %+v", l)
	}
}

// toNs compares milliseconds to the nanosecond.
var toNs = cmpopts.EquateApprox(0, .5000001e-6)

// Figures end at the nanosecond: thirds of a millisecond don't go on.
func TestMillisecondsEndAtTheNanosecond(t *testing.T) {
	s := millis(stat.Summarize([]float64{1.0 / 3, 2.0 / 3, 2.0 / 3}))
	want := &stat.Summary{N: 3, Mean: .555556, SD: .19245, Min: .333333, P50: .666667, P90: .666667, P95: .666667, P99: .666667, Max: .666667, Thin: s.Thin}
	if d := cmp.Diff(want, s); d != "" {
		t.Error(d)
	}
	if millis(nil) != nil {
		t.Error("something of nothing")
	}
}

// Base transcripts of the kind "al pha be ta" at 300 320 340 360: TTFT and
// gaps add up to E2E.
func TestTTFTAndGapsAreE2E(t *testing.T) {
	l := one(func(a *record.Attempt) {
		a.Sent, a.FirstOut, a.LastOut = at(1000), at(1300), at(1360)
		a.Gaps = record.Packed(nil).Append(20e6).Append(20e6).Append(20e6)
	})
	if l.TTFT.Mean != 300 || l.E2E.Mean != 360 || l.TPOT.Mean != 20 || l.ITL.Mean != 20 {
		t.Errorf("%+v", l)
	}
	if sum := l.TTFT.Mean + l.ITL.Mean*float64(l.ITL.N); sum != l.E2E.Mean {
		t.Errorf("%v, not %v", sum, l.E2E.Mean)
	}
}

func TestShareOfFrames(t *testing.T) {
	w := stat.Span{From: int64(at(1000)), To: int64(at(1045))}
	for name, c := range map[string]struct {
		change func(a *record.Attempt)
		want   float64
	}{
		"two of four":           {func(*record.Attempt) {}, .5}, // 1031 1041 | 1051 1061
		"all":                   {func(a *record.Attempt) { a.Gaps, a.LastOut = record.Packed(nil).Append(1e6), at(1032) }, 1},
		"none":                  {func(a *record.Attempt) { a.FirstOut, a.LastOut = at(2000), at(2030) }, 0},
		"one frame":             {func(a *record.Attempt) { a.Gaps, a.LastOut = nil, a.FirstOut }, 1},
		"not streamed, outside": {func(a *record.Attempt) { a.NotStreamed = true }, 0}, // ends at 1064
		"not streamed, inside":  {func(a *record.Attempt) { a.NotStreamed, a.End = true, at(1045) }, 1},
	} {
		a := answered(1, 1000)
		c.change(a)
		if got := shareOfFrames(a, w); got != c.want {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

// What was cut by the end counts in output throughput as far as it came, and
// nowhere else.
func TestCutByTheEnd(t *testing.T) {
	recs := twoSlots()
	last := recs[9].(*record.Attempt) // dispatched at 1224: one frame of four inside
	last.Outcome = outcome.CutByRunEnd
	r := compute(t, whole(recs))
	l := r.Levels[0]
	if *l.Throughput.OutputTokensPerS != 125 || *l.Throughput.RequestsPerS != 6.5/.224 || l.Latency.E2E.N != 6 {
		t.Errorf("%+v", l.Throughput)
	}
	if s := l.Reliability; s.Cut != 1 || s.OK != 7 || s.Failed != 0 || *s.SuccessPercent != 100 || len(s.Outcomes) != 1 {
		t.Errorf("%+v", s)
	}
	if *l.Tokens.Output != 28 || r.Console.Failed != 0 || *r.Console.OutputTokens != 32 {
		t.Errorf("%+v, %+v", l.Tokens, r.Console)
	}
}

// Connections are counted whoever told of them, once each.
func TestConnections(t *testing.T) {
	recs := twoSlots()
	opened := func(a *record.Attempt, dial, connected, tls float64) *record.Attempt {
		a.Dial, a.Connected = at(dial), at(connected)
		if tls > 0 {
			a.TLS = at(tls)
		}
		return a
	}
	warm := opened(answered(1, 900), 800, 810, 830) // 30 ms with its handshake
	warm.Phase = record.WarmUp
	opened(recs[3].(*record.Attempt), 800, 810, 0) // 10 ms
	recs[5].(*record.Attempt).OpenedInLevel = true
	l := compute(t, whole([]record.Record{warm}, recs)).Levels[0]
	if c := l.Latency.Connect; c.N != 2 || c.Min != 10 || c.Max != 30 || l.Load.Opened != 1 {
		t.Errorf("%+v, %d opened", c, l.Load.Opened)
	}
	if l.WarmUp.Sent != 1 || l.WarmUp.OK != 1 || l.Reliability.Sent != 8 {
		t.Errorf("%+v", l.WarmUp)
	}
}

// Two first outputs of seven may have come 2 and 5 ms earlier: 7 ms over 7.
// Three frames are uncertain by 2, 5 and 6 ms: 13 over the 21 gaps.
func TestMeansAreNoMoreExactThanTheirFrames(t *testing.T) {
	recs := twoSlots()
	a, b := recs[5].(*record.Attempt), recs[6].(*record.Attempt)
	a.FirstUncertain, a.UncertainBy, a.Frames.Uncertain = 2e6, record.Packed(nil).Append(2e6), 1
	b.FirstUncertain, b.UncertainBy, b.Frames.Uncertain = 5e6, record.Packed(nil).Append(5e6).Append(6e6), 2
	f := compute(t, whole(recs)).Levels[0].Frames
	if d := cmp.Diff([]float64{1, 13.0 / 21}, []float64{*f.TTFTWithin, *f.ITLWithin}, about); d != "" || f.Uncertain != 3 || f.FirstUncertain != 2 {
		t.Errorf("%s %+v", d, f)
	}
	if f := compute(t, whole(twoSlotsOf(1, 1, 1000, func(n int, from float64) *record.Attempt {
		return failed(n, from, outcome.RateLimited, 429, "slow down")
	}))).Levels[0].Frames; f.TTFTWithin != nil || f.ITLWithin != nil {
		t.Errorf("of no figure: %+v", f)
	}
}

// 502 tokens in four frames, 500 of them reasoning that was not streamed: two
// in four. A request whose visible tokens aren't known, or are none, is in no
// ratio.
func TestTokensPerFrameAreThoseInTheFrames(t *testing.T) {
	for name, c := range map[string]struct {
		tokens record.Tokens
		want   *float64
	}{
		"all shown":  {record.Tokens{Output: usage(4)}, ptr(1.0)},
		"hidden":     {record.Tokens{Output: usage(502), Reasoning: usage(500)}, ptr(.5)},
		"all hidden": {record.Tokens{Output: usage(500), Reasoning: usage(500)}, nil},
		"no count":   {record.Tokens{}, nil},
	} {
		var f frameTally
		a := answered(1, 1000)
		a.Tokens = c.tokens
		f.add(a)
		if d := cmp.Diff(c.want, f.frames(Latency{}).TokensPerFrame); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Who counted is the counts' own word.
func TestTokenSource(t *testing.T) {
	for want, a := range map[string]record.Tokens{
		"none":        {},
		"usage":       {Output: usage(4), Input: record.Count{N: 1, Source: "other"}},
		"a_tokenizer": {Output: record.Count{N: 4, Source: "a_tokenizer"}},
		"other":       {Input: record.Count{N: 4, Source: "other"}},
	} {
		var k tokenTally
		k.add(&record.Attempt{Tokens: a})
		if got := k.tokens().Source; got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestWarnings(t *testing.T) {
	recs := twoSlots()
	recs[2].(*record.Attempt).Warnings = map[string]int{"burst": 9, "from_the_future": 1}
	recs[3].(*record.Attempt).Warnings = map[string]int{"burst": 1}
	recs[4].(*record.Attempt).Tokens.Reasoning = usage(2)
	recs[5].(*record.Attempt).Tokens = record.Tokens{}
	recs[5].(*record.Attempt).OutputEstimated = 5
	recs = append(recs, &record.Note{Level: 1, ID: "reason.unknown", Args: []string{"x"}}, &record.Note{ID: "reason.disk"})
	r := compute(t, whole(recs))
	type counted struct {
		n    int
		unit Unit
	}
	got := map[string]counted{}
	for _, w := range r.Levels[0].Warnings {
		got[w.ID] = counted{w.Count, w.Unit}
		if w.Text == "" || w.Text[0] == '[' {
			t.Errorf("%+v", w)
		}
	}
	want := map[string]counted{"burst": {2, Requests}, "from_the_future": {1, Requests}, "usage_missing": {1, Requests}, "reason.unknown": {1, Times}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(counted{})); d != "" {
		t.Error(d)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Text != "the records could not be written" {
		t.Errorf("%+v", r.Warnings)
	}
	if k := r.Levels[0].Tokens; *k.Output != 28 || *k.OutputEstimated != 5 || k.WithoutCount != 1 || *k.Reasoning != 2 {
		t.Errorf("%+v", k)
	}
	if r.Console.WithoutCount != 1 {
		t.Errorf("%+v", r.Console)
	}
}

// Every oddity that the product may tell of has words of its own, and every
// such words are of an oddity.
func TestEveryWarningHasWords(t *testing.T) {
	ids := append(record.Warnings(), usageMissing, roundsLeftOut) // those of the clocks have gaps, and are said apart
	for _, id := range ids {
		if m := warningText(id); m.ID != "warning."+id {
			t.Errorf("%s has none", id)
		}
	}
	for _, full := range text.IDs() {
		if id, ok := strings.CutPrefix(full, "warning."); ok && !slices.Contains(ids, id) {
			t.Errorf("nothing warns of %s", id)
		}
	}
}
