package trace

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// unit is what a number in the time column counts, in nanoseconds. A name that
// ends in ms, us, µs or ns says so; else it is seconds, and milliseconds in JSON
// lines, as Mooncake has it.
func unit(name string, lines bool) float64 {
	n := strings.ToLower(name)
	for _, u := range []struct {
		end string
		ns  float64
	}{{"_ms", 1e6}, {"(ms)", 1e6}, {"_us", 1e3}, {"_µs", 1e3}, {"_ns", 1}, {"_s", 1e9}, {"(s)", 1e9}, {"_sec", 1e9}, {"seconds", 1e9}} {
		if strings.HasSuffix(n, u.end) {
			return u.ns
		}
	}
	if lines {
		return 1e6
	}
	return 1e9
}

// layouts are how dates are written. Fractions of a second are read wherever
// there are some.
var layouts = []string{
	"2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	"2006/01/02 15:04:05",
}

// farthest is the greatest number of nanoseconds, either way, that is a moment.
const farthest = 9e18

// moment reads a time: a number in units of ns nanoseconds, or a date.
func moment(s string, ns float64) (at int64, ok bool) {
	s = strings.TrimSpace(s)
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		if f *= ns; math.IsNaN(f) || math.Abs(f) > farthest {
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
