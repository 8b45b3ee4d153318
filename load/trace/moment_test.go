package trace

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The unit of a number is in the name of its column, however it is written.
func TestUnit(t *testing.T) {
	for _, c := range []struct {
		name       string
		csv, lines time.Duration
	}{
		{"timestamp", time.Second, time.Millisecond},
		{"timestamps", time.Second, time.Millisecond}, // a plural
		{"timestamp_s", time.Second, time.Second},
		{"timestampMs", time.Millisecond, time.Millisecond},
		{"Time (ms)", time.Millisecond, time.Millisecond},
		{"arrival-time us", time.Microsecond, time.Microsecond},
		{"TIMESTAMP_NS", time.Nanosecond, time.Nanosecond},
		{"start_time_seconds", time.Second, time.Second},
		{"when_ms", time.Millisecond, time.Millisecond},
		{"items", time.Second, time.Millisecond}, // ends like a unit, and is none
		{"ms", time.Second, time.Millisecond},
	} {
		if got := time.Duration(unit(c.name, false)); got != c.csv {
			t.Errorf("%s in CSV: %v", c.name, got)
		}
		if got := time.Duration(unit(c.name, true)); got != c.lines {
			t.Errorf("%s in JSON lines: %v", c.name, got)
		}
	}
	for _, name := range []string{"timestampMs", "Time (ms)", "arrival-time us", "TIMESTAMP_NS", "start_time_seconds", "arrived_at"} {
		if find([]string{"x", name}, nil)[timeColumn] != 1 {
			t.Errorf("%s is not known for a time", name)
		}
	}
	if find([]string{"timestamp_ms", "timestamp"}, nil)[timeColumn] != 1 {
		t.Error("a plain word goes before one with a unit")
	}
}

// Numbers are read to the nanosecond: as floats, moments of these days are a
// quarter of a microsecond off.
func TestDecimalIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		s := sign + fmt.Sprint(rapid.Uint64Range(0, 8e9).Draw(t, "whole")) + rapid.StringMatching(`(\.[0-9]{0,12})?`).Draw(t, "fraction")
		ns := rapid.SampledFrom([]int64{1, 1e3, 1e6, 1e9}).Draw(t, "unit")
		got, ok := moment(s, ns)
		if !ok {
			t.Fatalf("%s is no time", s)
		}
		exact, _ := new(big.Rat).SetString(s)
		exact.Mul(exact, big.NewRat(ns, 1))
		want := new(big.Int).Quo(exact.Num(), exact.Denom()) // what is below a nanosecond is cut
		if want.Int64() != got {
			t.Fatalf("%s × %d ns: %d, not %v", s, ns, got, want)
		}
	})
}

func FuzzMoment(f *testing.F) {
	for _, s := range []string{"2023-11-16 18:17:03.9799600", "2024-02-28T23:59:59Z", "1700000000.5", "-1e300", "0x1p9", "9223372036854775807", "2024-05-10 00:00:00.009930+00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, ns := range units {
			if at, ok := moment(s, ns); ok && (at > farthest || at < -farthest) {
				t.Errorf("%q: %d", s, at)
			}
		}
	})
}
