package render

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/stat"
)

// absent stands where a figure is not known.
const absent = "–"

// num writes a figure with three significant digits, or all of them before
// the point; at most eight cells.
func num(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return absent
	case v == 0:
		return "0"
	case a >= 999_999.5:
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e+")
		return mantissa + "e" + strings.TrimPrefix(exponent, "0")
	case a >= 99.95:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.0995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case a >= 0.0005:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
	return "<0.001"
}

func known(v *float64) string {
	if v == nil {
		return absent
	}
	return num(*v)
}

// group puts commas between thousands.
func group(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

func count[T int | int64](n T) string { return group(strconv.FormatInt(int64(n), 10)) }

func knownCount(n *int64) string {
	if n == nil {
		return absent
	}
	return count(*n)
}

// decimal writes at most two decimals, and never more than there is: 99.999
// percent is not 100.
func decimal(v float64) string {
	if math.IsNaN(v) || math.Abs(v) > 1e6 {
		return num(v)
	}
	return strconv.FormatFloat(math.Floor(v*100+1e-9)/100, 'f', -1, 64)
}

func percent(v *float64) string {
	if v == nil {
		return absent
	}
	return decimal(*v) + " %"
}

// scale is the unit that a row or a column of milliseconds is shown in.
type scale struct {
	unit string
	per  float64 // milliseconds
}

// scaleFor keeps milliseconds while they can be read.
func scaleFor(ms ...float64) scale {
	for _, v := range ms {
		if v >= 10_000 && !math.IsInf(v, 0) {
			return scale{"s", 1000}
		}
	}
	return scale{"ms", 1}
}

func (s scale) num(ms float64) string { return num(ms / s.per) }

// millis is a single figure in milliseconds, with its unit.
func millis(ms float64) string {
	s := scaleFor(ms)
	return s.num(ms) + " " + s.unit
}

func took(d time.Duration) string { return millis(float64(d) / float64(time.Millisecond)) }

// secs is a single figure in seconds, with its unit.
func secs(s float64) string { return num(s) + " s" }

// clock is a stretch of time as people wait for it: 41 s, 2 min 05 s, 1 h 02 min.
func clock(d time.Duration) string {
	s := int64(max(d, 0).Round(time.Second) / time.Second)
	pad := func(n int64) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }
	switch {
	case s < 60:
		return strconv.FormatInt(s, 10) + " s"
	case s < 3600:
		return strconv.FormatInt(s/60, 10) + " min " + pad(s%60) + " s"
	}
	return strconv.FormatInt(s/3600, 10) + " h " + pad(s/60%60) + " min"
}

// thin marks a percentile that too few requests stand behind.
func thin(s *stat.Summary, percentile string) bool { return slices.Contains(s.Thin, percentile) }

const (
	zoned   = "2006-01-02 15:04:05 UTC-07:00"
	unzoned = "2006-01-02 15:04:05"
	hours   = "15:04:05"
)

// moment tells a time by the reader's clock, and says which that is.
func (o Options) moment(t time.Time) string { return o.here(t).Format(zoned) }

// stretch tells from when to when; the day once where it is one day.
func (o Options) stretch(from, to time.Time) string {
	from, to = o.here(from), o.here(to)
	end := unzoned
	if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
		end = hours
	}
	return from.Format(unzoned) + " – " + to.Format(end) + to.Format(" UTC-07:00")
}

func (o Options) here(t time.Time) time.Time {
	if o.Location == nil {
		return t.Local()
	}
	return t.In(o.Location)
}
