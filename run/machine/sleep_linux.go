package machine

import (
	"math"
	"time"

	"golang.org/x/sys/unix"
)

// sleep tells how long the machine was suspended: then one clock goes on and
// another does not.
type sleep struct{ last distance }

// distance is between which nanoseconds the distance of the two clocks lies.
type distance struct{ low, high int64 }

func newSleep() sleep { return sleep{last: clocks()} }

// look tells of the time since the last one. What the readings can't tell
// apart is no sleep.
func (s *sleep) look() time.Duration { return s.see(clocks()) }

func (s *sleep) see(now distance) time.Duration {
	low, high := max(now.low, s.last.low), min(now.high, s.last.high)
	if low <= high {
		s.last = distance{low, high}
		return 0
	}
	slept := (now.low+now.high)/2 - (s.last.low+s.last.high)/2
	s.last = now
	return max(time.Duration(slept), 0)
}

// clocks reads the clock that counts suspended time between two looks at the
// one that doesn't; the closest of a few readings.
func clocks() distance {
	var best distance
	for i := range tries {
		before, with, after := clock(unix.CLOCK_MONOTONIC), clock(unix.CLOCK_BOOTTIME), clock(unix.CLOCK_MONOTONIC)
		d := distance{with - after, with - before}
		if i == 0 || d.high-d.low < best.high-best.low {
			best = d
		}
	}
	return best
}

// clock is a clock in nanoseconds.
func clock(id int32) int64 {
	var t unix.Timespec
	if unix.ClockGettime(id, &t) != nil {
		return math.MinInt32 // the same for each: a distance of nothing
	}
	return t.Nano()
}
