package stat

import (
	"math"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// histMost is the longest duration that a Hist tells apart. No wait of a run
// is that long: its own limits end it before.
const histMost = int64(time.Hour)

// Hist is a histogram of durations in nanoseconds. Percentiles are within
// 0.1 %; mean, standard deviation, least and most are exact. It takes about
// 270 kB however much it is given, and nothing until it is given something.
// The zero Hist is empty and ready. It is for one goroutine.
type Hist struct {
	counts      *hdrhistogram.Histogram // nil: empty
	mean, m2    float64                 // Welford's, in nanoseconds
	least, most int64
}

// Record adds a duration. One above an hour is taken as an hour, a negative
// one as zero.
func (h *Hist) Record(ns int64) {
	if h.counts == nil {
		h.counts = hdrhistogram.New(1, histMost, 3)
		h.least = math.MaxInt64
	}
	ns = min(max(ns, 0), histMost)
	h.counts.RecordValue(ns) // in range: it can't fail
	h.least, h.most = min(h.least, ns), max(h.most, ns)
	d := float64(ns) - h.mean
	h.mean += d / float64(h.counts.TotalCount())
	h.m2 += d * (float64(ns) - h.mean)
}

// n is how many durations were recorded.
func (h *Hist) n() int64 {
	if h.counts == nil {
		return 0
	}
	return h.counts.TotalCount()
}

// Above is how many of them were longer than ns, give or take those within
// 0.1 % of it.
func (h *Hist) Above(ns int64) int64 {
	if h.counts == nil {
		return 0
	}
	n := int64(0)
	for _, bar := range h.counts.Distribution() {
		if bar.From > ns {
			n += bar.Count
		}
	}
	return n
}

// Summary describes what was recorded, in milliseconds; nil for nothing.
func (h *Hist) Summary() *Summary {
	n := h.n()
	if n == 0 {
		return nil
	}
	sd := 0.0
	if n > 1 {
		sd = math.Sqrt(h.m2 / float64(n-1))
	}
	at := func(rank int) float64 {
		// The library rounds a percentile to the nearest rank; given the
		// percentile of a rank, it returns that rank's bucket.
		v := h.counts.ValueAtPercentile(100 * float64(rank) / float64(n))
		return ms(float64(min(max(v, h.least), h.most)))
	}
	return summary(int(n), ms(h.mean), ms(sd), ms(float64(h.least)), ms(float64(h.most)), at)
}

func ms(ns float64) float64 { return ns / 1e6 }
