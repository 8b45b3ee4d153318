package arrival

import "math"

// Logarithm and exponential whose last bit is the same on every machine: the
// library's are written in assembly on some, and a compiler may fuse a product
// with a sum. Here every product is converted, which forbids that, and only
// sums, products, quotients and square roots are used, which IEEE 754 fixes.

// ln is the natural logarithm of a positive, finite x, within 2e-16 of it
// relative to the larger of it and 1.
func ln(x float64) float64 {
	frac, exp := math.Frexp(x) // exact; frac in [1/2, 1)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	// ln frac = 2 artanh z, by its series.
	z := (frac - 1) / (frac + 1)
	z2 := float64(z * z)
	sum, power := 0.0, z
	for k := 1; k <= 25; k += 2 { // z ≤ 0.172: the next term is below 2^-60
		sum += power / float64(k)
		power = float64(power * z2)
	}
	return float64(2*sum) + float64(float64(exp)*math.Ln2)
}

// exp is e to the power x, for x in [-700, 700], within 4e-15 of it.
func exp(x float64) float64 {
	n := math.Floor(float64(x/math.Ln2) + .5)
	r := x - float64(n*math.Ln2)
	sum, term := 1.0, 1.0
	for k := 1; k <= 18; k++ { // |r| ≤ 0.35
		term = float64(term*r) / float64(k)
		sum += term
	}
	return math.Ldexp(sum, int(n)) // exact
}
