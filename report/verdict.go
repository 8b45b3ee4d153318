package report

import (
	"tidemark/record"
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
	v := Verdict{ExitCode: exitCode(r)}
	level, because := best(r)
	v.Because = because.In(lang)
	if level != nil {
		number, concurrency := level.Level, *level.Load.Concurrency
		v.BestLevel, v.BestConcurrency = &number, &concurrency
	}
	return v
}

// exitCode is what the figures deserve. Records without an end are those of a
// run that something stopped.
func exitCode(r *Report) int {
	switch {
	case r.Reason == record.Interrupted || r.Reason == "":
		return ExitInterrupted
	case r.Reason == record.DiskFailed:
		return ExitOurs
	}
	for i := range r.Levels {
		if succeeded(&r.Levels[i]) {
			return ExitFine
		}
	}
	return ExitTarget
}

func succeeded(l *Level) bool {
	share := l.Reliability.SuccessPercent
	return share != nil && *share >= successExpected
}
