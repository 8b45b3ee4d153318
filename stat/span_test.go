package stat

import "testing"

func TestShare(t *testing.T) {
	w := Span{100, 200}
	for _, c := range []struct {
		s    Span
		want float64
	}{
		{Span{100, 200}, 1},
		{Span{120, 140}, 1},
		{Span{50, 150}, .5},
		{Span{150, 350}, .25},
		{Span{0, 400}, .25},
		{Span{0, 100}, 0},
		{Span{200, 300}, 0},
		{Span{150, 150}, 1},
		{Span{99, 99}, 0},
		{Span{180, 120}, 1}, // ends before it begins: of no length
	} {
		if got := c.s.Share(w); got != c.want {
			t.Errorf("%v: %v, not %v", c.s, got, c.want)
		}
	}
}

// Two slots over [0, 100]: one is busy 0–60 and 60–100, the other 20–70. The
// time in flight is 60 + 40 + 50 = 150, so 1.5 on average, 2 at most; the
// handover at 60 is not a third.
func TestHeld(t *testing.T) {
	spans := []Span{{0, 60}, {60, 100}, {20, 70}}
	if mean, most := Held(spans, Span{0, 100}); mean != 1.5 || most != 2 {
		t.Errorf("%v, %v", mean, most)
	}
	// In [80, 120] one is busy for the half of it.
	if mean, most := Held(spans, Span{80, 120}); mean != .5 || most != 1 {
		t.Errorf("%v, %v", mean, most)
	}
	if mean, most := Held(spans, Span{50, 50}); mean != 0 || most != 0 {
		t.Errorf("a window of no length: %v, %v", mean, most)
	}
	if mean, most := Held(nil, Span{0, 1}); mean != 0 || most != 0 {
		t.Errorf("nothing: %v, %v", mean, most)
	}
}
