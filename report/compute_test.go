package report

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
	"tidemark/text"
)

var about = cmpopts.EquateApprox(1e-9, 1e-9)

func compute(t *testing.T, recs []record.Record) *Report {
	t.Helper()
	r, err := Compute(of(recs, nil), Options{Lang: text.English})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ptr[T any](v T) *T { return &v }

// all is the summary of n values that are all v.
func all(n int, v float64) *stat.Summary {
	return &stat.Summary{N: n, Mean: v, Min: v, P50: v, P90: v, P95: v, P99: v, Max: v, Thin: []string{"p90", "p95", "p99"}}
}

// The level of twoSlots, by hand:
//
// Started inside [1032, 1256]: all but the one at 1000, so n = 7.
//
// QPS: the one at 1000 has 32 of its 64 ms inside, the one at 1224 has 32;
// six are whole: 0.5 + 6 + 0.5 = 7, / 0.224 s = 31.25. Input: 7 × 7 tokens.
//
// Output: the one at 1000 has frames at 1031 1041 1051 1061, three inside;
// the one at 1224 has 1255 1265 1275 1285, one inside; so 3 + 24 + 1 = 28
// tokens / 0.224 s = 125.
func TestLevelFigures(t *testing.T) {
	r := compute(t, whole(twoSlots()))
	l := r.Levels[0]
	want := Level{
		Level: 1, Target: "t", Model: "toy-1", Workload: "default",
		Load: Load{
			Kind: "closed", Concurrency: ptr(2), Requests: ptr(8), Rounds: 1,
			WindowS: ptr(.224), Window: &Window{FullS: .032, EmptiedS: .256}, DurationS: ptr(.288),
			Achieved: &MeanMax{Mean: 2, Max: 2},
		},
		Frames: Frames{Output: 28, TokensPerFrame: ptr(1.0), Stamps: "kernel"},
		Latency: Latency{
			TTFT: all(7, 30), TTFB: all(7, 20), TTFA: all(7, 30), TPOT: all(7, 10), ITL: all(21, 10), E2E: all(7, 60),
			NTPOT: all(7, 15), StreamEndLag: all(7, 2), RTT: all(7, 2), ClientLag: all(28, .1), SendLag: all(7, 1),
		},
		Throughput: Throughput{
			RequestsPerS: ptr(31.25), RequestsPerSOverall: ptr(8 / .288),
			OutputTokensPerS: ptr(125.0), InputTokensPerS: ptr(49 / .224),
		},
		Speed: Speed{Decode: all(7, 100), Request: all(7, 4/.06)},
		Reliability: Reliability{
			Sent: 8, OK: 8, SuccessPercent: ptr(100.0), Outcomes: []Outcome{}, Finishes: map[string]int{"stop": 8},
		},
		Tokens:   Tokens{Input: ptr(int64(56)), Output: ptr(int64(32)), Source: "usage"},
		WarmUp:   WarmUp{Outcomes: []Outcome{}},
		Validity: Validity{Checks: []Check{}},
		Findings: []Finding{}, Warnings: []Warning{},
	}
	if d := cmp.Diff(want, l, about); d != "" {
		t.Error(d)
	}
	epoch := opening().Started
	console := Console{
		Requests: 8, InputTokens: ptr(int64(56)), OutputTokens: ptr(int64(32)), Models: []string{"toy-1"},
		From: ptr(epoch.Add(1001 * time.Millisecond)), To: ptr(epoch.Add(1288 * time.Millisecond)),
	}
	if d := cmp.Diff(console, r.Console); d != "" {
		t.Error(d)
	}
	if r.Truncated || r.Reason != record.Done || r.Ended == nil || r.Verdict.ExitCode != 0 {
		t.Errorf("%+v", r)
	}
}

// One ok request becomes an error inside a 200: throughput and n fall, and no
// latency figure holds it.
func TestFailureImprovesNothing(t *testing.T) {
	for _, class := range []outcome.Class{outcome.InbandError, outcome.IncompleteStream, outcome.EmptyOutput, outcome.TotalTimeout, "from_the_future"} {
		before := compute(t, whole(twoSlots())).Levels[0]
		recs := twoSlots()
		// It has all the clocks and counts of an answer, and quicker ones.
		bad := recs[4].(*record.Attempt)
		bad.Outcome, bad.FirstOut, bad.FirstAns, bad.LastOut = class, bad.Sent+1, bad.Sent+1, bad.Sent+2
		after := compute(t, whole(recs)).Levels[0]

		if d := cmp.Diff(before.Latency.TTFT.Mean, after.Latency.TTFT.Mean, about); d != "" {
			t.Error(class, d)
		}
		for name, pair := range map[string][2]*stat.Summary{
			"ttft": {before.Latency.TTFT, after.Latency.TTFT}, "e2e": {before.Latency.E2E, after.Latency.E2E},
			"tpot": {before.Latency.TPOT, after.Latency.TPOT}, "ttfb": {before.Latency.TTFB, after.Latency.TTFB},
			"send lag": {before.Latency.SendLag, after.Latency.SendLag}, "speed": {before.Speed.Request, after.Speed.Request},
		} {
			if pair[1].N != pair[0].N-1 {
				t.Errorf("%s: %s of %d requests", class, name, pair[1].N)
			}
		}
		for name, pair := range map[string][2]*float64{
			"qps":     {before.Throughput.RequestsPerS, after.Throughput.RequestsPerS},
			"overall": {before.Throughput.RequestsPerSOverall, after.Throughput.RequestsPerSOverall},
			"output":  {before.Throughput.OutputTokensPerS, after.Throughput.OutputTokensPerS},
			"input":   {before.Throughput.InputTokensPerS, after.Throughput.InputTokensPerS},
			"success": {before.Reliability.SuccessPercent, after.Reliability.SuccessPercent},
		} {
			if *pair[1] >= *pair[0] {
				t.Errorf("%s: %s did not fall: %v, %v", class, name, *pair[0], *pair[1])
			}
		}
	}
}

// Two rounds, the second at half the speed: clocks stretched by two make a
// window of 448 ms. Medians of two are means: QPS (31.25 + 15.625) / 2.
func TestRounds(t *testing.T) {
	slow := func(number int, from float64) *record.Attempt {
		a := answered(number, from)
		for _, c := range []*record.Offset{&a.Sent, &a.FirstByte, &a.FirstOut, &a.FirstAns, &a.LastOut, &a.Terminal, &a.End} {
			*c = a.Dispatched + 2*(*c-a.Dispatched)
		}
		a.Gaps = record.Packed(nil).Append(20e6).Append(20e6).Append(20e6)
		return a
	}
	var second []record.Record
	for _, r := range twoSlotsOf(1, 2, 0, slow) {
		switch r := r.(type) {
		case *record.Level:
			r.At = at(5000) + 2*r.At
		case *record.Attempt:
			to := at(5000) + 2*r.Dispatched
			by := to - r.Dispatched
			for _, c := range []*record.Offset{&r.Dispatched, &r.Sent, &r.FirstByte, &r.FirstOut, &r.FirstAns, &r.LastOut, &r.Terminal, &r.End} {
				*c += by
			}
		}
		second = append(second, r)
	}
	l := compute(t, whole(twoSlots(), second)).Levels[0]
	if l.Short {
		t.Fatal(l.ShortWhy)
	}
	want := Throughput{
		RequestsPerS: ptr((31.25 + 31.25/2) / 2), RequestsPerSOverall: ptr((8/.288 + 8/.576) / 2),
		OutputTokensPerS: ptr((125 + 62.5) / 2), InputTokensPerS: ptr((49/.224 + 49/.448) / 2),
	}
	if d := cmp.Diff(want, l.Throughput, about); d != "" {
		t.Error(d)
	}
	if *l.Load.WindowS != (.224+.448)/2 || l.Load.Rounds != 2 || math.Abs(*l.Load.DurationS-.864) > 1e-9 || l.Load.Window.EmptiedS != .256 {
		t.Errorf("%+v", l.Load)
	}
	// Latency is pooled: seven of 30 ms, seven of 60.
	if s := l.Latency.TTFT; s.N != 14 || s.Mean != 45 || s.Min != 30 || s.Max != 60 {
		t.Errorf("%+v", s)
	}
	if l.Reliability.Sent != 16 {
		t.Errorf("%+v", l.Reliability)
	}
}

func TestShort(t *testing.T) {
	without := func(recs []record.Record, drop func(record.Record) bool) []record.Record {
		var out []record.Record
		for _, r := range recs {
			if !drop(r) {
				out = append(out, r)
			}
		}
		return out
	}
	isEdge := func(e record.Event) func(record.Record) bool {
		return func(r record.Record) bool { l, ok := r.(*record.Level); return ok && l.Event == e }
	}
	for name, c := range map[string]struct {
		recs func() []record.Record
		why  string // "": not short
		n    int    // TTFT's
	}{
		"as asked": {func() []record.Record { return whole(twoSlots()) }, "", 7},
		"fewer than twice the concurrency": {func() []record.Record {
			recs := twoSlots()
			recs[0].(*record.Level).Load.Concurrency = 5
			return whole(recs)
		}, "8 of the 10 requests", 8},
		"never full": {func() []record.Record { return whole(without(twoSlots(), isEdge(record.LevelFull))) }, "never had 2 requests", 8},
		// The second slot sends nothing after 1160: (224 + 128) / 224 = 1.57.
		"mean below": {func() []record.Record {
			return whole(without(twoSlots(), func(r record.Record) bool { a, ok := r.(*record.Attempt); return ok && a.Slot == 2 && a.Number > 4 }),
				[]record.Record{answered(9, 1256), answered(10, 1320)})
		}, "On average 1.6 of 2", 8},
		"no emptied, no end": {func() []record.Record {
			return append([]record.Record{opening()}, without(twoSlots(), func(r record.Record) bool {
				return isEdge(record.LevelEmptied)(r) || isEdge(record.LevelEnd)(r)
			})...)
			// Full from 1032 to the last known moment, 1288:
			// (2 × 224 + 1 × 32) / 256 = 1.875 of 2 is 93.75 %.
		}, "On average 1.9 of 2 requests were in flight, less than 95 %: the records end inside", 8},
		"interrupted before it was enough": {func() []record.Record {
			recs := twoSlots()
			recs[0].(*record.Level).Load.Concurrency = 5
			recs[len(recs)-1].(*record.Level).Why = string(record.Interrupted)
			return whole(recs)
		}, "at least: the run was interrupted", 8},
		"no load": {func() []record.Record {
			a := answered(1, 1000)
			a.Phase = record.WarmUp
			return whole([]record.Record{a})
		}, "Its load never began", 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := compute(t, c.recs()).Levels[0]
			if l.Short != (c.why != "") || !strings.Contains(l.ShortWhy, c.why) {
				t.Errorf("short %v: %q", l.Short, l.ShortWhy)
			}
			n := 0
			if l.Latency.TTFT != nil {
				n = l.Latency.TTFT.N
			}
			if n != c.n {
				t.Errorf("TTFT of %d requests", n)
			}
		})
	}
}

// A round that was stopped early is left out of the figures, and said; what it
// sent stays in reliability.
func TestUnfinishedRoundIsLeftOut(t *testing.T) {
	second := []record.Record{start(1, 2, 2, 4999), failedIn(2, 5000), edge(record.LevelEnd, 1, 2, 5100)}
	second[2].(*record.Level).Why = string(record.Interrupted)
	r := compute(t, whole(twoSlots(), second))
	l := r.Levels[0]
	if l.Short || l.Load.Rounds != 1 || *l.Throughput.RequestsPerS != 31.25 || *l.Load.DurationS != .288 {
		t.Errorf("%+v %+v", l.Load, l.Throughput)
	}
	if l.Reliability.Sent != 9 || l.Reliability.Failed != 1 || l.Ended != record.Interrupted {
		t.Errorf("%+v", l.Reliability)
	}
	if len(l.Warnings) != 1 || l.Warnings[0].ID != "rounds_left_out" || l.Warnings[0].Count != 1 {
		t.Errorf("%+v", l.Warnings)
	}
}

func failedIn(round int, from float64) *record.Attempt {
	a := failed(1, from, outcome.Connect, 0, "refused")
	a.Round = round
	return a
}

// Records that end anywhere give a report, and no error.
func TestCutAnywhere(t *testing.T) {
	recs := whole(twoSlots(), twoSlotsOf(2, 1, 2000, answered))
	for n := range recs {
		r, err := Compute(of(recs[:n], record.ErrTruncated), Options{Lang: text.Chinese})
		if err != nil || !r.Truncated || r.Ended != nil || r.Verdict.ExitCode != 130 {
			t.Fatalf("after %d records: %v, %+v", n, err, r.Verdict)
		}
		valid(t, r)
	}
}

func TestOtherErrorsAreReturnedWithWhatThereWas(t *testing.T) {
	broken := errors.New("broken")
	r, err := Compute(of(whole(twoSlots()), broken), Options{})
	if !errors.Is(err, broken) || len(r.Levels) != 1 || r.Levels[0].Reliability.OK != 8 || r.Truncated {
		t.Errorf("%v, %+v", err, r)
	}
}

// What a stream of another making may hold is no reason to fail.
func TestOddRecords(t *testing.T) {
	odd := []record.Record{
		&record.Attempt{},
		&record.Attempt{Level: -3, Round: -1, Phase: "unheard of", Try: 9, Target: "nobody", Outcome: "from_the_future"},
		&record.Attempt{Level: 7, Phase: record.Measured, Clocks: record.Clocks{Dispatched: 50, End: 10, FirstOut: 5, LastOut: 1}, Outcome: outcome.OK, Gaps: record.Packed{0xff, 0xff}},
		&record.Level{Event: "unheard of", Level: 9},
		&record.Level{Event: record.LevelFull, Level: 7, At: 90},
		&record.Level{Event: record.LevelEmptied, Level: 7, At: 20},
		&record.Note{ID: "no.such.text", Args: []string{"x"}, Level: 44},
		&record.Sample{At: -5},
		&record.End{Reason: "unheard of"},
	}
	r, err := Compute(of(odd, nil), Options{Lang: text.English})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, r)
}
