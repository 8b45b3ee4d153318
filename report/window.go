package report

import (
	"slices"

	"tidemark/record"
	"tidemark/stat"
	"tidemark/text"
)

// enoughInFlight is the share of the asked concurrency that must be in flight
// on average for a level to stand for it (V4).
const enoughInFlight = .95

// decide settles which levels are short, and from which part of each round
// the figures are taken.
func (e *edges) decide() {
	for _, l := range e.levels {
		for _, r := range l.rounds {
			r.window = r.whileFull(e.last)
		}
		l.short = l.whyShort()
		if l.short.ID == "" {
			continue
		}
		for _, r := range l.counted() {
			r.window = r.all
		}
		if e.end == nil && l.cutOff() {
			l.short = text.Msg("report.short.cut_off", l.short)
		} else if early := earlyEnd(l.why); early.ID != "" {
			l.short = text.Msg("report.short.ended_early", l.short, early)
		}
	}
}

// whileFull is the stretch from the dispatch that filled the level to the
// moment its first slot stayed empty. Where the records lack that moment it is
// the round's end, or the last moment they know. It is empty for a round that
// was never full.
func (r *roundEdges) whileFull(last record.Offset) stat.Span {
	if r.full == 0 {
		return stat.Span{}
	}
	to := last
	switch {
	case r.emptied != 0:
		to = r.emptied
	case r.ended != 0:
		to = r.ended
	}
	return stat.Span{From: int64(r.full), To: int64(to)}
}

// whyShort says why the level can't stand for its concurrency. The zero
// Message: it can. Rounds that had too little, as the last one of a run that
// was stopped, are left out where others had enough.
func (l *levelEdges) whyShort() text.Message {
	asked := l.load.Concurrency
	if asked == 0 || len(l.rounds) == 0 {
		return text.Msg("report.short.never_began")
	}
	var little text.Message
	var means []float64
	for _, r := range l.counted() {
		if why := r.tooLittle(asked); why.ID != "" {
			r.leftOut, little = true, why
			continue
		}
		mean, _ := stat.Held(r.inFlight, r.window)
		means = append(means, mean)
	}
	mean := stat.Median(means)
	if mean == nil {
		for _, r := range l.rounds {
			r.leftOut = false // there is nothing better
		}
		return little
	}
	if *mean < enoughInFlight*float64(asked) {
		return text.Msg("report.short.mean", *mean, asked)
	}
	return text.Message{}
}

// tooLittle says what a round lacks of its concurrency, before anything is
// measured. The zero Message: nothing.
func (r *roundEdges) tooLittle(asked int) text.Message {
	switch {
	case r.requests < 2*asked:
		return text.Msg("report.short.few", r.requests, 2*asked, asked)
	case r.full == 0:
		return text.Msg("report.short.never_full", asked)
	}
	return text.Message{}
}

// cutOff reports whether the records end inside a round of the level.
func (l *levelEdges) cutOff() bool {
	return slices.ContainsFunc(l.counted(), func(r *roundEdges) bool { return r.ended == 0 })
}

// earlyEnd says why a level or a run ended before its work was done. The zero
// Message: it did not.
func earlyEnd(why record.Reason) text.Message {
	switch why {
	case "", record.Done:
		return text.Message{}
	case record.Interrupted:
		return text.Msg("report.reason.interrupted")
	case record.MaxTime:
		return text.Msg("report.reason.max_time")
	case record.MaxTokens:
		return text.Msg("report.reason.max_total_tokens")
	case record.DiskFailed:
		return text.Msg("report.reason.disk")
	case record.Refused:
		return text.Msg("report.reason.preflight")
	case record.Climbing:
		return text.Msg("report.reason.failing")
	}
	return text.Msg("report.reason.other", string(why))
}
