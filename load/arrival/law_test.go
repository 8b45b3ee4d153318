package arrival

import (
	"math"
	"testing"
)

// Mean and coefficient of variation of many gaps, within five standard errors
// of the law's: the mean's is CV/√n; the variance's, of a gamma law with shape
// k, is √((2 + 6/k)/n) of it, and the CV's half of that and its own mean's.
func TestMoments(t *testing.T) {
	const n = 400_000
	for _, c := range []struct {
		law Law
		cv  float64
	}{{Poisson, 1}, {Gamma, leastCV}, {Gamma, .1}, {Gamma, 1}, {Gamma, 2}, {Gamma, 4}} {
		for seed := range uint64(2) {
			next := (&Paced{Law: c.law, CV: c.cv, Seed: seed}).gaps()
			sum, squares := 0.0, 0.0
			for range n {
				g := next() - 1
				sum += g
				squares += g * g
			}
			mean := 1 + sum/n
			cv := math.Sqrt(squares/n-(mean-1)*(mean-1)) / mean
			if limit := 5 * c.cv / math.Sqrt(n); math.Abs(mean-1) > limit {
				t.Errorf("%s cv %v seed %d: mean %v, limit %v", c.law, c.cv, seed, mean, limit)
			}
			if limit := 5 * (math.Sqrt((2+6*c.cv*c.cv)/n)/2 + c.cv/math.Sqrt(n)); math.Abs(cv/c.cv-1) > limit {
				t.Errorf("%s cv %v seed %d: cv %v, limit %v", c.law, c.cv, seed, cv, limit)
			}
		}
	}
}

// Poisson arrivals in equal parts of time are Poisson counts, each part for
// itself: their dispersion is chi-square with as many degrees of freedom, and
// neighbours tell nothing of each other.
func TestPoissonCounts(t *testing.T) {
	const parts, each = 2000, 20
	for seed := range uint64(3) {
		sum, err := Summarize(&Paced{Law: Poisson, Pace: pace(t, "20@2000s"), Seed: seed}, parts)
		if err != nil {
			t.Fatal(err)
		}
		square, neighbours := 0.0, 0.0
		for i, n := range sum.Bins {
			d := float64(n - each)
			square += d * d / each
			if i > 0 {
				neighbours += d * float64(sum.Bins[i-1]-each) / each
			}
		}
		if z := (square - parts) / math.Sqrt(2*parts); math.Abs(z) > 3 {
			t.Errorf("seed %d: chi-square %v of %d, %v standard deviations away", seed, square, parts, z)
		}
		if z := neighbours / math.Sqrt(parts); math.Abs(z) > 3 {
			t.Errorf("seed %d: neighbours' correlation is %v standard deviations from none", seed, z)
		}
	}
}

// Schedules of two seeds have nothing in common, also where the seeds are
// neighbours.
func TestSeedsAreApart(t *testing.T) {
	const n = 20_000
	a, b := (&Paced{Law: Poisson, Seed: 1}).gaps(), (&Paced{Law: Poisson, Seed: 2}).gaps()
	product := 0.0
	for range n {
		product += (a() - 1) * (b() - 1)
	}
	if z := product / math.Sqrt(n); math.Abs(z) > 3 {
		t.Errorf("correlated: %v standard deviations from none", z)
	}
}
