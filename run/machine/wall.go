package machine

import "time"

// tries is how often a pair of clocks is read, for the closest of them.
const tries = 3

// wall is how far the wall clock lies from the monotonic one.
type wall struct {
	began time.Time // the monotonic clock is counted from here
	first reading
}

// reading is the wall clock's distance to the monotonic one, known within a
// half of the time that it took to read them.
type reading struct{ distance, within time.Duration }

func newWall() wall {
	w := wall{began: time.Now()}
	w.first = w.read()
	return w
}

// look tells how much the distance grew since the first reading. within is 0
// where it is not known: a clock stood still between two readings.
func (w *wall) look() (ahead, within time.Duration) {
	r := w.read()
	if r.within == 0 || w.first.within == 0 {
		return r.distance - w.first.distance, 0
	}
	return r.distance - w.first.distance, r.within + w.first.within
}

// read is the closest of a few readings: the wall clock is read between two
// looks at the monotonic one.
func (w *wall) read() reading {
	var best reading
	for i := range tries {
		before, between, after := time.Now(), time.Now(), time.Now()
		took := after.Sub(before)
		if i == 0 || took < 2*best.within {
			shown := time.Duration(between.UnixNano() - w.began.UnixNano())
			best = reading{shown - before.Sub(w.began) - took/2, (took + 1) / 2}
		}
	}
	return best
}
