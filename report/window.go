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
			if l.open() {
				r.window = r.settled()
			} else {
				r.window = r.whileFull(e.last)
			}
		}
		l.short = l.whyShort()
		if l.short.reason == "" {
			continue
		}
		for _, r := range l.rounds { // there is nothing better
			r.leftOut, r.window = false, r.all
		}
		if e.end == nil && l.cutOff() {
			l.short.why = text.Msg("report.short.cut_off", l.short.why)
		} else if l.why != "" && l.why != record.Done {
			l.short.why = text.Msg("report.short.ended_early", l.short.why, l.why.Name())
		}
	}
}

// short is why a level can't stand for its concurrency, in a word and in
// words. The zero short: it can.
type short struct {
	reason ShortReason
	why    text.Message
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

// whyShort judges the level. Rounds that had too little, as the last one of a
// run that was stopped, are left out where others had enough. Of users who
// think between their turns a mean says nothing.
func (l *levelEdges) whyShort() short {
	asked := l.load.Concurrency
	var little short
	var means []float64
	for _, r := range l.counted() {
		lacks := r.lacks(asked)
		if l.open() {
			lacks = r.unsettled()
		} else if l.sessions() {
			lacks = r.lacksUsers(asked)
		}
		if lacks.reason != "" {
			r.leftOut = true
			if little.reason != NeverFull { // that one had the requests
				little = lacks
			}
			continue
		}
		mean, _ := stat.Held(r.inFlight, r.window)
		means = append(means, mean)
	}
	mean := stat.Median(means)
	if mean == nil {
		return little
	}
	l.mean = *mean
	switch {
	case l.open(), l.sessions():
	case *mean < enoughInFlight*float64(asked):
		return short{BelowMean, text.Msg("report.short.mean", *mean, asked, 100*enoughInFlight)}
	}
	return short{}
}

// lacks is what a round lacks of its concurrency, before anything is measured.
func (r *roundEdges) lacks(asked int) short {
	switch {
	case r.requests < 2*asked:
		return short{Few, text.Msg("report.short.few", r.requests, 2*asked, asked)}
	case r.full == 0:
		return short{NeverFull, text.Msg("report.short.never_full", asked)}
	}
	return short{}
}

// lacksUsers is what a round of sessions lacks of its users.
func (r *roundEdges) lacksUsers(asked int) short {
	switch lacks := r.lacks(asked); lacks.reason {
	case Few:
		return short{Few, text.Msg("report.short.few_users", r.requests, 2*asked, asked)}
	case NeverFull:
		return short{NeverFull, text.Msg("report.short.never_all", asked)}
	}
	return short{}
}

// cutOff reports whether the records end inside a round of the level.
func (l *levelEdges) cutOff() bool {
	return slices.ContainsFunc(l.counted(), func(r *roundEdges) bool { return r.ended == 0 })
}
