// Package stat answers how much and how sure: summaries, percentiles and
// histograms, as arithmetic. It knows nothing of requests.
package stat

import (
	"math"
	"slices"
)

// Summary describes a sample. Its unit is the sample's. Percentiles are
// nearest rank: p90 is the smallest value that at least 90 % of the sample
// does not exceed.
type Summary struct {
	N    int      `json:"n"`
	Mean float64  `json:"mean"`
	SD   float64  `json:"sd"` // of the sample, n−1; 0 for n = 1
	Min  float64  `json:"min"`
	P50  float64  `json:"p50"`
	P90  float64  `json:"p90"`
	P95  float64  `json:"p95"`
	P99  float64  `json:"p99"`
	P999 *float64 `json:"p999"` // null where n is too small for it
	Max  float64  `json:"max"`
	// Thin names the percentiles that n is too small for: an upper bound at
	// 99 % would have no value above it. p50 is never thin.
	Thin []string `json:"thin"`
}

// needed is the least n at which a one-sided 99 % upper bound of a percentile
// still has one value of the sample above it.
var needed = []struct {
	name string
	n    int
}{
	{"p90", 64},
	{"p95", 130},
	{"p99", 662},
	{"p999", 6636},
}

// Needed is the least n at which a percentile, named as in [Summary.Thin], is
// not thin. It is 0 for p50 and for a name it doesn't know.
func Needed(percentile string) int {
	for _, row := range needed {
		if row.name == percentile {
			return row.n
		}
	}
	return 0
}

// Summarize describes xs, exactly. It sorts xs. It returns nil where there is
// nothing to describe. The values must be finite.
func Summarize(xs []float64) *Summary {
	if len(xs) == 0 {
		return nil
	}
	slices.Sort(xs)
	m := mean(xs)
	return summary(len(xs), m, deviation(xs, m), xs[0], xs[len(xs)-1],
		func(rank int) float64 { return xs[rank-1] })
}

// summary puts a sample's figures together; at gives the value of a rank,
// from 1 to n.
func summary(n int, mean, sd, least, most float64, at func(rank int) float64) *Summary {
	s := &Summary{
		N: n, Mean: mean, SD: sd, Min: least, Max: most,
		P50:  at(rank(n, 500)),
		P90:  at(rank(n, 900)),
		P95:  at(rank(n, 950)),
		P99:  at(rank(n, 990)),
		Thin: []string{},
	}
	for _, row := range needed[:3] {
		if n < row.n {
			s.Thin = append(s.Thin, row.name)
		}
	}
	if n >= Needed("p999") {
		p := at(rank(n, 999))
		s.P999 = &p
	}
	return s
}

// rank is the nearest rank of a percentile given in thousandths: the least
// rank that at least that share of n values does not exceed. Whole numbers,
// because 0.95 × 20 in floating point may be more than 19.
func rank(n, thousandths int) int {
	return max(1, (n*thousandths+999)/1000)
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// deviation is the standard deviation of a sample, in a second pass over it:
// the short formula loses its digits where the mean is large.
func deviation(xs []float64, mean float64) float64 {
	if len(xs) < 2 {
		return 0
	}
	sum := 0.0
	for _, x := range xs {
		sum += (x - mean) * (x - mean)
	}
	return math.Sqrt(sum / float64(len(xs)-1))
}

// Median is the middle of xs, or the mean of the two in the middle; nil where
// there are none. It sorts xs.
func Median(xs []float64) *float64 {
	if len(xs) == 0 {
		return nil
	}
	slices.Sort(xs)
	n := len(xs)
	m := xs[n/2]
	if n%2 == 0 {
		m = xs[n/2-1] + (xs[n/2]-xs[n/2-1])/2
	}
	return &m
}
