package stat

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var about = cmpopts.EquateApprox(1e-12, 1e-12)

// to is 1..n in a random order.
func to(n int) []float64 {
	xs := make([]float64, n)
	for i, v := range rand.Perm(n) {
		xs[i] = float64(v + 1)
	}
	return xs
}

// Nearest rank of p in n values is ⌈p·n⌉.
func TestSummarize(t *testing.T) {
	thin := []string{"p90", "p95", "p99"}
	for name, c := range map[string]struct {
		xs   []float64
		want *Summary
	}{
		"nothing": {nil, nil},
		"one": {[]float64{300},
			&Summary{N: 1, Mean: 300, Min: 300, P50: 300, P90: 300, P95: 300, P99: 300, Max: 300, Thin: thin}},
		// Ranks of two: ⌈1⌉ = 1, ⌈1.8⌉ = 2. SD: √((50²+50²)/1) = √5000.
		"two": {[]float64{200, 100},
			&Summary{N: 2, Mean: 150, SD: math.Sqrt(5000), Min: 100, P50: 100, P90: 200, P95: 200, P99: 200, Max: 200, Thin: thin}},
		// Ranks of three: ⌈1.5⌉ = 2, the rest 3. SD: √((10²+10²)/2) = 10.
		"three": {[]float64{30, 10, 20},
			&Summary{N: 3, Mean: 20, SD: 10, Min: 10, P50: 20, P90: 30, P95: 30, P99: 30, Max: 30, Thin: thin}},
		// Ranks of six: 3, ⌈5.4⌉ = 6. Mean 21/6; SD of 1..6: √(17.5/5).
		"six": {to(6),
			&Summary{N: 6, Mean: 3.5, SD: math.Sqrt(3.5), Min: 1, P50: 3, P90: 6, P95: 6, P99: 6, Max: 6, Thin: thin}},
		// SD of 1..100: √(n(n+1)/12) = √(100·101/12). 100 is enough for p90.
		"hundred": {to(100),
			&Summary{N: 100, Mean: 50.5, SD: math.Sqrt(100 * 101 / 12.0), Min: 1, P50: 50, P90: 90, P95: 95, P99: 99, Max: 100, Thin: thin[1:]}},
		"the same four times": {[]float64{7, 7, 7, 7},
			&Summary{N: 4, Mean: 7, Min: 7, P50: 7, P90: 7, P95: 7, P99: 7, Max: 7, Thin: thin}},
		// Ten values, five of them doubled: ranks 5, 9, 10, 10.
		"duplicates": {[]float64{1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
			&Summary{N: 10, Mean: 3, SD: math.Sqrt(20.0 / 9), Min: 1, P50: 3, P90: 5, P95: 5, P99: 5, Max: 5, Thin: thin}},
		// p99 of 1..1000 is 990, not the 10 of a percentile read as 0.99 %.
		"thousand": {to(1000),
			&Summary{N: 1000, Mean: 500.5, SD: math.Sqrt(1000 * 1001 / 12.0), Min: 1, P50: 500, P90: 900, P95: 950, P99: 990, Max: 1000, Thin: []string{}}},
		"a large mean": {[]float64{1e9 + 1, 1e9 + 2, 1e9 + 3},
			&Summary{N: 3, Mean: 1e9 + 2, SD: 1, Min: 1e9 + 1, P50: 1e9 + 2, P90: 1e9 + 3, P95: 1e9 + 3, P99: 1e9 + 3, Max: 1e9 + 3, Thin: thin}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, Summarize(c.xs), about); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestThinBelowItsN(t *testing.T) {
	for _, c := range []struct {
		n    int
		thin []string
		p999 bool
	}{
		{63, []string{"p90", "p95", "p99"}, false},
		{64, []string{"p95", "p99"}, false},
		{129, []string{"p95", "p99"}, false},
		{130, []string{"p99"}, false},
		{661, []string{"p99"}, false},
		{662, []string{}, false},
		{6635, []string{}, false},
		{6636, []string{}, true},
	} {
		s := Summarize(to(c.n))
		if d := cmp.Diff(c.thin, s.Thin); d != "" {
			t.Errorf("n = %d: %s", c.n, d)
		}
		if (s.P999 != nil) != c.p999 {
			t.Errorf("n = %d: p999 %v", c.n, s.P999)
		}
	}
	// ⌈0.999 · 6636⌉ = ⌈6629.364⌉
	if p := Summarize(to(6636)).P999; *p != 6630 {
		t.Errorf("p999 of 1..6636: %v", *p)
	}
}

// What the table of needed says is what the binomial says: with one value above
// it, a one-sided 99 % upper bound for quantile p exists once at most one value
// in a hundred samples of n has that few above.
func TestNeededIsTheBinomials(t *testing.T) {
	for name, p := range map[string]float64{"p90": .90, "p95": .95, "p99": .99, "p999": .999} {
		enough := func(n int) bool {
			f := float64(n)
			return math.Pow(p, f)+f*(1-p)*math.Pow(p, f-1) < .01
		}
		if n := Needed(name); !enough(n) || enough(n-1) {
			t.Errorf("%s: %d", name, n)
		}
	}
	if Needed("p50") != 0 || Needed("p7") != 0 {
		t.Error("needed where nothing is")
	}
}

func ordered(s *Summary) bool {
	return slices.IsSorted([]float64{s.Min, s.P50, s.P90, s.P95, s.P99, s.Max}) &&
		(s.P999 == nil || s.P99 <= *s.P999 && *s.P999 <= s.Max)
}

func TestPercentilesAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(0, 1e7), 1, 300).Draw(t, "xs")
		s := Summarize(xs)
		if !ordered(s) {
			t.Fatalf("%+v", s)
		}
		if s.N != len(xs) || s.SD < 0 || s.Mean < s.Min-1e-6 || s.Mean > s.Max+1e-6 {
			t.Fatalf("%+v", s)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Fatal(err)
		}
	})
}

func TestMedian(t *testing.T) {
	if Median(nil) != nil {
		t.Error("of nothing")
	}
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 3, 2}, 2.5},
	} {
		if got := Median(c.xs); *got != c.want {
			t.Errorf("%v: %v, not %v", c.xs, *got, c.want)
		}
	}
}
