package dialect

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter is how many seconds the server asks to wait; 0: not said, or no
// time at all. A date is counted from the answer's own Date, so that no clock
// of ours is needed; without one a date says nothing.
func retryAfter(header http.Header) float64 {
	if ms, ok := seconds(header.Get("Retry-After-Ms")); ok {
		return ms / 1000
	}
	value := header.Get("Retry-After")
	if s, ok := seconds(value); ok {
		return s
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return 0
	}
	return math.Ceil(max(until.Sub(now), time.Duration(0)).Seconds())
}

// seconds reads a number that is neither negative nor endless.
func seconds(s string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return f, err == nil && f >= 0 && !math.IsInf(f, 0)
}
