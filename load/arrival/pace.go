package arrival

import (
	"math"
	"strconv"
	"strings"
	"time"

	"tidemark/text"
)

// Pace is what is offered, over time: segments one after the other.
type Pace struct {
	Segments []Segment
	Text     string // as it was written
}

// Segment is a straight line from one rate to another. Rates are per second.
type Segment struct {
	From, To float64
	For      time.Duration // 0: without end; only the last segment may be
}

const (
	mostPerS = 1e6 // more than any endpoint, or this machine
	longest  = 100 * time.Hour
)

// ParsePace reads a pace: segments joined by "+", each RATE or RATE..RATE (a
// ramp), with "@DURATION" behind. Only the last may be without one. A rate is
// per second, or what its unit says: /s, /min, /h; a ramp's unit may stand
// behind its end alone. An error is a *text.Fault.
func ParsePace(s string) (Pace, error) {
	p := Pace{Text: strings.TrimSpace(s)}
	parts := strings.Split(p.Text, "+")
	for i, part := range parts {
		seg, err := parseSegment(strings.TrimSpace(part))
		if err != nil {
			return Pace{}, err
		}
		if seg.For == 0 && i < len(parts)-1 {
			return Pace{}, text.Wrong(text.Msg("arrival.no_duration", part), text.Msg("arrival.hint"))
		}
		p.Segments = append(p.Segments, seg)
	}
	if p.Length() > longest {
		return Pace{}, text.Wrong(text.Msg("arrival.too_long", p.Text), text.Msg("arrival.hint"))
	}
	return p, nil
}

func parseSegment(s string) (Segment, error) {
	var seg Segment
	rates, length, timed := strings.Cut(s, "@")
	if timed {
		d, err := time.ParseDuration(strings.TrimSpace(length))
		if err != nil || d <= 0 || d > longest {
			return seg, text.Wrong(text.Msg("arrival.duration", length), text.Msg("arrival.hint"))
		}
		seg.For = d
	}
	from, to, ramp := strings.Cut(rates, "..")
	var unit string
	var err error
	if !ramp {
		seg.From, _, err = parseRate(from, "")
		seg.To = seg.From
	} else if seg.To, unit, err = parseRate(to, ""); err == nil {
		seg.From, _, err = parseRate(from, unit)
	}
	if err != nil {
		return seg, err
	}
	if seg.From == 0 && seg.To == 0 {
		return seg, text.Wrong(text.Msg("arrival.zero", s), text.Msg("arrival.hint"))
	}
	return seg, nil
}

// units are what a rate may be counted in, as a part of a second's.
var units = map[string]float64{"": 1, "s": 1, "sec": 1, "second": 1, "min": 60, "m": 60, "minute": 60, "h": 3600, "hour": 3600}

// parseRate reads one rate. other is the unit where it has none of its own.
func parseRate(s, other string) (perS float64, unit string, err error) {
	figure, unit, own := strings.Cut(strings.TrimSpace(s), "/")
	if !own {
		unit = other
	}
	per, known := units[strings.TrimSpace(unit)]
	f, bad := strconv.ParseFloat(strings.TrimSpace(figure), 64)
	switch {
	case bad != nil || math.IsNaN(f) || math.IsInf(f, 0) || f < 0 || strings.ContainsAny(figure, "xXpP_"):
		return 0, "", text.Wrong(text.Msg("arrival.rate", s), text.Msg("arrival.hint"))
	case !known || own && strings.TrimSpace(unit) == "":
		return 0, "", text.Wrong(text.Msg("arrival.unit", unit), text.Msg("arrival.unit.hint"))
	case f/per > mostPerS:
		return 0, "", text.Wrong(text.Msg("arrival.too_fast", s, int(mostPerS)), text.Msg("arrival.hint"))
	}
	return f / per, unit, nil
}

// Within gives a last segment without end the length that is left of d.
func (p Pace) Within(d time.Duration) Pace {
	last := len(p.Segments) - 1
	if last < 0 || p.Segments[last].For > 0 {
		return p
	}
	segments := append([]Segment(nil), p.Segments...)
	segments[last].For = max(d-p.before(), 0)
	p.Segments = segments
	return p
}

func (p Pace) last() Segment { return p.Segments[len(p.Segments)-1] }

// Endless reports whether the last segment has no end.
func (p Pace) Endless() bool {
	return len(p.Segments) > 0 && p.last().For == 0
}

// Length is how long the pace lasts; 0: it has no end.
func (p Pace) Length() time.Duration {
	if p.Endless() {
		return 0
	}
	return p.before()
}

// before is the length of all segments that have one.
func (p Pace) before() (d time.Duration) {
	for _, s := range p.Segments {
		d += s.For
	}
	return d
}

// Offered is how much the pace offers in its whole length; infinite where it
// has no end.
func (p Pace) Offered() float64 {
	if p.Endless() {
		return math.Inf(1)
	}
	sum := 0.0
	for _, s := range p.Segments {
		sum += s.area()
	}
	return sum
}

// area is what a segment that ends offers.
func (s Segment) area() float64 {
	return float64(float64(s.From+s.To) / 2 * s.For.Seconds())
}

// clock turns amounts offered into moments. Amounts must not fall. The zero
// clock stands at the pace's beginning.
type clock struct {
	pace    Pace
	segment int
	begins  time.Duration // the segment
	before  float64       // offered before it
}

// at is the moment by which amount was offered; false: at the pace's end or
// after. The moment decides which segment it is in, not the amount: a rate of
// 31/min is rounded, and in a minute offers a hair more than 31. Every product
// is made a float64 of its own, so that no machine fuses it with a sum and
// rounds otherwise.
func (c *clock) at(amount float64) (time.Duration, bool) {
	for c.segment < len(c.pace.Segments) {
		s := c.pace.Segments[c.segment]
		ends := s.For
		if ends == 0 {
			ends = never
		}
		if t := s.invert(amount - c.before); t < ends {
			return c.begins + t, true
		}
		c.before += s.area()
		c.begins += s.For
		c.segment++
	}
	return 0, false
}

// invert is the moment by which a segment has offered amount, were it without
// end; at its end or after where it does not offer as much.
func (s Segment) invert(amount float64) time.Duration {
	switch {
	case amount <= 0:
		return 0
	case s.From == s.To:
		return nanoseconds(amount / s.From)
	}
	// From·t + slope·t²/2 = amount, solved so that nothing cancels.
	slope := float64((s.To - s.From) / s.For.Seconds())
	root := math.Sqrt(max(float64(s.From*s.From)+float64(float64(2*slope)*amount), 0))
	return nanoseconds(float64(2*amount) / (s.From + root))
}

// never is later than any schedule, and far enough from the largest duration
// to be added to.
const never = time.Duration(1 << 62)

// nanoseconds rounds to the nearest. What no duration can hold, and what is no
// number, is never: machines differ in what they convert that to.
func nanoseconds(seconds float64) time.Duration {
	ns := math.Floor(float64(seconds*1e9) + .5)
	if ns < float64(never) {
		return time.Duration(ns)
	}
	return never
}
