package stat

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// near is within the 0.1 % that a histogram promises; durations below 2,048 ns
// have a bucket of their own.
func near(got, want float64) bool { return math.Abs(got-want) <= 0.001*want+1e-12 }

func TestHistSummaryIsNearTheExactOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.SliceOfN(rapid.Int64Range(0, int64(time.Hour)), 1, 300).Draw(t, "ns")
		var h Hist
		exact := make([]float64, len(ns))
		for i, v := range ns {
			h.Record(v)
			exact[i] = float64(v) / 1e6
		}
		got, want := h.Summary(), Summarize(exact)
		if !ordered(got) {
			t.Fatalf("order: %+v", got)
		}
		if got.N != want.N || got.Min != want.Min || got.Max != want.Max {
			t.Fatalf("%+v, not %+v", got, want)
		}
		for name, pair := range map[string][2]float64{
			"mean": {got.Mean, want.Mean}, "p50": {got.P50, want.P50}, "p90": {got.P90, want.P90},
			"p95": {got.P95, want.P95}, "p99": {got.P99, want.P99},
		} {
			if !near(pair[0], pair[1]) {
				t.Fatalf("%s: %v, not %v", name, pair[0], pair[1])
			}
		}
		if math.Abs(got.SD-want.SD) > 1e-9*(1+want.SD) {
			t.Fatalf("sd: %v, not %v", got.SD, want.SD)
		}
	})
}

// Gaps of 20, 20 and 20 ms: their figures are exact, or 0.1 % above at most.
func TestHistOfEqualGaps(t *testing.T) {
	var h Hist
	for range 3 {
		h.Record(20e6)
	}
	want := &Summary{N: 3, Mean: 20, Min: 20, P50: 20, P90: 20, P95: 20, P99: 20, Max: 20, Thin: []string{"p90", "p95", "p99"}}
	if d := cmp.Diff(want, h.Summary(), about); d != "" {
		t.Error(d)
	}
}

func TestHistEdges(t *testing.T) {
	var h Hist
	if h.Summary() != nil || h.n() != 0 || h.Above(0) != 0 {
		t.Error("an empty one says something")
	}
	h.Record(-5)
	h.Record(math.MaxInt64)
	s := h.Summary()
	if s.Min != 0 || s.Max != 3.6e6 || s.N != 2 {
		t.Errorf("%+v", s)
	}
}

func TestHistAbove(t *testing.T) {
	var h Hist
	for i := range 100 {
		h.Record(int64(i+1) * 1e6) // 1..100 ms
	}
	// 91..100 ms are above 90.5 ms.
	if n := h.Above(90.5e6); n != 10 {
		t.Errorf("%d above", n)
	}
}
