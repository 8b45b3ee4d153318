package stat

import "math"

// Trend is the least-squares slope of ys over their index, and how far to
// each side its 95 % interval reaches. Neighbours that are alike count for
// less than they are: the interval is widened by their correlation. Below
// [trendFewest] values nothing can be said: ok is false.
func Trend(ys []float64) (slope, within float64, ok bool) {
	n := float64(len(ys))
	if len(ys) < trendFewest {
		return 0, 0, false
	}
	middle, m := (n-1)/2, mean(ys)
	var sxy, sxx float64
	for i, y := range ys {
		d := float64(i) - middle
		sxy, sxx = sxy+d*(y-m), sxx+d*d
	}
	slope = sxy / sxx
	rest := make([]float64, len(ys))
	squares := 0.0
	for i, y := range ys {
		rest[i] = y - m - slope*(float64(i)-middle)
		squares += rest[i] * rest[i]
	}
	if squares == 0 {
		return slope, 0, true
	}
	r := likeness(rest, squares)
	widen := (1 + r) / (1 - r)
	freedom := max(leastFreedom, n/widen-2)
	return slope, student975(freedom) * math.Sqrt(squares/(n-2)/sxx*widen), true
}

const (
	trendFewest  = 8   // values that a trend needs
	leastFreedom = 3.0 // degrees of it, of the slope's interval
	mostAlike    = .9  // correlation of neighbours, beyond which a short series can't tell it
)

// likeness is the correlation of neighbours, from 0 up, corrected for what a
// short series hides of it.
func likeness(rest []float64, squares float64) float64 {
	sum := 0.0
	for i := 1; i < len(rest); i++ {
		sum += rest[i-1] * rest[i]
	}
	r := sum / squares
	r += (1 + 4*r) / float64(len(rest))
	return min(max(r, 0), mostAlike)
}

// student975 is the 97.5 % point of Student's t, within 0.2 % from 3 degrees
// of freedom on: the expansion around the normal distribution's.
func student975(freedom float64) float64 {
	const z = 1.959963984540054
	z3, z5, z7, z9 := z*z*z, z*z*z*z*z, math.Pow(z, 7), math.Pow(z, 9)
	terms := []float64{
		(z3 + z) / 4,
		(5*z5 + 16*z3 + 3*z) / 96,
		(3*z7 + 19*z5 + 17*z3 - 15*z) / 384,
		(79*z9 + 776*z7 + 1482*z5 - 1920*z3 - 945*z) / 92160,
	}
	t, power := z, 1.0
	for _, term := range terms {
		power *= freedom
		t += term / power
	}
	return t
}
