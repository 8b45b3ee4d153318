package report

import (
	"strings"
	"testing"

	"tidemark/record"
	"tidemark/record/outcome"
)

func TestShort(t *testing.T) {
	without := func(recs []record.Record, drop func(record.Record) bool) []record.Record {
		var out []record.Record
		for _, r := range recs {
			if !drop(r) {
				out = append(out, r)
			}
		}
		return out
	}
	isEdge := func(e record.Event) func(record.Record) bool {
		return func(r record.Record) bool { l, ok := r.(*record.Level); return ok && l.Event == e }
	}
	for name, c := range map[string]struct {
		recs func() []record.Record
		why  string // "": not short
		n    int    // TTFT's
		word ShortReason
	}{
		"as asked": {func() []record.Record { return whole(twoSlots()) }, "", 7, ""},
		"fewer than twice the concurrency": {func() []record.Record {
			recs := twoSlots()
			recs[0].(*record.Level).Load.Concurrency = 5
			return whole(recs)
		}, "8 of the 10 requests", 8, Few},
		"never full": {func() []record.Record { return whole(without(twoSlots(), isEdge(record.LevelFull))) }, "never had 2 requests", 8, NeverFull},
		// The second slot sends nothing after 1160: (224 + 128) / 224 = 1.57.
		"mean below": {func() []record.Record {
			return whole(without(twoSlots(), func(r record.Record) bool { a, ok := r.(*record.Attempt); return ok && a.Slot == 2 && a.Number > 4 }),
				[]record.Record{answered(9, 1256), answered(10, 1320)})
		}, "On average 1.6 of 2 requests were in flight, less than 95 %", 8, BelowMean},
		// The same, and a round of one request: a short level uses all.
		"mean below, and a round left out": {func() []record.Record {
			return whole(without(twoSlots(), func(r record.Record) bool { a, ok := r.(*record.Attempt); return ok && a.Slot == 2 && a.Number > 4 }),
				[]record.Record{answered(9, 1256), answered(10, 1320), start(1, 2, 2, 4999), inRound(2, answered(1, 5000)), edge(record.LevelEnd, 1, 2, 5100)})
		}, "On average 1.6 of 2", 9, BelowMean},
		// The round with the requests says what lacked.
		"a round of few, and one never full": {func() []record.Record {
			return whole(without(twoSlots(), isEdge(record.LevelFull)),
				[]record.Record{start(1, 2, 2, 4999), inRound(2, answered(1, 5000)), edge(record.LevelEnd, 1, 2, 5100)})
		}, "never had 2 requests", 9, NeverFull},
		"no emptied, no end": {func() []record.Record {
			return append([]record.Record{opening()}, without(twoSlots(), func(r record.Record) bool {
				return isEdge(record.LevelEmptied)(r) || isEdge(record.LevelEnd)(r)
			})...)
			// Full from 1032 to the last known moment, 1288:
			// (2 × 224 + 1 × 32) / 256 = 1.875 of 2 is 93.75 %.
		}, "On average 1.9 of 2 requests were in flight, less than 95 %: the records end inside", 8, BelowMean},
		"interrupted before it was enough": {func() []record.Record {
			recs := twoSlots()
			recs[0].(*record.Level).Load.Concurrency = 5
			recs[len(recs)-1].(*record.Level).Why = string(record.Interrupted)
			return whole(recs)
		}, "at least: the run was interrupted", 8, Few},
	} {
		t.Run(name, func(t *testing.T) {
			l := compute(t, c.recs()).Levels[0]
			if l.Short != (c.why != "") || !strings.Contains(l.ShortWhy, c.why) || l.ShortReason != c.word {
				t.Errorf("short %v: %s, %q", l.Short, l.ShortReason, l.ShortWhy)
			}
			if l.Short && len(l.Warnings) > 0 {
				t.Errorf("%+v", l.Warnings)
			}
			n := 0
			if l.Latency.TTFT != nil {
				n = l.Latency.TTFT.N
			}
			if n != c.n {
				t.Errorf("TTFT of %d requests", n)
			}
		})
	}
}

// A round that was stopped early is left out of the figures, and said; what it
// sent stays in reliability.
func TestUnfinishedRoundIsLeftOut(t *testing.T) {
	second := []record.Record{start(1, 2, 2, 4999), inRound(2, failed(1, 5000, outcome.Connect, 0, "refused")), edge(record.LevelEnd, 1, 2, 5100)}
	second[2].(*record.Level).Why = string(record.Interrupted)
	r := compute(t, whole(twoSlots(), second))
	l := r.Levels[0]
	if l.Short || l.Load.Rounds != 1 || *l.Throughput.RequestsPerS != 31.25 || *l.Load.DurationS != .288 {
		t.Errorf("%+v %+v", l.Load, l.Throughput)
	}
	if l.Reliability.Sent != 9 || l.Reliability.Failed != 1 || l.Ended != record.Interrupted {
		t.Errorf("%+v", l.Reliability)
	}
	if len(l.Warnings) != 1 || l.Warnings[0].ID != "rounds_left_out" || l.Warnings[0].Count != 1 || l.Warnings[0].Unit != Rounds {
		t.Errorf("%+v", l.Warnings)
	}
}

func inRound(round int, a *record.Attempt) *record.Attempt {
	a.Round = round
	return a
}
