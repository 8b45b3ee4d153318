package run

import (
	"bytes"
	"math"
	"os"
	"runtime/metrics"
	"strconv"
	"time"

	"tidemark/record"
)

const schedLatencies = "/sched/latencies:seconds"

// machine is what was last seen of this process.
type machine struct {
	at    time.Time
	cpu   time.Duration
	sched []metrics.Sample
	seen  []uint64 // the scheduler's counts, by bucket
}

func newMachine() *machine {
	m := &machine{sched: []metrics.Sample{{Name: schedLatencies}}}
	m.cores(time.Now())
	m.waits()
	return m
}

// sampler returns what makes the run's samples. It is for one goroutine.
func (r *runner) sampler() func(time.Time) *record.Sample {
	m := newMachine()
	return func(now time.Time) *record.Sample {
		return &record.Sample{
			At: r.now(), Level: r.live.number(), InFlight: int(r.inFlight.Load()),
			CPU: m.cores(now), SchedP99Ms: m.waits() * 1e3, RSSBytes: resident(),
		}
	}
}

// cores is how many cores the process kept busy since it was last asked.
func (m *machine) cores(now time.Time) float64 {
	cpu, passed := processTime(), now.Sub(m.at)
	used := cpu - m.cpu
	m.at, m.cpu = now, cpu
	if passed <= 0 {
		return 0
	}
	return used.Seconds() / passed.Seconds()
}

// waits is the 99th percentile, in seconds, of how long goroutines that could
// run waited for a thread since it was last asked: the upper edge of the
// runtime's bucket. 0: none waited.
func (m *machine) waits() float64 {
	metrics.Read(m.sched)
	if m.sched[0].Value.Kind() != metrics.KindFloat64Histogram {
		return 0
	}
	h := m.sched[0].Value.Float64Histogram()
	if len(m.seen) != len(h.Counts) {
		m.seen = make([]uint64, len(h.Counts))
	}
	fresh := make([]uint64, len(h.Counts))
	for i, n := range h.Counts {
		fresh[i] = n - m.seen[i]
	}
	copy(m.seen, h.Counts)
	return quantile(fresh, h.Buckets, 0.99)
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

// resident is the process's memory in bytes, where Linux tells it; else 0.
func resident() int64 {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(statm)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
