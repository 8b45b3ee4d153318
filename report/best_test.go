package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
	"tidemark/text"
)

// rung is a level that counts.
func rung(number, concurrency int, qps, e2e float64) Level {
	return Level{
		Level: number, Target: "t", Workload: "default", Load: Load{Concurrency: &concurrency},
		Throughput:  Throughput{RequestsPerS: &qps, OutputTokensPerS: ptr(qps * 100)},
		Latency:     Latency{E2E: &stat.Summary{N: 100, Mean: e2e}},
		Reliability: Reliability{SuccessPercent: ptr(100.0)},
	}
}

func TestBest(t *testing.T) {
	with := func(l Level, change func(*Level)) Level { change(&l); return l }
	short := func(l *Level) { l.Short = true }
	for name, c := range map[string]struct {
		levels  []Level
		best    int // its number; 0: none
		because string
	}{
		// Power: 1/100, 7.5/160, 8/400 — 7.5 of a peak of 8 is 94 %.
		"the knee": {[]Level{rung(1, 1, 1, 100), rung(2, 8, 7.5, 160), rung(3, 32, 8, 400)}, 2,
			"QPS is at 94 % of its peak for 1.6 times the latency of concurrency 1"},
		"in any order": {[]Level{rung(1, 32, 8, 400), rung(2, 1, 1, 100), rung(3, 8, 7.5, 160)}, 3, "of concurrency 1"},
		"the lowest":   {[]Level{rung(1, 1, 1, 100), rung(2, 8, 1.5, 400)}, 1, "At concurrency 8 there is only 1.5 times the QPS, for 4.0 times the latency"},
		"the top": {[]Level{rung(1, 1, 1, 100), rung(2, 8, 7.5, 160)}, 2,
			"100 % of its peak for 1.6 times the latency of concurrency 1; no higher one was measured"},
		"equal power, less load": {[]Level{rung(1, 1, 1, 100), rung(2, 2, 2, 200)}, 1, ""},
		"a short one is never best": {[]Level{rung(1, 1, 1, 100), rung(2, 8, 2, 160), with(rung(3, 32, 32, 160), short)}, 2,
			"100 % of its peak"},
		"nor one that fails": {[]Level{rung(1, 1, 1, 100), rung(2, 8, 2, 160), with(rung(3, 32, 32, 160), func(l *Level) { l.Reliability.SuccessPercent = ptr(94.9) })}, 2, ""},
		"the only one left":  {[]Level{rung(1, 1, 1, 100), with(rung(2, 8, 7, 160), short)}, 1, "only level that counts"},
		"one level":          {[]Level{rung(1, 8, 1, 100)}, 0, "One level is no ladder"},
		"none":               {nil, 0, "Nothing was loaded"},
		"none counts": {[]Level{with(rung(1, 1, 1, 100), short), with(rung(2, 8, 1, 100), func(l *Level) { l.Reliability.SuccessPercent = nil })}, 0,
			"of 2, 1 short, 1 below 95 % success"},
		// Requests decide where a level has no tokens: 2/200 is 1/100.
		"without tokens": {[]Level{with(rung(1, 1, 1, 100), func(l *Level) { l.Throughput.OutputTokensPerS = nil }), rung(2, 2, 3, 200)}, 2, ""},
		"the first workload that has one": {[]Level{
			with(rung(1, 1, 1, 100), func(l *Level) { l.Workload = "long"; l.Short = true }),
			with(rung(2, 8, 1, 100), func(l *Level) { l.Workload = "long"; l.Short = true }),
			rung(3, 1, 1, 100), rung(4, 8, 7.5, 160),
		}, 4, "For t, prompts default: QPS is at 100 %"},
	} {
		t.Run(name, func(t *testing.T) {
			v := verdict(&Report{Reason: record.Done, Levels: c.levels}, text.English)
			got := 0
			if v.BestLevel != nil {
				got = *v.BestLevel
				if *v.BestConcurrency != *c.levels[got-1].Load.Concurrency {
					t.Errorf("concurrency %d", *v.BestConcurrency)
				}
			}
			if got != c.best || !contains(v.Because, c.because) {
				t.Errorf("level %d, not %d: %s", got, c.best, v.Because)
			}
		})
	}
}

func TestLadders(t *testing.T) {
	long := rung(4, 8, 1, 1)
	long.Workload = "long"
	open := rung(5, 0, 1, 1)
	open.Load.Concurrency = nil
	r := &Report{Levels: []Level{rung(1, 8, 1, 1), rung(2, 1, 1, 1), rung(3, 8, 1, 1), long, open}}
	got := map[string][]int{}
	for _, l := range Ladders(r) {
		for _, level := range l.Levels {
			got[l.Target+" "+l.Workload] = append(got[l.Target+" "+l.Workload], level.Level)
		}
	}
	if d := cmp.Diff(map[string][]int{"t default": {5, 2, 1, 3}, "t long": {4}}, got); d != "" {
		t.Error(d)
	}
	if Ladders(&Report{}) != nil {
		t.Error("ladders of no levels")
	}
}

func TestCarried(t *testing.T) {
	both, requests, nothing := rung(1, 1, 2, 1), rung(2, 8, 3, 1), rung(3, 8, 0, 1)
	requests.Throughput.OutputTokensPerS = nil
	for _, c := range []struct {
		levels []*Level
		first  float64
		unit   string
	}{
		{[]*Level{&both, &both}, 200, "output_tokens_per_s"},
		{[]*Level{&both, &requests}, 2, "requests_per_s"},
		{[]*Level{&both, &nothing}, 0, ""},
	} {
		if of, unit := Carried(c.levels...); of(c.levels[0]) != c.first || unit != c.unit {
			t.Errorf("%v %q, not %+v", of(c.levels[0]), unit, c)
		}
	}
}

func TestExitCode(t *testing.T) {
	good, bad := rung(1, 1, 1, 1), rung(2, 8, 1, 1)
	bad.Reliability.SuccessPercent = ptr(94.9)
	for _, c := range []struct {
		reason record.Reason
		levels []Level
		valid  *bool
		want   int
	}{
		{record.Done, []Level{good, bad}, nil, 0},
		{record.Done, []Level{good, bad}, ptr(true), 0},
		{record.Done, []Level{good, bad}, ptr(false), 3},
		{record.MaxTime, []Level{good}, nil, 0},
		{record.Done, []Level{bad}, nil, 4},
		{record.Done, []Level{bad}, ptr(false), 4},
		{record.Done, nil, nil, 4},
		{record.Refused, nil, nil, 4},
		{record.Interrupted, []Level{good}, ptr(false), 130},
		{record.Interrupted, []Level{bad}, nil, 130},
		{record.DiskFailed, []Level{bad}, ptr(false), 5},
		{record.BadTrace, []Level{good}, ptr(false), 5},
		{record.MaxTime, []Level{good}, ptr(false), 3},
		{"", []Level{good}, nil, 130},
	} {
		if got := exitCode(&Report{Reason: c.reason, Levels: c.levels}, c.valid); got != c.want {
			t.Errorf("%q: %d, not %d", c.reason, got, c.want)
		}
	}
}

func TestRefusedRunSaysSo(t *testing.T) {
	r := compute(t, []record.Record{opening(), preflight(failed(1, 10, outcome.Auth, 401, "no key")), &record.End{At: at(30), Reason: record.Refused}})
	if r.Verdict.ExitCode != 4 || !contains(r.Verdict.Because, "preflight") || len(r.Preflight) != 1 || r.Preflight[0].Hint == "" || r.Console.Preflight != 1 {
		t.Errorf("%+v", r)
	}
}
