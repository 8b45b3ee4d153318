package arrival

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidemark/text"
)

func pace(t testing.TB, s string) Pace {
	t.Helper()
	p, err := ParsePace(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func dues(t testing.TB, s Schedule) []time.Duration {
	t.Helper()
	var all []time.Duration
	for r, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Due)
	}
	return all
}

func TestConstantIsExact(t *testing.T) {
	got := dues(t, &Paced{Law: Constant, Pace: pace(t, "8"), Requests: 1_000_001})
	if got[0] != 0 || got[1] != 125*time.Millisecond || got[1_000_000] != 125_000*time.Second {
		t.Error(got[0], got[1], got[1_000_000])
	}
	// Three a second for a second: at 0, a third, two thirds; the next would be at its end.
	got = dues(t, &Paced{Law: Constant, Pace: pace(t, "3@1s")})
	if !slices.Equal(got, []time.Duration{0, 333333333, 666666667}) {
		t.Error(got)
	}
}

// A ramp from 0 to 10 a second over 10 s offers t²/2: request i is due at
// √(2i).
func TestRamp(t *testing.T) {
	got := dues(t, &Paced{Law: Constant, Pace: pace(t, "0..10@10s")})
	if len(got) != 50 {
		t.Fatal(len(got))
	}
	for i, due := range got {
		if want := time.Duration(math.Sqrt(2*float64(i))*1e9 + .5); (due - want).Abs() > 1 {
			t.Errorf("request %d: %v, not %v", i, due, want)
		}
	}
	// Down again, mirrored: 10 − t²/2 … and steps follow each other.
	down := dues(t, &Paced{Law: Constant, Pace: pace(t, "10..0@10s+2@2s")})
	if len(down) != 54 || down[50] != 10*time.Second || down[51] != 10500*time.Millisecond {
		t.Error(len(down), down[50:])
	}
}

// distance is the Kolmogorov-Smirnov statistic of a sample against a law.
func distance(xs []float64, cdf func(float64) float64) float64 {
	slices.Sort(xs)
	worst, n := 0.0, float64(len(xs))
	for i, x := range xs {
		f := cdf(x)
		worst = max(worst, f-float64(i)/n, float64(i+1)/n-f)
	}
	return worst
}

// gammaCDF is the regularized lower incomplete gamma function, by its series.
func gammaCDF(shape, x float64) float64 {
	if x <= 0 {
		return 0
	}
	term := math.Exp(shape*math.Log(x) - x - lgamma(shape+1))
	sum := term
	for k := 1; k < 5000 && term > 1e-17*sum; k++ {
		term *= x / (shape + float64(k))
		sum += term
	}
	return min(sum, 1)
}

func lgamma(x float64) float64 { v, _ := math.Lgamma(x); return v }

// Gaps, seen on the pace's own clock, follow the law; the statistic stays
// below the 1 % point, 1.63/√n, at each of the seeds.
func TestGapsFollowTheLaw(t *testing.T) {
	offered := map[string]func(t float64) float64{
		"50":              func(t float64) float64 { return 50 * t },
		"0..100@100s":     func(t float64) float64 { return t * t / 2 },
		"20@100s+100@40s": func(t float64) float64 { return min(t, 100)*20 + max(t-100, 0)*100 },
	}
	for written, amount := range offered {
		for _, c := range []struct {
			law Law
			cv  float64
		}{{Poisson, 1}, {Gamma, 1}, {Gamma, .5}, {Gamma, 2}} {
			for seed := range uint64(3) {
				p := &Paced{Law: c.law, CV: c.cv, Pace: pace(t, written), Seed: seed, Requests: 5000}
				var gaps []float64
				before := 0.0
				for _, due := range dues(t, p) {
					now := amount(due.Seconds())
					gaps = append(gaps, now-before)
					before = now
				}
				shape := 1 / (c.cv * c.cv)
				d := distance(gaps, func(x float64) float64 { return gammaCDF(shape, x*shape) })
				if limit := 1.63 / math.Sqrt(float64(len(gaps))); len(gaps) < 3000 || d > limit {
					t.Errorf("%s %s cv %v seed %d: distance %.4f of %d gaps, limit %.4f", written, c.law, c.cv, seed, d, len(gaps), limit)
				}
			}
		}
	}
}

// The gaps of wild bursts are often shorter than a nanosecond: they are held
// to the law before a schedule rounds them.
func TestWildGaps(t *testing.T) {
	for _, cv := range []float64{4, 10} {
		next := (&Paced{Law: Gamma, CV: cv, Seed: 1}).gaps()
		gaps := make([]float64, 5000)
		for i := range gaps {
			gaps[i] = next()
		}
		shape := 1 / (cv * cv)
		if d := distance(gaps, func(x float64) float64 { return gammaCDF(shape, x*shape) }); d > 1.63/math.Sqrt(5000) {
			t.Errorf("cv %v: distance %.4f", cv, d)
		}
	}
}

func TestPortableFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-300, 1e300).Draw(t, "x")
		if got, want := ln(x), math.Log(x); math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
			t.Errorf("ln %v = %v, not %v", x, got, want)
		}
		y := rapid.Float64Range(-700, 700).Draw(t, "y")
		if got, want := exp(y), math.Exp(y); math.Abs(got-want) > 2e-13*want {
			t.Errorf("exp %v = %v, not %v", y, got, want)
		}
	})
}

// The digests were computed on amd64 and on 386, which round alike; every
// machine must give them.
func TestTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		p    Paced
		want string
	}{
		{Paced{Law: Constant, Pace: pace(t, "7@100s")}, "c4cfe79034973ef9"},
		{Paced{Law: Poisson, Pace: pace(t, "20"), Seed: 1, Requests: 1000}, "7ae4a9700cebbe5d"},
		{Paced{Law: Poisson, Pace: pace(t, "1..50@1m+60/min@1m"), Seed: 2}, "d85a85f2020252f6"},
		{Paced{Law: Gamma, CV: .5, Pace: pace(t, "20"), Seed: 3, Requests: 1000}, "4e5131391635adaf"},
		{Paced{Law: Gamma, CV: 3, Pace: pace(t, "20"), Seed: 3, Requests: 1000}, "7de4ce91b6a1e62b"},
	} {
		sum, err := Summarize(&c.p, 10)
		if err != nil {
			t.Fatal(err)
		}
		if sum.SHA256[:16] != c.want {
			t.Errorf("%s %s: %s", c.p.Law, c.p.Pace.Text, sum.SHA256[:16])
		}
	}
}

func anyPaced(t *rapid.T) *Paced {
	p := &Paced{
		Law: rapid.SampledFrom(Laws()).Draw(t, "law"), CV: rapid.Float64Range(.1, 5).Draw(t, "cv"),
		Seed: rapid.Uint64().Draw(t, "seed"), Requests: rapid.IntRange(0, 300).Draw(t, "requests"),
	}
	for range rapid.IntRange(1, 4).Draw(t, "segments") {
		from, to := rapid.Float64Range(0, 50).Draw(t, "from"), rapid.Float64Range(0, 50).Draw(t, "to")
		p.Pace.Segments = append(p.Pace.Segments, Segment{from, to, time.Duration(rapid.Int64Range(1, 3e9).Draw(t, "for"))})
	}
	if rapid.Bool().Draw(t, "weighted") {
		p.Weight = func(i int) float64 { return float64(i%7) / 2 }
	}
	return p
}

func TestAnySchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPaced(t)
		first := dues2(p)
		if !slices.IsSorted(first) {
			t.Fatal("not sorted")
		}
		if n := len(first); n > 0 && (first[0] < 0 || first[n-1] >= p.Pace.Length()) || p.Requests > 0 && n > p.Requests {
			t.Fatal("outside its window")
		}
		if !slices.Equal(first, dues2(p)) {
			t.Fatal("another schedule from the same seed")
		}
		sum, err := Summarize(p, 10)
		if err != nil || sum.Requests != len(first) || sum.Length > p.Pace.Length() {
			t.Fatal(sum, err)
		}
		n := 0
		for _, b := range sum.Bins {
			n += b
		}
		if n != len(first) {
			t.Fatal("bins", sum.Bins)
		}
	})
}

func dues2(s Schedule) (all []time.Duration) {
	for r := range s.All() {
		all = append(all, r.Due)
	}
	return all
}

// At twice the rate everything is due in half the time.
func TestTwiceTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Float64Range(.01, 1e5).Draw(t, "rate")
		p := Paced{Law: rapid.SampledFrom(Laws()).Draw(t, "law"), CV: 2, Requests: 50, Seed: rapid.Uint64().Draw(t, "seed")}
		fast := p
		p.Pace.Segments = []Segment{{From: rate, To: rate}}
		fast.Pace.Segments = []Segment{{From: 2 * rate, To: 2 * rate}}
		quick := dues2(&fast)
		for i, due := range dues2(&p) {
			if (due/2 - quick[i]).Abs() > 1 {
				t.Fatalf("request %d: %v and %v", i, due, quick[i])
			}
		}
	})
}

// What a pace in tokens lets through never runs ahead of it by more than the
// request that is due.
func TestWeights(t *testing.T) {
	p := &Paced{Law: Constant, Pace: pace(t, "100@60s"), Weight: func(i int) float64 { return float64(10 + i%90) }}
	sent := 0.0
	for i, due := range dues(t, p) {
		if ahead := sent - 100*due.Seconds(); math.Abs(ahead) > 1e-6 {
			t.Fatalf("request %d is due with %v tokens ahead", i, ahead)
		}
		sent += p.weight(i)
	}
	if sent < 5990 || sent > 6100 {
		t.Error(sent, "tokens in a minute at 100 a second")
	}
}

func TestParsePace(t *testing.T) {
	for written, want := range map[string][]Segment{
		"20":                   {{20, 20, 0}},
		" 60/min ":             {{1, 1, 0}},
		"0.5":                  {{.5, .5, 0}},
		"3600/h@2h":            {{1, 1, 2 * time.Hour}},
		"5..50@1m":             {{5, 50, time.Minute}},
		"60..600/min@1m":       {{1, 10, time.Minute}},
		"1/s..600/min":         {{1, 10, 0}},
		"0..10@1m + 10@2m + 5": {{0, 10, time.Minute}, {10, 10, 2 * time.Minute}, {5, 5, 0}},
	} {
		if p, err := ParsePace(written); err != nil || !slices.Equal(p.Segments, want) {
			t.Errorf("%q: %v, %v", written, p.Segments, err)
		}
	}
	for written, id := range map[string]string{
		"": "arrival.rate", "x": "arrival.rate", "-1": "arrival.rate", "NaN": "arrival.rate", "Inf": "arrival.rate", "0x10": "arrival.rate", "5..": "arrival.rate",
		"0": "arrival.zero", "0..0@1m": "arrival.zero", "0/min": "arrival.zero", "5/day": "arrival.unit", "5/": "arrival.unit", "2e6": "arrival.too_fast",
		"5@": "arrival.duration", "5@0s": "arrival.duration", "5@-1s": "arrival.duration", "5@200h": "arrival.duration", "5@10": "arrival.duration",
		"5+6": "arrival.no_duration", "5@60h+6@60h": "arrival.too_long",
	} {
		_, err := ParsePace(written)
		if f := new(text.Fault); !errors.As(err, &f) || f.What.ID != id || f.Hint.ID == "" {
			t.Errorf("%q: %v, not %s", written, err, id)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Paced
		want string
	}{
		{"fine", Paced{Law: Poisson, Pace: pace(t, "5@10s")}, ""},
		{"law", Paced{Law: "bursty", Pace: pace(t, "5@10s")}, "arrival.law"},
		{"cv", Paced{Law: Gamma, Pace: pace(t, "5@10s")}, "arrival.cv"},
		{"cv too small to draw", Paced{Law: Gamma, CV: 1e-160, Pace: pace(t, "5@10s")}, "arrival.cv"},
		{"cv too large", Paced{Law: Gamma, CV: 10.5, Pace: pace(t, "5@10s")}, "arrival.cv"},
		{"no pace", Paced{Law: Poisson, Requests: 10}, "arrival.zero"},
		{"endless", Paced{Law: Poisson, Pace: pace(t, "5")}, "arrival.endless"},
		{"never there", Paced{Law: Poisson, Pace: pace(t, "5..50"), Requests: 10}, "arrival.ramp"},
		{"shorter than one arrival", Paced{Law: Poisson, Pace: pace(t, "1/h@1s"), Seed: 1}, "arrival.short"},
		{"shorter than one arrival, though one is due at once", Paced{Law: Constant, Pace: pace(t, "1/h@1s")}, "arrival.short"},
		{"shorter than one arrival of its weight", Paced{Law: Constant, Pace: pace(t, "5@10s"), Weight: func(int) float64 { return 51 }}, "arrival.short"},
		{"as regular as gamma arrivals can be", Paced{Law: Gamma, CV: leastCV, Pace: pace(t, "5@10s")}, ""},
		{"one arrival, in floating point a hair less", Paced{Law: Constant, Pace: pace(t, "0.09/h@11h6m40s")}, ""},
		{"one arrival", Paced{Law: Constant, Pace: pace(t, "1/h@1h")}, ""},
		{"long enough, and yet none", Paced{Law: Poisson, Pace: pace(t, "1@1s"), Seed: 1}, "arrival.none"},
		{"days", Paced{Law: Poisson, Pace: pace(t, "1/h"), Requests: 101}, "arrival.too_slow"},
		{"ages", Paced{Law: Poisson, Pace: pace(t, "1e-300"), Requests: 1}, "arrival.too_slow"},
		{"just short enough", Paced{Law: Constant, Pace: pace(t, "1/h"), Requests: 100}, ""},
		{"more than anyone sends", Paced{Law: Poisson, Pace: pace(t, "1000000@10m")}, "arrival.too_many"},
		{"as many, of which some are wanted", Paced{Law: Poisson, Pace: pace(t, "1000000@10m"), Requests: 10}, ""},
		{"made long enough", Paced{Law: Poisson, Pace: pace(t, "5..50").Within(time.Minute)}, ""},
	} {
		err := c.p.Check()
		var f *text.Fault
		if errors.As(err, &f); c.want == "" && err != nil || c.want != "" && (f == nil || f.What.ID != c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func FuzzParsePace(f *testing.F) {
	for _, s := range []string{"20", "60/min", "5..50@1m", "5@30s+20@30s", "+", "..", "@", "1e308/h", "1e-300", "1e-300..1@1ns"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePace(s)
		if err != nil {
			return
		}
		if p.Text != strings.TrimSpace(s) || len(p.Segments) == 0 || p.Length() < 0 {
			t.Errorf("%q: %+v", s, p)
		}
		again, err := ParsePace(p.Text)
		if err != nil || !slices.Equal(again.Segments, p.Segments) {
			t.Errorf("%q: %v then %v", s, p.Segments, again.Segments)
		}
		all := dues2(&Paced{Law: Poisson, Pace: p, Requests: 100})
		if n := len(all); n > 100 || !slices.IsSorted(all) || n > 0 && (all[0] < 0 || !p.Endless() && all[n-1] >= p.Length()) {
			t.Errorf("%q: %v", s, all)
		}
	})
}

func benchmark(b *testing.B, p Paced) {
	p.Requests = math.MaxInt
	b.ReportAllocs()
	n := 0
	for range p.All() {
		if n++; n > b.N {
			break
		}
	}
}

func BenchmarkPoisson(b *testing.B) { benchmark(b, Paced{Law: Poisson, Pace: pace(b, "1000")}) }
func BenchmarkGamma(b *testing.B)   { benchmark(b, Paced{Law: Gamma, CV: 2, Pace: pace(b, "1000")}) }
func BenchmarkRamp(b *testing.B) {
	benchmark(b, Paced{Law: Poisson, Pace: pace(b, "1..1000000@99h")})
}
