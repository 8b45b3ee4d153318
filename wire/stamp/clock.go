package stamp

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// absurd is a lag that no reader has.
	absurd = time.Minute
	// slack is how far two looks at the clocks may differ by the time between
	// the wall's reading and the monotonic one's. That is some 25 ns, known
	// within 10 in 99 of 100 looks and within 100 in all but one of 10,000; the
	// rest were interrupted between the two, for up to 0.6 ms.
	slack = 10 * time.Microsecond
	// lookEvery is how long a look is trusted.
	lookEvery = 10 * time.Millisecond
	// slewing is how fast one clock may run away from the other without having
	// been set, in parts per million. (Linux slews both alike.)
	slewing = 500
	// tries of a look: the one that was interrupted least is taken.
	tries = 3
)

// Within bounds how far a kernel stamp may be misplaced on the monotonic
// clock. A clock that was set by less, between an arrival and its read, goes
// unseen; one that was set by more is a step.
const Within = slack + lookEvery*slewing/1_000_000

// Steps is how often the wall clock was set, or the machine slept, since the
// program began, as far as was seen: it is looked for here and at each read.
// What arrived before a step and was read after it is stamped by its read.
func Steps() int64 {
	clocks.look()
	return clocks.steps.Load()
}

// reading is both clocks at one moment, in ns: the wall's since 1970, the
// monotonic one's since begun.
type reading struct{ wall, mono int64 }

func (r reading) offset() int64 { return r.wall - r.mono }

var begun = time.Now()

func readingOf(t time.Time) reading { return reading{t.UnixNano(), int64(t.Sub(begun))} }

// clocks are the machine's own.
var clocks = newClockPair(func() reading { return readingOf(time.Now()) })

// place moves a stamp of the wall clock, in ns since 1970, onto the monotonic
// one. now was taken right after the read, and nothing of the read arrived
// before emptied; zero: not known. It returns now itself, and false, where
// there is no stamp, or where the wall clock may have been set since the
// arrival.
func place(now time.Time, stamped int64, emptied time.Time) (time.Time, bool) {
	r := readingOf(now)
	since := r.mono - int64(absurd)
	if !emptied.IsZero() {
		since = int64(emptied.Sub(begun))
	}
	if lag, ok := clocks.lag(r, stamped, since); ok {
		return now.Add(-lag), true
	}
	return now, false
}

// clockPair knows how far the two clocks are apart. All connections share one:
// looking costs several readings, so it is done now and then, and each read
// only checks that its own reading agrees.
type clockPair struct {
	read func() reading

	offset  atomic.Int64 // as last seen
	looked  atomic.Int64 // the monotonic moment of that
	stepped atomic.Int64 // the last step was over by then; 0: there was none
	steps   atomic.Int64
	looking sync.Mutex
}

func newClockPair(read func() reading) *clockPair {
	c := &clockPair{read: read}
	r := c.best()
	c.offset.Store(r.offset())
	c.looked.Store(r.mono)
	return c
}

// lag is how long after a stamp r was, for bytes that came after the moment
// since; false where it can't be told. It goes by the last look and not by
// r.wall, for the thread may have been off its core inside r.
func (c *clockPair) lag(r reading, stamped, since int64) (time.Duration, bool) {
	moved := time.Duration(r.offset() - c.offset.Load())
	if moved > slack || moved < -slack || r.mono-c.looked.Load() > int64(lookEvery) {
		c.look()
	}
	// The offset is loaded before the step: whoever finds a new one finds the
	// step that made it.
	lag := time.Duration(r.mono + c.offset.Load() - stamped)
	step := c.stepped.Load()
	return lag, stamped != 0 && lag >= 0 && lag <= absurd && (step == 0 || since >= step)
}

// look sees how far the clocks are apart, and whether that is a step.
func (c *clockPair) look() {
	c.looking.Lock()
	defer c.looking.Unlock()
	r := c.best()
	moved := time.Duration(r.offset() - c.offset.Load()).Abs()
	if moved > slack+time.Duration(r.mono-c.looked.Load())*slewing/1_000_000 {
		c.steps.Add(1)
		c.stepped.Store(r.mono)
	}
	c.offset.Store(r.offset())
	c.looked.Store(r.mono)
}

// best is the reading that was interrupted least. The wall is read first, so
// that whatever comes between makes the offset too small.
func (c *clockPair) best() reading {
	best := c.read()
	for range tries - 1 {
		if r := c.read(); r.offset() > best.offset() {
			best = r
		}
	}
	return best
}
