package report

import (
	"cmp"
	"math"
	"slices"

	"tidemark/stat"
)

// growth is how the number of requests under way changed over a round's
// window.
type growth struct {
	mean, from, to float64 // of the line through it
	within         float64 // of to − from: its 95 % interval to each side
	ramp           bool    // what was due changed too
}

func (g growth) share() float64 {
	if g.mean == 0 {
		return 0
	}
	return (g.to - g.from) / g.mean
}

// fine reports whether the growth is none: within its interval, below the
// limit in percent, or as small as chance makes it, where few are under way.
func (g growth) fine(limit float64) bool {
	by := g.to - g.from
	return by <= g.within || by <= limit/100*g.mean || by <= byChance*math.Sqrt(g.mean)
}

const (
	// batches is the parts of a window, each with its mean. A queue that grows
	// wanders about its line, so that neighbours are alike and the interval is
	// wide. Of 3,000 queues at 1.5 times what is served, of 300 requests each,
	// 20 parts left 8 in 100 unseen, 40 parts 3; of those at .8 of it either
	// called some 2 in 100 saturated. From 60 on more answers that are all alike
	// are.
	batches = 40
	// byChance is how many standard deviations the number under way may move.
	// It is about its own square root where requests come at random.
	byChance = 3
	// rampFrom is the change of what is due, as a share of its mean, from which
	// more under way is no wonder; far beyond what chance does to arrivals at
	// one rate.
	rampFrom = .25
	// early is the share of requests, the first ones, by whose latency a level
	// settles: those of an endpoint that does not keep up wait without end.
	early    = 20 // one in so many
	earliest = 5  // but so many at least
	// settled is the share of these that must be over by then.
	settled = .95
)

// growthOf needs a window that is longer than what the level takes to settle.
func growthOf(all []offered) (growth, bool) {
	due, ok := dueSpan(all)
	if !ok {
		return growth{}, false
	}
	warm := settling(all)
	w := stat.Span{From: due.From + warm, To: due.To}
	if w.Len() <= warm || w.Len() < batches {
		return growth{}, false
	}
	under, dues := inBatches(all, w)
	slope, within, ok := stat.Trend(under)
	if !ok {
		return growth{}, false
	}
	g := growth{within: within * batches, ramp: ramps(dues)}
	for _, n := range under {
		g.mean += n / batches
	}
	g.from, g.to = max(g.mean-slope*batches/2, 0), g.mean+slope*batches/2
	return g, true
}

// settling is what nearly all of the requests that were due first took: by
// then as many end as come. 0: none of these came to a good end.
func settling(all []offered) int64 {
	byDue := slices.SortedFunc(slices.Values(all), func(a, b offered) int { return cmp.Compare(a.due, b.due) })
	n := min(max(len(byDue)/early, earliest), len(byDue))
	took := sorted(byDue[:n])
	if len(took) == 0 {
		return 0
	}
	return took[int(settled*float64(len(took)-1))]
}

// inBatches is, for each equal part of a window, how many requests were under
// way on average, be it that the cap held them, and how many were due.
func inBatches(all []offered, w stat.Span) (under, dues []float64) {
	under, dues = make([]float64, batches), make([]float64, batches)
	for i := range batches {
		part := stat.Span{From: w.From + w.Len()*int64(i)/batches, To: w.From + w.Len()*int64(i+1)/batches}
		for _, o := range all {
			in := stat.Span{From: max(o.due, part.From), To: min(o.end, part.To)}
			under[i] += float64(in.Len()) / float64(part.Len())
			if o.due >= part.From && o.due < part.To {
				dues[i]++
			}
		}
	}
	return under, dues
}

// ramps reports whether what was due grew or fell.
func ramps(dues []float64) bool {
	slope, within, ok := stat.Trend(dues)
	total := 0.0
	for _, n := range dues {
		total += n
	}
	by := math.Abs(slope) * batches
	return ok && by > 2*within*batches && by > rampFrom*total/batches
}
