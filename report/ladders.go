package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"tidemark/record"
	"tidemark/text"
)

// Ladder is the levels of one target and workload that ask for the same kind
// of load: only these compare.
type Ladder struct {
	Target, Model, Workload string
	Kind                    string   // record.Closed or record.Open
	Levels                  []*Level // by what they ask for; at least one
}

// Ladders groups the levels of a report, in the order in which the run met
// them.
func Ladders(r *Report) []Ladder {
	var ladders []Ladder
	for i := range r.Levels {
		l := &r.Levels[i]
		at := slices.IndexFunc(ladders, func(have Ladder) bool {
			return have.Target == l.Target && have.Workload == l.Workload && have.Kind == l.Load.Kind
		})
		if at < 0 {
			at = len(ladders)
			ladders = append(ladders, Ladder{Target: l.Target, Model: l.Model, Workload: l.Workload, Kind: l.Load.Kind})
		}
		ladders[at].Levels = append(ladders[at].Levels, l)
	}
	for _, l := range ladders {
		slices.SortStableFunc(l.Levels, func(a, b *Level) int { return cmp.Compare(a.Asked(), b.Asked()) })
	}
	return ladders
}

// Asked is how much a level asks for, by which the levels of a ladder compare:
// its rate per second in an open loop, else its concurrency. 0: it doesn't say.
func (l *Level) Asked() float64 {
	switch {
	case l.Load.Kind == record.Open:
		return value(l.Load.RatePerS)
	case l.Load.Concurrency != nil:
		return float64(*l.Load.Concurrency)
	}
	return 0
}

// Named is what a level asks for, in words that end a sentence.
func (l *Level) Named() text.Message {
	switch open := l.Load.Kind == record.Open; {
	case open && l.talks():
		return text.Msg("report.level.sessions", rate(l.Asked()))
	case open:
		return text.Msg("report.level.rate", rate(l.Asked()))
	case l.talks():
		return text.Msg("report.level.users", int(l.Asked()))
	}
	return text.Msg("report.level.concurrency", int(l.Asked()))
}

// talks reports whether the level is of conversations.
func (l *Level) talks() bool { return l.Load.Turns != nil && *l.Load.Turns > 1 }

// rate is a number per second with as many digits as say something.
func rate(perS float64) string {
	digits := 2
	for x := perS; x > 0 && x < 1 && digits < 6; x *= 10 {
		digits++
	}
	scale := math.Pow10(digits)
	return strconv.FormatFloat(math.Round(perS*scale)/scale, 'f', -1, 64)
}

// Carried is the throughput by which levels compare, and its unit, as the
// report's JSON names it: output tokens per second where all of them have
// some, else requests per second. The unit is empty where they have nothing
// in common; then every level carried 0.
func Carried(levels ...*Level) (of func(*Level) float64, unit string) {
	for _, by := range []struct {
		of   func(*Level) float64
		unit string
	}{{outputTokens, "output_tokens_per_s"}, {qps, "requests_per_s"}} {
		if !slices.ContainsFunc(levels, func(l *Level) bool { return by.of(l) <= 0 }) {
			return by.of, by.unit
		}
	}
	return func(*Level) float64 { return 0 }, ""
}

// Figures of a level as numbers: 0 where they are not known, which no
// candidate's is but for its tokens.

func qps(l *Level) float64          { return value(l.Throughput.RequestsPerS) }
func outputTokens(l *Level) float64 { return value(l.Throughput.OutputTokensPerS) }

func latency(l *Level) float64 {
	if l.Latency.E2E == nil {
		return 0
	}
	return l.Latency.E2E.Mean
}

func value(f *float64) float64 {
	if f == nil {
		return 0
	}
	return *f
}
