package report

import (
	"testing"

	"tidemark/record"
)

// Who was late is told by when reads came, or without the kernel's stamps by
// when readers were woken. Where neither is known it counts against the client.
func TestWhoWasLate(t *testing.T) {
	readStamped := func(s *scene, waitMs float64) {
		s.every(1, func(a *record.Attempt) { a.Stamps, a.Lags = "read", nil })
		for _, m := range s.samples {
			m.SchedP99Ms = waitMs
		}
	}
	for name, c := range map[string]struct {
		spoil         func(*scene)
		frames, reads Status
		valid         bool
		bursts        bool
		says          string
	}{
		"bursts, read at once": {func(s *scene) { s.every(2, uncertain(.1)) },
			Undecided, NotApplicable, true, true, "read them promptly"},
		"bursts, a few of them read late": {func(s *scene) { s.every(2, uncertain(.1)); s.every(200, uncertain(5)) },
			Undecided, NotApplicable, true, true, "read them promptly"},
		"read late": {func(s *scene) { s.every(2, uncertain(5)) },
			CheckFailed, NotApplicable, false, false, "were read late"},
		"bursts, readers woken in time": {func(s *scene) { s.every(2, uncertain(.1)); readStamped(s, .2) },
			Undecided, CheckOK, true, true, "woken in time"},
		"nothing known of the readers": {func(s *scene) { s.every(2, uncertain(.1)); readStamped(s, 0) },
			CheckFailed, Undecided, false, false, "or the endpoint sends several"},
	} {
		s := calm(false)
		c.spoil(s)
		l := compute(t, s.records()).Levels[0]
		got := statuses(l)
		if got["V1.frames"] != c.frames || got["V1.reads"] != c.reads {
			t.Errorf("%s: V1.frames %s, V1.reads %s", name, got["V1.frames"], got["V1.reads"])
		}
		if v := l.Validity.Valid; v == nil || *v != c.valid {
			t.Errorf("%s: valid %v", name, v)
		}
		if l.Bursts() != c.bursts || !l.Uncertain() {
			t.Errorf("%s: bursts %v, uncertain %v", name, l.Bursts(), l.Uncertain())
		}
		if !contains(l.Check("V1.frames").Says, c.says) {
			t.Errorf("%s: %q", name, l.Check("V1.frames").Says)
		}
		if (l.Check("V1.frames").Remedy != "") != (c.frames == CheckFailed) {
			t.Errorf("%s: remedy %q", name, l.Check("V1.frames").Remedy)
		}
	}
}

// later puts what came of an attempt later, and not its send.
func later(s *scene, a *record.Attempt, ms float64) {
	for _, c := range []*record.Offset{&a.FirstByte, &a.FirstOut, &a.FirstAns, &a.LastOut, &a.Terminal, &a.End} {
		*c += at(ms)
	}
	s.end.InFlightS += ms / 1000
	s.end.At = max(s.end.At, a.End)
}

// However slow an endpoint is, the checks of what was sent are ok, and it is
// seen for what it is.
func TestSlowEndpointsAreTheirOwnDoing(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(*scene)
		v2, v3 Status
		growth Status
	}{
		"a rate beyond it": {func(s *scene) {
			for i, a := range s.attempts {
				later(s, a, float64(i)*spacing/2)
			}
		}, CheckOK, CheckOK, CheckFailed},
		"a rate beyond it, and a cap": {func(s *scene) {
			s.start.Load.MaxInFlight = 8
			for i, a := range s.attempts[8:] {
				a.Held = true
				move(a, float64(i)*spacing/2)
			}
			s.end.At = s.attempts[many-1].End
		}, CheckOK, CheckOK, CheckFailed},
		"a cap that kept some to the end": {func(s *scene) {
			s.start.Load.MaxInFlight = 8
			s.every(2, func(a *record.Attempt) { a.Held = true; move(a, 40) })
			s.end.Due, s.end.Unsent = many+8, 8
		}, CheckOK, Undecided, CheckOK},
		"each answer slow": {func(s *scene) {
			for _, a := range s.attempts {
				later(s, a, 4000)
			}
		}, CheckOK, CheckOK, CheckOK},
		"answers longer than the level": {func(s *scene) {
			for _, a := range s.attempts {
				later(s, a, spacing*many)
			}
		}, CheckOK, CheckOK, Undecided},
		"a stall of five seconds": {func(s *scene) {
			from, to := s.attempts[300].Due, s.attempts[300].Due+at(5000)
			for _, a := range s.attempts {
				if a.Due >= from && a.Due < to {
					later(s, a, float64(to-a.Due)/1e6)
				}
			}
		}, CheckOK, CheckOK, CheckOK},
	} {
		s := calm(true)
		c.spoil(s)
		l := compute(t, s.records()).Levels[0]
		got := statuses(l)
		if got["V2"] != c.v2 || got["V3"] != c.v3 || got["V7"] != c.growth {
			t.Errorf("%s: V2 %s, V3 %s, V7 %s", name, got["V2"], got["V3"], got["V7"])
		}
		if l.Saturated() != (c.growth == CheckFailed) {
			t.Errorf("%s: saturated %v", name, l.Saturated())
		}
		if v := l.Validity.Valid; v == nil || !*v {
			t.Errorf("%s: valid %v, failed %v", name, v, failedChecks(l))
		}
	}
}

// What the cap kept to the end is the plan's doing, and only that: where the
// records say how many those are, the others that were never sent are judged.
func TestCapExcusesOnlyWhatItHeld(t *testing.T) {
	for name, c := range map[string]struct {
		unsent, kept int
		want         Status
	}{
		"all by the cap":        {50, 50, CheckOK},
		"all but one":           {50, 49, CheckOK},
		"some by the client":    {50, 30, CheckFailed},
		"the records don't say": {50, 0, Undecided},
	} {
		s := calm(true)
		s.start.Load.MaxInFlight = 8
		s.every(2, func(a *record.Attempt) { a.Held = true; move(a, 40) })
		s.end.Due, s.end.Unsent, s.end.Held = many+c.unsent, c.unsent, c.kept
		l := compute(t, s.records()).Levels[0]
		k := l.Check("V3")
		if k.Status != c.want || (k.Remedy != "") != (c.want == CheckFailed) || *l.Validity.Valid != (c.want != CheckFailed) {
			t.Errorf("%s: valid %v, %+v", name, *l.Validity.Valid, k)
		}
		if !contains(k.Says, "the cap of 8") {
			t.Errorf("%s: %q", name, k.Says)
		}
	}
}

// What was due ever more often says nothing of the endpoint.
func TestRampLeavesGrowthUndecided(t *testing.T) {
	s := calm(true)
	kept := s.attempts[:0]
	for i, a := range s.attempts { // one in four at first, all at last
		if i%4 < 1+3*i/many {
			kept = append(kept, a)
			later(s, a, 500)
		}
	}
	s.attempts, s.end.Due = kept, len(kept)
	s.end.InFlightS = .564 * float64(len(kept))
	l := compute(t, s.records()).Levels[0]
	if c := l.Check("V7"); c.Status != Undecided || l.Saturated() || !contains(c.Says, "due") {
		t.Errorf("%+v", c)
	}
}
