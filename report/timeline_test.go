package report

import (
	"testing"

	"tidemark/record"
	"tidemark/record/outcome"
)

// Of several rounds the middle one tells: one that met a hiccup is not the
// level. What was due and sent is of all.
func TestRoundsOfAnOpenLevel(t *testing.T) {
	for saturated, want := range []Status{CheckOK, CheckOK, CheckFailed, CheckFailed} {
		recs := []record.Record{calm(true).run}
		var last record.Offset
		for round := range 3 {
			s, by := calm(true), float64(round)*100e3
			s.start.Load.Schedule.LengthS = 400 // the next rounds begin before its end
			if round < saturated {
				for i, a := range s.attempts {
					later(s, a, float64(i)*spacing/2)
				}
			}
			for _, a := range s.attempts {
				a.Round, a.Due = round+1, a.Due+at(by)
				move(a, by)
			}
			for _, e := range []*record.Level{s.start, s.emptied, s.end} {
				e.Round, e.At = round+1, e.At+at(by)
			}
			s.samples, last = nil, s.end.At
			recs = append(recs, s.records()[1:]...)
			recs = recs[:len(recs)-1] // the run's end comes once
		}
		r := compute(t, append(recs, &record.End{At: last + 1, Reason: record.Done}))
		l := r.Levels[0]
		if got := l.Check("V7").Status; got != want {
			t.Errorf("%d of 3 rounds saturated: V7 %s", saturated, got)
		}
		if l.Load.Rounds != 3 || *l.Load.Due != 3*many || *l.Load.Unsent != 0 || l.Reliability.Sent != 3*many || *l.Validity.Valid != true {
			t.Errorf("%d saturated: %+v, %d sent", saturated, l.Load, l.Reliability.Sent)
		}
		if n := total(l.Timeline.Due); n != many {
			t.Errorf("the timeline, of the first round, has %d due", n)
		}
	}
}

func total(ns []int) (sum int) {
	for _, n := range ns {
		sum += n
	}
	return sum
}

// A timeline has each request that was due once, and each that was sent, or
// was answered, before the schedule's end; in at most so many parts.
func TestTimelineSums(t *testing.T) {
	s := calm(true)
	s.every(10, func(a *record.Attempt) { a.Outcome = outcome.TotalTimeout })
	s.every(16, func(a *record.Attempt) { a.Outcome, a.Sent = outcome.Connect, 0 })
	sent, ok := 0, 0
	end := s.start.At + at(spacing*many)
	for _, a := range s.attempts {
		if a.Sent != 0 && a.Sent <= end {
			sent++
		}
		if a.Outcome == outcome.OK && a.End <= end {
			ok++
		}
	}
	line := compute(t, s.records()).Levels[0].Timeline
	// 800, less the 50 that found no connection; less, of those in tens that had
	// one, 80 − 10, and the last one, that ends behind the schedule.
	if sent != 750 || ok != 750-70-1 {
		t.Fatalf("the scene has %d sent, %d ok", sent, ok)
	}
	if total(line.Due) != many || total(line.Sent) != sent || total(line.OK) != ok || len(line.Due) != mostParts {
		t.Errorf("due %d, sent %d, ok %d in %d parts", total(line.Due), total(line.Sent), total(line.OK), len(line.Due))
	}
}
