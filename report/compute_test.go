package report

import (
	"errors"
	"math"
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
		Frames: Frames{Output: 28, TTFTWithin: ptr(0.0), ITLWithin: ptr(0.0), TokensPerFrame: ptr(1.0), Stamps: "kernel"},
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
		Validity: l.Validity, // validity_test.go's
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

// Of three rounds two fail as a whole: what the third carried is not what the
// level carried.
func TestFailedRoundsImproveNothing(t *testing.T) {
	refused := func(n int, from float64) *record.Attempt {
		a := failed(n, from, outcome.RateLimited, 429, "slow down")
		a.End = at(from + 64)
		return a
	}
	before := compute(t, whole(twoSlots(), twoSlotsOf(1, 2, 2000, answered), twoSlotsOf(1, 3, 3000, answered))).Levels[0].Throughput
	after := compute(t, whole(twoSlots(), twoSlotsOf(1, 2, 2000, refused), twoSlotsOf(1, 3, 3000, refused))).Levels[0].Throughput
	if d := cmp.Diff(Throughput{ptr(31.25), ptr(8 / .288), ptr(125.0), ptr(49 / .224)}, before, about); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(Throughput{ptr(0.0), ptr(0.0), ptr(0.0), ptr(0.0)}, after, about); d != "" {
		t.Error(d)
	}
	// A round whose answers came without counts says nothing of tokens.
	silent := func(n int, from float64) *record.Attempt {
		a := answered(n, from)
		a.Tokens = record.Tokens{}
		return a
	}
	mixed := compute(t, whole(twoSlots(), twoSlotsOf(1, 2, 2000, silent), twoSlotsOf(1, 3, 3000, silent))).Levels[0].Throughput
	if d := cmp.Diff(before, mixed, about); d != "" {
		t.Error(d)
	}
	// Where no round has counts there is no rate, and no zero.
	none := compute(t, whole(twoSlotsOf(1, 1, 1000, refused), twoSlotsOf(1, 2, 2000, refused))).Levels[0].Throughput
	if none.OutputTokensPerS != nil || none.InputTokensPerS != nil || *none.RequestsPerS != 0 {
		t.Errorf("%+v", none)
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
