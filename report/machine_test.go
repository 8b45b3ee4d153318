package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
)

// Looks a quarter of a second apart: the wall clock may drift by 125 µs
// between them, by what is not known of it, and by a millisecond.
func TestClockSteps(t *testing.T) {
	const within = 1e5
	for name, c := range map[string]struct {
		ahead, slept int64 // ns, from the twentieth look on
		steps        int
		step         *float64
	}{
		"steady":                 {0, 0, 0, nil},
		"drift":                  {1.3e6, 0, 0, nil}, // 0.125 + 0.1 + 0.1 + 1 ms are allowed
		"set ahead":              {5e6, 0, 1, ptr(5.0)},
		"set back":               {-40e6, 0, 1, ptr(-40.0)},
		"asleep":                 {3e9, 3e9, 0, nil},
		"asleep, and set ahead":  {3e9 + 2e6, 3e9, 1, ptr(2.0)},
		"set before or after it": {0, 0, 0, nil},
	} {
		s := calm(false)
		for i, m := range s.samples {
			m.WallWithin = within
			if i >= 20 {
				m.WallAhead = c.ahead
			}
		}
		s.samples[20].Slept = c.slept
		if name == "set before or after it" {
			late := &record.Sample{At: s.end.At + at(600), WallAhead: 9e9, WallWithin: within}
			s.samples = append(s.samples, &record.Sample{At: s.end.At + at(300), WallWithin: within}, late)
		}
		l := compute(t, s.records()).Levels[0]
		want := &Clock{WithinMs: .1, Steps: c.steps, StepMs: c.step}
		if c.slept > 0 {
			want.SleptMs = ptr(3000.0)
		}
		if d := cmp.Diff(want, l.Clock, about); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		var told []string
		for _, w := range l.Warnings {
			told = append(told, w.ID)
			if !contains(w.Text, "6.0 s after the run began") { // the look at 1 + 20 × 0.25 s
				t.Errorf("%s: %s", name, w.Text)
			}
		}
		var ids []string
		if c.steps > 0 {
			ids = append(ids, clockStepped)
		}
		if c.slept > 0 {
			ids = append(ids, machineSlept)
		}
		if d := cmp.Diff(ids, told); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestNoClockWithoutLooks(t *testing.T) {
	if l := compute(t, whole(twoSlots())).Levels[0]; l.Clock != nil || l.Check("V5.cpu").Status != NotApplicable {
		t.Errorf("%+v", l.Clock)
	}
}

// What was used before a level and behind it is not its own.
func TestLooksOutsideTheLevelAreNotItsOwn(t *testing.T) {
	s := calm(false)
	before := &record.Sample{At: s.start.At - at(100), CPU: 1}
	across := &record.Sample{At: s.start.At + at(1), CPU: 1}
	behind := &record.Sample{At: s.end.At + at(100), CPU: 1, ThrottledMs: 500}
	s.samples = append(append([]*record.Sample{before, across}, s.samples[1:]...), behind)
	l := compute(t, s.records()).Levels[0]
	// All that lies inside used .2 of one core.
	if d := cmp.Diff(20.0, *l.Check("V5.cpu").Found, about); d != "" || l.Check("V5.quota").Status != CheckOK {
		t.Errorf("%s %+v", d, l.Check("V5.quota"))
	}
}
