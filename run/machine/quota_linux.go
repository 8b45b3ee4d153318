package machine

import (
	"os"

	"golang.org/x/sys/unix"
)

func quota(h host) float64 {
	limits := []float64{affinity()}
	for _, g := range h.groups("cpu") {
		limits = append(limits, g.cores())
	}
	var least float64
	for _, l := range limits {
		if l > 0 && (least == 0 || l < least) {
			least = l
		}
	}
	return least
}

// affinity is how many cores the process may run on; 0: not known, as on a
// machine of more than a thousand.
func affinity() float64 {
	var set unix.CPUSet
	if unix.SchedGetaffinity(os.Getpid(), &set) != nil {
		return 0
	}
	return float64(set.Count())
}

// cores is the group's limit; 0: it has none.
func (g group) cores() float64 {
	var h host
	if g.version == 2 { // "max 100000" or "150000 100000"
		limit, rest := word(h.read(g.file("cpu.max")))
		period, _ := word(rest)
		return share(limit, period)
	}
	limit, _ := word(h.read(g.file("cpu.cfs_quota_us"))) // -1: none
	period, _ := word(h.read(g.file("cpu.cfs_period_us")))
	return share(limit, period)
}

func share(limit, period []byte) float64 {
	l, limited := number(limit)
	p, known := number(period)
	if !limited || !known || p == 0 {
		return 0
	}
	return float64(l) / float64(p)
}
