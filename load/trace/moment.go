package trace

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// units are what a name of a time may end in, in nanoseconds.
var units = map[string]int64{
	"ns": 1, "nanos": 1, "nanoseconds": 1,
	"us": 1e3, "µs": 1e3, "micros": 1e3, "microseconds": 1e3,
	"ms": 1e6, "msec": 1e6, "millis": 1e6, "milliseconds": 1e6,
	"s": 1e9, "sec": 1e9, "secs": 1e9, "seconds": 1e9,
}

// unit is what a number in the time column counts, in nanoseconds. A name that
// ends in a unit says so: time_ms, "time (ms)", timestampMs. Else it is seconds
// in CSV, and milliseconds in JSON lines, as Mooncake has it.
func unit(name string, lines bool) int64 {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-()[]", r) })
	if len(words) > 1 {
		if ns := units[words[len(words)-1]]; ns != 0 {
			return ns
		}
	}
	// Without a separator an s alone is more likely a plural.
	if u := suffixed(reduced(name)); u != "" && u != "s" {
		return units[u]
	}
	if lines {
		return units["ms"]
	}
	return units["s"]
}

// layouts are how dates are written. Fractions of a second are read wherever
// there are some.
var layouts = []string{
	"2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	"2006/01/02 15:04:05",
}

// farthest is the greatest number of nanoseconds, either way, that is a moment.
const farthest = 9e18

// moment reads a time: a number of units of ns nanoseconds, or a date.
func moment(s string, ns int64) (at int64, ok bool) {
	s = strings.TrimSpace(s)
	if at, ok = decimal(s, ns); ok {
		return at, true
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		if f *= float64(ns); math.IsNaN(f) || math.Abs(f) > farthest {
			return 0, false
		}
		return int64(math.Round(f)), true
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			if y := t.Year(); y < 1700 || y > 2250 { // beyond what nanoseconds can count
				return 0, false
			}
			return t.UnixNano(), true
		}
	}
	return 0, false
}

// decimal reads a number without an exponent, exactly: as a float, seconds
// since 1970 are a quarter of a microsecond off. What is below a nanosecond is
// cut.
func decimal(s string, ns int64) (at int64, ok bool) {
	digits, negative := strings.CutPrefix(s, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 63)
	if err != nil || int64(n) >= farthest/ns {
		return 0, false
	}
	at = int64(n) * ns
	for _, c := range []byte(fraction) {
		if c < '0' || c > '9' {
			return 0, false
		}
		ns /= 10
		at += int64(c-'0') * ns
	}
	if negative {
		at = -at
	}
	return at, true
}
