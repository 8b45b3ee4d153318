package render

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNum(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {0.0001, "<0.001"}, {0.0312, "0.031"}, {0.0999, "0.10"}, {0.433, "0.43"}, {9.994, "9.99"}, {9.996, "10.0"},
		{54.23, "54.2"}, {99.94, "99.9"}, {99.96, "100"}, {312.4, "312"}, {1999.6, "2,000"}, {123456, "123,456"},
		{999_999.4, "999,999"}, {999_999.6, "1.0e6"}, {1.26e12, "1.3e12"}, {-54.23, "-54.2"},
		{math.NaN(), absent}, {math.Inf(1), absent},
	} {
		if got := num(c.v); got != c.want {
			t.Errorf("num(%v) = %s, want %s", c.v, got, c.want)
		}
	}
}

func TestNumStaysSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if s := num(rapid.Float64().Draw(t, "v")); len(s) > 9 {
			t.Fatal(s)
		}
	})
}

// What is not all is never shown as all.
func TestPercentNeverRoundsUp(t *testing.T) {
	for v, want := range map[float64]string{100: "100 %", 99.9999: "99.99 %", 98.75: "98.75 %", 96.875: "96.87 %", 0: "0 %", 87.5: "87.5 %"} {
		if got := percent(&v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
	if got := percent(nil); got != absent {
		t.Error(got)
	}
}

func TestMillisAndClock(t *testing.T) {
	for ms, want := range map[float64]string{312.4: "312 ms", 9_999: "9,999 ms", 10_000: "10.0 s", 14_902: "14.9 s", 0.42: "0.42 ms"} {
		if got := millis(ms); got != want {
			t.Errorf("%v: %s, want %s", ms, got, want)
		}
	}
	for d, want := range map[time.Duration]string{0: "0 s", -time.Second: "0 s", 41 * time.Second: "41 s", 125 * time.Second: "2 min 05 s",
		62 * time.Minute: "1 h 02 min", 59_600 * time.Millisecond: "1 min 00 s"} {
		if got := clock(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

func TestStretchNamesItsZone(t *testing.T) {
	o := options("en")
	from := time.Date(2026, 3, 14, 15, 59, 0, 0, time.UTC) // 23:59 in Shanghai
	if got, want := o.stretch(from, from.Add(30*time.Second)), "2026-03-14 23:59:00 – 23:59:30 UTC+08:00"; got != want {
		t.Error(got)
	}
	if got, want := o.stretch(from, from.Add(time.Minute)), "2026-03-14 23:59:00 – 2026-03-15 00:00:00 UTC+08:00"; got != want {
		t.Error(got)
	}
}
