package selftest

import (
	"fmt"
	"math"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/sim"
	"tidemark/stat"
)

// read makes the report of a step's records, as of any run's, and holds it
// against the truth.
func (s *Step) read(records report.Source, truth *sim.Truth) error {
	r, err := report.Compute(records, report.Options{})
	if err != nil {
		return err
	}
	if len(r.Levels) == 0 { // it ended before its load began
		return nil
	}
	l := &r.Levels[0]
	s.fill(l)
	measured, err := attempts(records)
	if err != nil {
		return err
	}
	s.counts(l, measured, truth)
	s.times(l, measured, truth)
	s.judge()
	return nil
}

// fill takes what needs no truth from the report.
func (s *Step) fill(l *report.Level) {
	s.OK, s.Valid, s.Uncertain = l.Reliability.OK, l.Validity.Valid, l.Uncertain()
	for _, c := range l.Validity.Checks {
		if c.Severity == report.Invalid && c.Status == report.CheckFailed {
			s.Failed = append(s.Failed, c.ID)
		}
	}
	if d := l.Load.DurationS; d != nil {
		s.DurationS = *d
	}
	if q := l.Throughput.RequestsPerS; q != nil {
		s.RequestsPerS = *q
	}
	if late := l.Latency.SendLag; late != nil && s.RatePerS > 0 {
		s.LateMs = &late.P99
	}
}

// attempts are those that were measured and ended well.
func attempts(records report.Source) ([]*record.Attempt, error) {
	var all []*record.Attempt
	for r, err := range records() {
		if err != nil {
			return nil, err
		}
		if a, ok := r.(*record.Attempt); ok && a.Phase == record.Measured && a.Outcome.Side() == outcome.Success {
			all = append(all, a)
		}
	}
	return all, nil
}

// counts compares what must be the same.
func (s *Step) counts(l *report.Level, measured []*record.Attempt, truth *sim.Truth) {
	for _, a := range measured {
		s.Frames += int64(a.Frames.Output)
	}
	if s.DurationS > 0 {
		s.FramesPerS = float64(s.Frames) / s.DurationS
	}
	s.CPUFrameUs, s.CPURequestUs = s.cpuOf(s.Frames), s.cpuOf(int64(l.Reliability.Sent))
	var tokens int64
	if l.Tokens.Output != nil {
		tokens = *l.Tokens.Output
	}
	// Every token that the endpoint sends has a frame of its own.
	s.Figures = append(s.Figures,
		compare(Requests, float64(s.OK), float64(truth.OK)),
		compare(Tokens, float64(tokens), float64(truth.Tokens)),
		compare(Frames, float64(s.Frames), float64(truth.Tokens)))
}

// cpuOf is the CPU time of each of n things, in microseconds; nil: not known.
func (s *Step) cpuOf(n int64) *float64 {
	if n == 0 || s.cpu <= 0 {
		return nil
	}
	each := s.cpu.Seconds() * 1e6 / float64(n)
	return &each
}

// times compares the report's figures with the endpoint's of the very same
// requests. Gaps the endpoint knows only of all requests together, so those of
// all are compared.
func (s *Step) times(l *report.Level, measured []*record.Attempt, truth *sim.Truth) {
	ttft, e2e := l.Latency.TTFT, l.Latency.E2E
	if s.RatePerS > 0 {
		ttft, e2e = l.Latency.TTFTFromSent, l.Latency.E2EFromSent
	}
	known := inWindow(s.RatePerS > 0, l.Load.Window, measured, truth.Rows)
	if ttft == nil || e2e == nil || len(known) == 0 {
		return
	}
	first := sorted(known, func(r sim.Sent) float64 { return r.TTFTMs })
	whole := sorted(known, func(r sim.Sent) float64 { return r.E2EMs })
	s.Figures = append(s.Figures,
		compare(Timed, float64(ttft.N), float64(len(known))),
		compare(TTFTMean, ttft.Mean, mean(first)),
		compare(TTFTP99, ttft.P99, p99(first)),
		compare(E2EMean, e2e.Mean, mean(whole)))
	var gaps stat.Hist
	for _, a := range measured {
		for ns := range a.Gaps.All() {
			gaps.Record(ns)
		}
	}
	if itl := gaps.Summary(); itl != nil && truth.Gap != nil {
		s.Figures = append(s.Figures, compare(ITLP99, itl.P99, truth.Gap.P99))
	}
}

// inWindow is what the endpoint knows of the requests that began inside the
// report's window.
func inWindow(open bool, w *report.Window, measured []*record.Attempt, rows []sim.Sent) []sim.Sent {
	if w == nil || len(measured) == 0 {
		return nil
	}
	byID := make(map[string]sim.Sent, len(rows))
	for _, r := range rows {
		byID[fmt.Sprintf("sim-%d", r.Number)] = r
	}
	zero := began(open, measured[0])
	for _, a := range measured {
		zero = min(zero, began(open, a))
	}
	from, to := zero+offset(w.FullS), zero+offset(w.EmptiedS)
	var known []sim.Sent
	for _, a := range measured {
		at := began(open, a)
		if row, ok := byID[a.RequestID]; ok && row.OK && from <= at && at <= to {
			known = append(known, row)
		}
	}
	return known
}

// began is when a request left, or of an open loop was due.
func began(open bool, a *record.Attempt) record.Offset {
	if open {
		return a.Due
	}
	return a.Dispatched
}

func offset(s float64) record.Offset { return record.Offset(math.Round(s * 1e9)) }

// The arithmetic of the truth is its own, so that it shares no mistake with
// the figures it is held against.

func sorted(rows []sim.Sent, value func(sim.Sent) float64) []float64 {
	var all []float64
	for _, r := range rows {
		all = append(all, value(r))
	}
	slices.Sort(all)
	return all
}

func mean(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// p99 is the least value that 99 % of them do not exceed.
func p99(sorted []float64) float64 { return sorted[(99*len(sorted)+99)/100-1] }
