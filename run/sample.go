package run

import (
	"time"

	"tidemark/record"
	"tidemark/run/machine"
)

// sampler returns what makes the run's samples. It is for one goroutine.
func (r *runner) sampler() func() *record.Sample {
	watch := machine.NewWatch()
	return func() *record.Sample {
		u := watch.Look()
		return &record.Sample{
			At: r.now(), Level: r.live.number(), InFlight: int(r.inFlight.Load()),
			CPU: u.CPU, MachineCPU: u.Machine, ThrottledMs: millis(u.Throttled), SchedP99Ms: millis(u.SchedP99),
			RSSBytes: u.RSS, WallAhead: int64(u.WallAhead), WallWithin: int64(u.WallWithin), Slept: int64(u.Slept),
		}
	}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
