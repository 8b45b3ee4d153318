package arrival

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// So many a minute for a minute are so many, also where a rate per second is
// a rounded number: a request due at the end is not in the window.
func TestAsManyAsWritten(t *testing.T) {
	for unit, length := range map[string]time.Duration{"min": time.Minute, "h": time.Hour} {
		for n := 1; n <= 1000; n++ {
			p := &Paced{Law: Constant, Pace: pace(t, fmt.Sprintf("%d/%s@%v", n, unit, length))}
			if got := len(dues(t, p)); got != n {
				t.Errorf("%s: %d requests", p.Pace.Text, got)
			}
			if err := p.Check(); err != nil {
				t.Error(err)
			}
		}
	}
}

// A request that is due after the end of time ends the schedule: its moment
// fits into no duration, and must not turn into one in the past.
func TestNeverDue(t *testing.T) {
	for _, c := range []struct {
		pace string
		law  Law
		n    int
	}{
		{"1e-300", Constant, 1}, {"1e-300", Poisson, 0}, {"1e-12", Poisson, 0},
		{"1e-300..1e-299@1h", Constant, 1}, {"1e-300..1e-299@1h", Poisson, 0}, {"1e-300@1h+5", Constant, 3},
	} {
		got := dues(t, &Paced{Law: c.law, Pace: pace(t, c.pace), Requests: 3, Seed: 1})
		if len(got) != c.n || !slices.IsSorted(got) || c.n > 0 && got[0] != 0 {
			t.Errorf("%s %s: %v", c.law, c.pace, got)
		}
	}
	for _, w := range []float64{math.NaN(), math.Inf(1)} {
		p := &Paced{Law: Constant, Pace: pace(t, "5"), Requests: 3, Weight: func(int) float64 { return w }}
		if got := dues(t, p); !slices.Equal(got, []time.Duration{0}) {
			t.Errorf("weight %v: %v", w, got)
		}
	}
}

// What weighs nothing weighs a millionth, so that a schedule always ends.
func TestLeastWeight(t *testing.T) {
	for _, w := range []float64{0, -1, 1e-9} {
		p := &Paced{Law: Constant, Pace: pace(t, "5"), Requests: 3, Weight: func(int) float64 { return w }}
		if got := dues(t, p); !slices.Equal(got, []time.Duration{0, 200, 400}) {
			t.Errorf("weight %v: %v", w, got)
		}
	}
}

func TestNoEndNoSchedule(t *testing.T) {
	if got := dues(t, &Paced{Law: Poisson, Pace: pace(t, "5@1s+20")}); len(got) > 0 {
		t.Error(len(got), "requests of a schedule without an end")
	}
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		pace string
		d    time.Duration
		want time.Duration
	}{
		{"5", time.Minute, time.Minute}, {"1..5", time.Minute, time.Minute}, {"5@10s+6", time.Minute, time.Minute},
		{"5@10s", time.Minute, 10 * time.Second}, // has a length of its own
		{"5@10s+6", 10 * time.Second, 0},         // nothing is left of it: still endless
		{"5@10s+6", time.Second, 0},
	} {
		p := pace(t, c.pace)
		before := slices.Clone(p.Segments)
		if got := p.Within(c.d); got.Length() != c.want || got.Endless() != (c.want == 0) || got.Text != c.pace {
			t.Errorf("%s within %v: %+v", c.pace, c.d, got)
		}
		if !slices.Equal(p.Segments, before) {
			t.Errorf("%s was changed", c.pace)
		}
	}
	if p := (Pace{}).Within(time.Second); len(p.Segments) > 0 || p.Endless() || p.Offered() != 0 {
		t.Error(p)
	}
}

// listed is a schedule by hand, which may end in an error.
type listed struct {
	requests []Request
	err      error
}

func (l listed) All() iter.Seq2[Request, error] {
	return func(yield func(Request, error) bool) {
		for _, r := range l.requests {
			if !yield(r, nil) {
				return
			}
		}
		if l.err != nil {
			yield(Request{}, l.err)
		}
	}
}

func TestSummarize(t *testing.T) {
	l := listed{requests: []Request{{Due: 0}, {Due: 0x0102, Input: 3, Output: 4}, {Due: 0x0400, Input: 5}}}
	sum, err := Summarize(l, 4)
	if err != nil {
		t.Fatal(err)
	}
	// 0, 258 of 1,024, and the end, which is in the last part.
	if want := []int{1, 1, 0, 1}; sum.Requests != 3 || sum.Length != 0x0400 || sum.Input != 8 || sum.Output != 4 || !slices.Equal(sum.Bins, want) {
		t.Errorf("%+v", sum)
	}
	rows := "\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x02\x01\x00\x00\x00\x00\x00\x00" + "\x03\x00\x00\x00\x00\x00\x00\x00" + "\x04\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x04\x00\x00\x00\x00\x00\x00" + "\x05\x00\x00\x00\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00"
	if want := sha256.Sum256([]byte(rows)); sum.SHA256 != hex.EncodeToString(want[:]) {
		t.Error(sum.SHA256)
	}
	l.err = errors.New("torn")
	if _, err := Summarize(l, 4); err != l.err {
		t.Error(err)
	}
	if sum, err := Summarize(listed{}, 2); err != nil || sum.Requests != 0 || sum.Length != 0 || !slices.Equal(sum.Bins, []int{0, 0}) {
		t.Errorf("%+v, %v", sum, err)
	}
	if sum, err := Summarize(listed{requests: make([]Request, 2)}, 2); err != nil || !slices.Equal(sum.Bins, []int{2, 0}) {
		t.Errorf("all at once: %+v, %v", sum, err)
	}
}

func TestLengthOfASchedule(t *testing.T) {
	for _, c := range []struct {
		p    Paced
		want time.Duration
	}{
		{Paced{Law: Constant, Pace: pace(t, "5@10s")}, 10 * time.Second},
		{Paced{Law: Constant, Pace: pace(t, "5"), Requests: 10}, 2 * time.Second}, // the last is due at 1.8 s
		{Paced{Law: Constant, Pace: pace(t, "5@10s"), Requests: 10}, 2 * time.Second},
		{Paced{Law: Constant, Pace: pace(t, "5@10s"), Requests: 1000}, 10 * time.Second},
		{Paced{Law: Constant, Pace: pace(t, "0..10@10s"), Requests: 8}, 4 * time.Second}, // t²/2 = 8
		{Paced{Law: Constant, Pace: pace(t, "5"), Requests: 10, Weight: func(int) float64 { return 2 }}, 4 * time.Second},
	} {
		if sum, err := Summarize(&c.p, 1); err != nil || sum.Length != c.want {
			t.Errorf("%s, %d requests: %v, not %v; %v", c.p.Pace.Text, c.p.Requests, sum.Length, c.want, err)
		}
	}
	// Ten at five a second take two seconds, or until the last is due.
	for seed := range uint64(10) {
		p := &Paced{Law: Poisson, Pace: pace(t, "5"), Requests: 10, Seed: seed}
		sum, err := Summarize(p, 1)
		if want := max(2*time.Second, dues(t, p)[9]); err != nil || sum.Length != want {
			t.Errorf("seed %d: %v, not %v; %v", seed, sum.Length, want, err)
		}
	}
}

// offered is what a pace has offered by a moment, the plain way: the area
// under each of its lines up to there.
func offered(p Pace, at time.Duration) (sum float64) {
	at = max(at, 0)
	for _, s := range p.Segments {
		t := min(at, s.For).Seconds()
		rate := s.From
		if s.For > 0 {
			rate += (s.To - s.From) * t / s.For.Seconds() / 2
		}
		sum += rate * t
		if at -= s.For; at <= 0 {
			break
		}
	}
	return sum
}

// Whatever the pace and the law, request i is due at the moment by which the
// pace has offered what the requests before it took: a nanosecond away it
// would not have.
func TestDueWhenOffered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPaced(t)
		taken, gap := 0.0, p.gaps()
		for i, due := range dues2(p) {
			step := gap() * p.weight(i)
			if p.Law != Constant {
				taken += step
			}
			const slack = 1e-9
			early, late := offered(p.Pace, due-time.Nanosecond), offered(p.Pace, due+time.Nanosecond)
			if early > taken+slack || late < taken-slack {
				t.Fatalf("request %d, due at %v: the pace offers %v to %v, not %v", i, due, early, late, taken)
			}
			if p.Law == Constant {
				taken += step
			}
		}
	})
}
