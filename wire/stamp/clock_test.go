package stamp

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// fake is a machine whose wall clock can be set, and whose reader can be
// interrupted between its two readings.
type fake struct {
	mono, offset int64
	interrupted  []int64 // what each of the next readings loses
}

const year2020 = 1_577_836_800_000_000_000

func newFake() *fake { return &fake{mono: int64(time.Hour), offset: year2020} }

func (f *fake) read() reading {
	r := reading{wall: f.mono + f.offset}
	f.mono += 25
	if len(f.interrupted) > 0 {
		f.mono += f.interrupted[0]
		f.interrupted = f.interrupted[1:]
	}
	r.mono = f.mono
	return r
}

func (f *fake) pass(d time.Duration) { f.mono += int64(d) }
func (f *fake) wall() int64          { return f.mono + f.offset }

func TestLag(t *testing.T) {
	const us, msec = time.Microsecond, time.Millisecond
	for _, tt := range []struct {
		name  string
		lag   time.Duration // from arrival to read
		set   time.Duration // the wall clock, just after the arrival
		slept time.Duration // before the arrival, since the last look
		lost  []int64       // by interrupted readings
		ok    bool
		steps int64
	}{
		{"a lag", 5 * us, 0, 0, nil, true, 0},
		{"none", 0, 0, 0, nil, true, 0},
		{"a minute", time.Minute - us, 0, 0, nil, true, 0},
		{"more than a minute", time.Minute + us, 0, 0, nil, false, 0},
		{"set forward", 5 * msec, time.Second, 0, nil, false, 1},
		{"set back", 5 * msec, -time.Second, 0, nil, false, 1},
		{"set back, by less than the lag", 5 * msec, -msec, 0, nil, false, 1},
		{"set forward by a little", 5 * msec, 50 * us, 0, nil, false, 1},
		{"slewed as far as it may be", 0, 4 * msec, 8 * time.Second, nil, true, 0},
		{"slewed further", 0, 5 * msec, 8 * time.Second, nil, false, 1},
		{"interrupted inside the reading", 5 * us, 0, 0, []int64{600_000}, true, 0},
		{"interrupted there and in the look", 5 * us, 0, 0, []int64{600_000, 600_000, 600_000, 0}, true, 0},
		{"interrupted, and set", 5 * msec, time.Second, 0, []int64{600_000}, false, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake()
			c := newClockPair(f.read)
			f.pass(tt.slept)
			emptied := f.mono
			stamp, arrived := f.wall(), f.mono
			f.offset += int64(tt.set)
			f.pass(tt.lag)
			f.interrupted = tt.lost
			r := f.read()
			lag, ok := c.lag(r, stamp, emptied)
			if ok != tt.ok || c.steps.Load() != tt.steps {
				t.Fatalf("lag %v, %v, %d steps; want %v, %d", lag, ok, c.steps.Load(), tt.ok, tt.steps)
			}
			if off := r.mono - int64(lag) - arrived; ok && tt.slept == 0 && (off < -100 || off > 100) {
				t.Errorf("placed %d ns off", off)
			}
		})
	}
	f := newFake()
	if _, ok := newClockPair(f.read).lag(f.read(), 0, 0); ok {
		t.Error("a stamp where there is none")
	}
}

// What a step leaves in doubt is what came before it, on every connection, and
// nothing that came after.
func TestDoubtEndsWithTheStep(t *testing.T) {
	f := newFake()
	c := newClockPair(f.read)
	before := f.mono
	f.pass(time.Millisecond)
	stamp := f.wall()
	f.offset -= int64(time.Hour)
	f.pass(time.Millisecond)
	for range 2 { // two connections; the second finds the step seen
		if _, ok := c.lag(f.read(), stamp, before); ok {
			t.Error("a stamp from before the step was believed")
		}
	}
	after := f.mono
	f.pass(time.Millisecond)
	stamp = f.wall()
	f.pass(time.Millisecond)
	if lag, ok := c.lag(f.read(), stamp, after); !ok || lag < time.Millisecond || lag > time.Millisecond+100 {
		t.Errorf("after the step: lag %v, %v", lag, ok)
	}
	if c.steps.Load() != 1 {
		t.Errorf("%d steps", c.steps.Load())
	}
}

// Whatever is set, however large, whenever, and whoever is interrupted: a
// stamp that is believed is right within Within. (The largest of the three
// readings of a look is right; that each is interrupted for as long as the
// clock was set is not tried.)
func TestBelievedStampsAreRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFake()
		c := newClockPair(f.read)
		type connection struct {
			emptied, arrived, stamp int64 // arrived 0: nothing waits
		}
		conns := make([]connection, 3)
		for i := range conns {
			conns[i].emptied = f.mono
		}
		set := int64(0)
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			f.pass(time.Duration(rapid.IntRange(0, int(15*time.Millisecond)).Draw(t, "passes")))
			k := &conns[rapid.IntRange(0, len(conns)-1).Draw(t, "connection")]
			switch rapid.IntRange(0, 5).Draw(t, "event") {
			case 0:
				by := rapid.OneOf(rapid.Int64Range(-int64(time.Hour), int64(time.Hour)), rapid.Int64Range(-30_000, 30_000)).Draw(t, "by")
				f.offset += by
				set++
			case 1, 2:
				if k.arrived == 0 {
					k.arrived, k.stamp = f.mono, f.wall()
				}
			default:
				if k.arrived == 0 {
					continue
				}
				f.interrupted = []int64{rapid.Int64Range(0, 600_000).Draw(t, "interrupted")}
				r := f.read()
				lag, ok := c.lag(r, k.stamp, k.emptied)
				// Steps too small to be seen may add up while bytes wait.
				if off := time.Duration(r.mono - int64(lag) - k.arrived).Abs(); ok && off > Within+time.Duration(set)*Within {
					t.Fatalf("off by %v", off)
				}
				k.emptied, k.arrived = r.mono, 0
			}
		}
		if c.steps.Load() > set {
			t.Fatalf("%d steps seen of %d", c.steps.Load(), set)
		}
	})
}

// On a machine that nobody sets the clock of, no step is seen.
func TestNoStepIsSeen(t *testing.T) {
	before := Steps()
	for range 100_000 {
		now := time.Now()
		if at, ok := place(now, now.UnixNano()-5000, now.Add(-time.Second)); ok && now.Sub(at) < 5000-100 {
			t.Fatalf("placed %v before its read", now.Sub(at))
		}
	}
	if after := Steps(); after != before {
		t.Errorf("%d steps", after-before)
	}
}
