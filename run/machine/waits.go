package machine

import (
	"math"
	"runtime/metrics"
	"time"
)

const schedLatencies = "/sched/latencies:seconds"

// waits is how long goroutines that could run waited for a thread.
type waits struct {
	sample []metrics.Sample
	seen   []uint64 // the scheduler's counts, by bucket, since the process began
	fresh  []uint64 // those since the last look
}

func newWaits() waits { return waits{sample: []metrics.Sample{{Name: schedLatencies}}} }

// p99 is the 99th percentile since it was last asked: the upper edge of the
// runtime's bucket. 0: none waited.
func (w *waits) p99() time.Duration {
	metrics.Read(w.sample)
	if w.sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return 0
	}
	h := w.sample[0].Value.Float64Histogram()
	if len(w.seen) != len(h.Counts) {
		w.seen, w.fresh = make([]uint64, len(h.Counts)), make([]uint64, len(h.Counts))
	}
	for i, n := range h.Counts {
		w.fresh[i] = n - w.seen[i]
	}
	copy(w.seen, h.Counts)
	return time.Duration(quantile(w.fresh, h.Buckets, 0.99) * float64(time.Second))
}

// quantile is the upper edge of the bucket that holds the q-th of the counts,
// or its lower edge where it has no upper one. There is one edge more than
// there are counts. 0: all counts are zero.
func quantile(counts []uint64, edges []float64, q float64) float64 {
	var total, below uint64
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		return 0
	}
	rank := uint64(math.Ceil(q * float64(total)))
	for i, n := range counts {
		if below += n; below >= rank {
			if up := edges[i+1]; !math.IsInf(up, 1) {
				return up
			}
			return edges[i]
		}
	}
	return 0
}
