package report

import (
	"tidemark/record"
	"tidemark/text"
)

// successExpected is the share of requests, in percent, that at least one
// level must bring to ok for the target to count as measured.
const successExpected = 95.0

// What a process ends with. Where several hold, the order is interrupted,
// disk, unmeasured.
const (
	exitFine        = 0
	exitUnmeasured  = 4
	exitDisk        = 5
	exitInterrupted = 130
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
		return exitInterrupted
	case r.Reason == record.DiskFailed:
		return exitDisk
	}
	for i := range r.Levels {
		if succeeded(&r.Levels[i]) {
			return exitFine
		}
	}
	return exitUnmeasured
}

func succeeded(l *Level) bool {
	share := l.Reliability.SuccessPercent
	return share != nil && *share >= successExpected
}
