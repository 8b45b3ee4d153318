package machine

import (
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

func TestQuantile(t *testing.T) {
	edges := []float64{0, 1, 2, math.Inf(1)}
	for _, c := range []struct {
		counts []uint64
		want   float64
	}{
		{[]uint64{0, 0, 0}, 0},
		{[]uint64{99, 1, 0}, 1}, // the 99th of 100 is in the first
		{[]uint64{98, 2, 0}, 2},
		{[]uint64{0, 0, 5}, 2}, // no upper edge: the lower one
		{[]uint64{1, 0, 0}, 1},
	} {
		if got := quantile(c.counts, edges, 0.99); got != c.want {
			t.Errorf("%v: %v", c.counts, got)
		}
	}
}

func TestThisMachine(t *testing.T) {
	if q := Quota(); q < 0 || q > 4096 {
		t.Error("quota", q)
	}
	w := NewWatch()
	began := time.Now()
	for n := 0; time.Since(began) < 60*ms; n++ {
		_ = strings.Repeat("x", n%100)
	}
	u := w.Look()
	if processTime() > 0 && (u.CPU <= 0 || u.CPU > 4096) {
		t.Error("CPU", u.CPU)
	}
	if u.Machine != 0 && u.Machine < u.CPU {
		t.Errorf("all processes kept %v cores busy, this one %v", u.Machine, u.CPU)
	}
	if u.RSS < 0 || u.Throttled < 0 || u.SchedP99 < 0 || u.Slept != 0 {
		t.Errorf("%+v", u)
	}
	// A clock may be set while a test runs, but hardly by an hour.
	if u.WallAhead.Abs() > time.Hour || u.WallWithin < 0 {
		t.Error("wall", u.WallAhead, u.WallWithin)
	}
	if l := Lacks(Need{Connections: 1, Memory: 1}); l != (Lack{}) {
		t.Errorf("%+v", l)
	}
}

// In virtual time nothing is said of what happens in a second, and a look
// takes no time.
func TestVirtualTime(t *testing.T) {
	if processTime() == 0 {
		t.Skip("virtual time can't be told here")
	}
	synctest.Test(t, func(t *testing.T) {
		w := NewWatch()
		began := time.Now()
		for range 5 {
			time.Sleep(250 * ms)
			u := w.Look()
			if u.RSS = 0; u != (Use{}) {
				t.Errorf("%+v", u)
			}
		}
		if d := time.Since(began); d != 1250*ms {
			t.Error("took", d-1250*ms)
		}
	})
}

func TestCores(t *testing.T) {
	for _, c := range []struct {
		used, passed time.Duration
		want         float64
	}{
		{500 * ms, 250 * ms, 2}, {0, ms, 0}, {ms, 0, 0}, {-ms, ms, 0},
	} {
		if got := cores(c.used, c.passed); got != c.want {
			t.Errorf("%v in %v: %v", c.used, c.passed, got)
		}
	}
}

// In virtual time both clocks go together: what a look tells is only what the
// first reading is moved by.
func TestWall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall()
		time.Sleep(time.Hour)
		if ahead, within := w.look(); ahead != 0 || within != 0 {
			t.Error("not moved:", ahead, within)
		}
		w.first.distance -= 3 * time.Second // since then the clock was set 3 s ahead
		if ahead, _ := w.look(); ahead != 3*time.Second {
			t.Error("ahead", ahead)
		}
	})
	real := newWall()
	if ahead, within := real.look(); within > 0 && ahead.Abs() > within+ms {
		t.Errorf("%v within %v", ahead, within)
	}
}

func BenchmarkLook(b *testing.B) {
	w := NewWatch()
	b.ReportAllocs()
	for b.Loop() {
		w.Look()
	}
}
