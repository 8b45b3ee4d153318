package report

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// arrivals is requests that come at random, so many a second, for so many
// seconds; each takes what serve says, from the moment that it is due.
func arrivals(rnd *rand.Rand, perS func(s float64) float64, length float64, serve func(due float64) float64) []offered {
	var all []offered
	for at := 0.0; ; {
		at += rnd.ExpFloat64() / perS(at)
		if at > length {
			return all
		}
		took := serve(at)
		all = append(all, offered{due: int64(1e9 * at), end: int64(1e9 * (at + took)), latency: int64(1e9 * took)})
	}
}

func constantly(perS float64) func(float64) float64 { return func(float64) float64 { return perS } }

// oneByOne serves one request at a time, each in so many seconds.
func oneByOne(each float64) func(due float64) float64 {
	free := 0.0
	return func(due float64) float64 {
		free = max(free, due) + each
		return free - due
	}
}

// randomly takes so many seconds on average.
func randomly(rnd *rand.Rand, mean float64) func(float64) float64 {
	return func(float64) float64 { return mean * rnd.ExpFloat64() }
}

// queue serves several at a time, each in so many seconds on average, in the
// order that they came.
func queue(rnd *rand.Rand, servers int, mean float64) func(due float64) float64 {
	free := make([]float64, servers)
	return func(due float64) float64 {
		first := slices.Index(free, slices.Min(free))
		free[first] = max(free[first], due) + mean*rnd.ExpFloat64()
		return free[first] - due
	}
}

func alike(took float64) func(float64) float64 { return func(float64) float64 { return took } }

// An endpoint that keeps up is hardly ever called saturated: at random
// moments, with answers of any length, near its limit too. The interval alone
// would let one in forty through.
func TestGrowthOfAnEndpointThatKeepsUp(t *testing.T) {
	const runs = 80
	for name, level := range map[string]func(*rand.Rand) []offered{
		"few":            func(r *rand.Rand) []offered { return arrivals(r, constantly(5), 10, randomly(r, .1)) },
		"many":           func(r *rand.Rand) []offered { return arrivals(r, constantly(80), 30, randomly(r, .5)) },
		"long answers":   func(r *rand.Rand) []offered { return arrivals(r, constantly(20), 60, randomly(r, 4)) },
		"answers alike":  func(r *rand.Rand) []offered { return arrivals(r, constantly(100), 15, alike(5)) },
		"half its limit": func(r *rand.Rand) []offered { return arrivals(r, constantly(50), 30, oneByOne(.01)) },
		"near its limit": func(r *rand.Rand) []offered { return arrivals(r, constantly(80), 30, oneByOne(.01)) },
		"a pause of 5 s": func(r *rand.Rand) []offered { return arrivals(r, constantly(50), 30, pausing(10, 15)) },
	} {
		rnd, saturated := rand.New(rand.NewPCG(7, 11)), 0
		for range runs {
			if g, ok := growthOf(level(rnd)); ok && !g.ramp && !g.fine(10) {
				saturated++
			}
		}
		if saturated > runs/40 {
			t.Errorf("%s: %d of %d called saturated", name, saturated, runs)
		}
	}
}

// pausing answers in 50 ms, but nothing between two moments.
func pausing(from, to float64) func(float64) float64 {
	return func(due float64) float64 {
		if due >= from && due < to {
			return to - due + .05
		}
		return .05
	}
}

// One that does not keep up is always seen, by little or by much.
func TestGrowthOfAnEndpointThatDoesNotKeepUp(t *testing.T) {
	const runs = 40
	for name, c := range map[string]struct{ rate, length float64 }{
		"by a fifth": {120, 30}, "by half": {150, 20}, "by ten times": {1000, 5},
	} {
		rnd, missed := rand.New(rand.NewPCG(3, 5)), 0
		for range runs {
			if g, ok := growthOf(arrivals(rnd, constantly(c.rate), c.length, oneByOne(.01))); !ok || g.ramp || g.fine(10) {
				missed++
			}
		}
		if missed > 1 {
			t.Errorf("%s: %d of %d missed", name, missed, runs)
		}
	}
}

// Queues at random, of a few hundred requests: at half and at .8 of what they
// serve at most one in ten is called saturated, at 1.5 times it 95 in 100 are.
// Many servers take longer to fill, and so need more requests. The true share
// at 300 requests is some 97 %: so many seeds tell it from 95.
func TestGrowthOfQueues(t *testing.T) {
	const perS, few, many = 10, 200, 1000
	for _, c := range []struct {
		servers     int
		load        float64
		requests    float64
		seeds       uint64
		least, most int // called saturated
	}{
		{1, .5, 200, few, 0, few / 10}, {1, .8, 200, few, 0, few / 10}, {1, .8, 600, few, 0, few / 10},
		{8, .5, 300, few, 0, few / 10}, {8, .8, 300, few, 0, few / 10},
		{32, .5, 300, few, 0, few / 10}, {32, .8, 300, few, 0, few / 10},
		{1, 1.5, 300, many, many * 95 / 100, many}, {8, 1.5, 300, many, many * 95 / 100, many}, {32, 1.5, 500, many, many * 95 / 100, many},
	} {
		saturated := 0
		for seed := range c.seeds {
			rnd := rand.New(rand.NewPCG(seed, 19))
			serve := queue(rnd, c.servers, c.load*float64(c.servers)/perS)
			if g, ok := growthOf(arrivals(rnd, constantly(perS), c.requests/perS, serve)); ok && !g.ramp && !g.fine(10) {
				saturated++
			}
		}
		if saturated < c.least || saturated > c.most {
			t.Errorf("%d servers at %v, %v requests: %d of %d called saturated", c.servers, c.load, c.requests, saturated, c.seeds)
		}
	}
}

// More under way since more was due says nothing.
func TestGrowthOfARamp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	for range 50 {
		g, ok := growthOf(arrivals(rnd, func(s float64) float64 { return 5 + 45*s/60 }, 60, alike(.5)))
		if !ok || !g.ramp {
			t.Fatalf("%+v", g)
		}
	}
}

// Where sessions arrive it is they who are under way: two turns of one are one.
func TestSessionsAreUnderWayAsOne(t *testing.T) {
	r := roundEdges{offered: []offered{{10, 20, 5, 1}, {50, 70, 15, 1}, {30, 40, -1, 2}}}
	if n := len(r.underWay(false)); n != 3 {
		t.Errorf("%d requests", n)
	}
	all := map[int]offered{}
	for _, o := range r.underWay(true) {
		all[o.session] = o
	}
	if all[1] != (offered{10, 70, 60, 1}) || all[2] != (offered{30, 40, 10, 2}) {
		t.Errorf("%+v", all)
	}
}
