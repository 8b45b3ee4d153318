package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/text"
)

// offering is a level of an open loop that counts.
func offering(number int, perS, e2e float64) Level {
	l := rung(number, 0, perS, e2e)
	l.Load = Load{Kind: record.Open, RatePerS: &perS}
	return l
}

func judged(l Level, valid *bool, failed ...string) Level {
	l.Validity.Valid = valid
	for _, id := range failed {
		l.Validity.Checks = append(l.Validity.Checks, Check{ID: id, Status: CheckFailed})
	}
	return l
}

// The run stands on its best level and on those beside it.
func TestRunIsInvalidByTheLevelsItStandsOn(t *testing.T) {
	yes, no := ptr(true), ptr(false)
	ladder := func(valid ...*bool) []Level {
		var all []Level
		for i, v := range valid { // power 1/100, 8/110, 12/300, 12.5/600, so the second is best
			l := rung(i+1, []int{1, 8, 32, 64}[i], []float64{1, 8, 12, 12.5}[i], []float64{100, 110, 300, 600}[i])
			all = append(all, judged(l, v))
		}
		return all
	}
	other := judged(rung(9, 1, 1, 100), no)
	other.Workload = "long"
	for name, c := range map[string]struct {
		levels  []Level
		valid   *bool
		invalid []int
	}{
		"all fine":             {ladder(yes, yes, yes, yes), yes, nil},
		"the best":             {ladder(yes, no, yes, yes), no, []int{2}},
		"both beside it":       {ladder(no, yes, no, yes), no, []int{1, 3}},
		"one far from it":      {ladder(yes, yes, yes, no), yes, nil},
		"of another workload":  {append(ladder(yes, yes, yes, yes), other), yes, nil},
		"none could be judged": {ladder(nil, nil, nil, nil), nil, nil},
		"one could":            {ladder(nil, yes, nil, nil), yes, nil},
		"no best, any":         {[]Level{other}, no, []int{9}},
		"nothing":              {nil, nil, nil},
	} {
		v := verdict(&Report{Reason: record.Done, Levels: c.levels}, text.English)
		if d := cmp.Diff(c.valid, v.Valid); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(c.invalid, v.Invalid); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if want := c.valid != nil && !*c.valid; want != (v.ExitCode == ExitInvalid) {
			t.Errorf("%s: exit %d", name, v.ExitCode)
		}
	}
}

// Rates are a ladder of their own; one that the endpoint does not keep up with
// is never best, however much it carried.
func TestBestRate(t *testing.T) {
	levels := []Level{offering(1, 80, 500), offering(2, 5, 100), offering(3, 20.5, 120), rung(4, 8, 1, 100)}
	levels[0] = judged(levels[0], nil, "V7")
	*levels[0].Throughput.OutputTokensPerS = 1e6
	v := verdict(&Report{Reason: record.Done, Levels: levels}, text.English)
	if v.BestRatePerS == nil || *v.BestRatePerS != 20.5 || v.BestConcurrency != nil || *v.BestLevel != 3 || !contains(v.Because, "the latency of 5 requests/s") {
		t.Errorf("%+v", v)
	}
	for i := range levels[:3] {
		levels[i] = judged(levels[i], nil, "V7")
	}
	none := verdict(&Report{Reason: record.Done, Levels: levels[:3]}, text.English)
	if none.BestLevel != nil || none.BestRatePerS != nil || !contains(none.Because, "of 3, 0 short", "3 that the endpoint did not keep up with") {
		t.Errorf("%+v", none)
	}
}

func TestLevelsAreNamed(t *testing.T) {
	talks := func(l Level) Level { l.Load.Turns = ptr(8); return l }
	for want, l := range map[string]Level{
		"concurrency 8":     rung(1, 8, 1, 1),
		"8 users":           talks(rung(1, 8, 1, 1)),
		"20 requests/s":     offering(1, 20, 1),
		"31.25 requests/s":  offering(1, 31.25, 1),
		"0.0167 requests/s": offering(1, 1.0/60, 1),
		"33.33 sessions/s":  talks(offering(1, 100.0/3, 1)),
		"12345 requests/s":  offering(1, 12345, 1),
	} {
		if got := l.Named().In(text.English); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// Users come in a ladder by their number, rates by their height, each apart.
func TestLaddersOfKinds(t *testing.T) {
	users := rung(5, 4, 1, 1)
	users.Load.Kind, users.Load.Turns = record.Closed, ptr(8)
	more := rung(6, 2, 1, 1)
	more.Load.Kind, more.Load.Turns = record.Closed, ptr(8)
	r := &Report{Levels: []Level{offering(1, 20, 1), users, offering(2, 5, 1), more}}
	got := map[string][]int{}
	for _, l := range Ladders(r) {
		for _, level := range l.Levels {
			got[l.Kind] = append(got[l.Kind], level.Level)
		}
	}
	if d := cmp.Diff(map[string][]int{record.Open: {2, 1}, record.Closed: {6, 5}}, got); d != "" {
		t.Error(d)
	}
}
