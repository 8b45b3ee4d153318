package arrival

import (
	"math"
	"math/rand/v2"
)

// gaps returns what draws the law's gaps, of mean 1, one after the other.
func (p *Paced) gaps() func() float64 {
	r := &draws{rand.NewPCG(p.Seed, 0x7469_6465_6d61_726b), 0, false}
	switch p.Law {
	case Poisson:
		return r.exponential
	case Gamma:
		shape := 1 / float64(p.CV*p.CV)
		return func() float64 { return r.gamma(shape) / shape }
	}
	return func() float64 { return 1 }
}

// draws are random numbers. Only the generator's raw bits are used: what the
// library makes of them may change between releases of Go.
type draws struct {
	bits  *rand.PCG
	spare float64 // a normal that came with the last one
	has   bool
}

// uniform is in (0, 1).
func (d *draws) uniform() float64 {
	return (float64(d.bits.Uint64()>>12) + .5) / (1 << 52)
}

func (d *draws) exponential() float64 { return -ln(d.uniform()) }

// normal draws by Marsaglia's polar method.
func (d *draws) normal() float64 {
	if d.has {
		d.has = false
		return d.spare
	}
	for {
		x, y := float64(2*d.uniform())-1, float64(2*d.uniform())-1
		s := float64(x*x) + float64(y*y)
		if s >= 1 || s == 0 {
			continue
		}
		f := math.Sqrt(float64(-2*ln(s)) / s)
		d.spare, d.has = float64(y*f), true
		return float64(x * f)
	}
}

// gamma draws from the gamma law of a shape and scale 1, by Marsaglia and
// Tsang's method (ACM TOMS 26, 2000); below shape 1 by their power of a
// uniform.
func (d *draws) gamma(shape float64) float64 {
	if shape < 1 {
		u := d.uniform()
		// Bounded from below, so that a wild shape gives a tiny gap and no
		// underflow.
		return float64(d.gamma(shape+1) * exp(max(ln(u)/shape, -700)))
	}
	k := shape - 1.0/3
	c := 1 / math.Sqrt(float64(9*k))
	for {
		x := d.normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = float64(float64(v*v) * v)
		u := d.uniform()
		x2 := float64(x * x)
		if ln(u) < float64(.5*x2)+k-float64(k*v)+float64(k*ln(v)) {
			return float64(k * v)
		}
	}
}
