package report

import (
	"cmp"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

// successExpected is the share of requests, in percent, that at least one
// level must bring to ok for the target to count as measured.
const successExpected = 95.0

// What the program ends with. Where several hold, the order is usage,
// interrupted, ours, target, invalid, missed.
const (
	ExitFine        = 0
	ExitMissed      = 1   // an objective missed, a regression, or a bill that disagrees
	ExitUsage       = 2   // wrong usage or plan; there is no report
	ExitInvalid     = 3   // the figures describe the client
	ExitTarget      = 4   // the target could not be measured
	ExitOurs        = 5   // our own fault, or the disk's
	ExitInterrupted = 130 // with a report of what was done
)

func verdict(r *Report, lang text.Lang) Verdict {
	level, because := best(r)
	v := Verdict{Because: because.In(lang)}
	if level != nil {
		number := level.Level
		v.BestLevel = &number
		if level.Load.Kind == record.Open {
			v.BestRatePerS = level.Load.RatePerS
		} else {
			v.BestConcurrency = level.Load.Concurrency
		}
	}
	v.Valid, v.Invalid = validity(r, level)
	v.ExitCode = exitCode(r, v.Valid)
	return v
}

// validity judges the run by the levels that it stands on: the best one and
// those beside it, or where there is no best one, all.
func validity(r *Report, best *Level) (valid *bool, invalid []int) {
	judged := false
	for _, l := range standsOn(r, best) {
		if l.Validity.Valid == nil {
			continue
		}
		judged = true
		if !*l.Validity.Valid {
			invalid = append(invalid, l.Level)
		}
	}
	if !judged {
		return nil, nil
	}
	fine := len(invalid) == 0
	return &fine, invalid
}

func standsOn(r *Report, best *Level) []*Level {
	var on []*Level
	for _, ladder := range Ladders(r) {
		if best == nil {
			on = append(on, ladder.Levels...)
		} else if at := slices.Index(ladder.Levels, best); at >= 0 {
			on = ladder.Levels[max(at-1, 0):min(at+2, len(ladder.Levels))]
		}
	}
	slices.SortFunc(on, func(a, b *Level) int { return cmp.Compare(a.Level, b.Level) })
	return on
}

// exitCode is what the figures deserve. Records without an end are those of a
// run that something stopped.
func exitCode(r *Report, valid *bool) int {
	switch {
	case r.Reason == record.Interrupted || r.Reason == "":
		return ExitInterrupted
	case r.Reason == record.DiskFailed || r.Reason == record.BadTrace:
		return ExitOurs
	}
	carried := false
	for i := range r.Levels {
		carried = carried || succeeded(&r.Levels[i]) || r.Levels[i].allLeft()
	}
	switch {
	case !carried:
		return ExitTarget
	case valid != nil && !*valid:
		return ExitInvalid
	}
	return ExitFine
}

// allLeft reports whether the client left every request, as the plan had it:
// the endpoint did nothing wrong.
func (l *Level) allLeft() bool {
	return l.Reliability.Sent > 0 && count(l.Reliability.Outcomes, outcome.CancelledByPlan) == l.Reliability.Sent
}

func count(all []Outcome, class outcome.Class) (n int) {
	for _, o := range all {
		if o.Outcome == class {
			n += o.Count
		}
	}
	return n
}

func succeeded(l *Level) bool {
	share := l.Reliability.SuccessPercent
	return share != nil && *share >= successExpected
}
