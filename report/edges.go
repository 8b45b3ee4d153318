package report

import (
	"maps"
	"slices"

	"tidemark/record"
	"tidemark/stat"
)

// edges is the first reading: what must be known of a run before its figures
// can be taken.
type edges struct {
	run    *record.Run
	end    *record.End
	last   record.Offset // the last moment that any record tells of
	levels map[int]*levelEdges
}

// levelEdges is one level, over its rounds.
type levelEdges struct {
	number           int
	target, workload string
	load             record.Load
	why              record.Reason // it ended early
	rounds           map[int]*roundEdges
	short            short
	mean             float64 // in flight in a closed loop, the median of the rounds that had enough
	talks            bool    // it holds conversations
	protocols        bool    // not all of it went over HTTP/1.1
}

// open reports whether requests left when they were due.
func (l *levelEdges) open() bool { return l.load.Kind == record.Open }

// sessions reports whether users hold conversations: they think between their
// turns, and then nothing of theirs is in flight.
func (l *levelEdges) sessions() bool { return l.load.Turns > 1 }

// roundEdges is one round of a level.
type roundEdges struct {
	started, full, emptied, ended record.Offset // 0: not in the records

	inFlight []stat.Span // one a measured attempt
	offered  []offered   // open loop: one a measured attempt
	requests int         // measured
	all      stat.Span   // first dispatched, or in an open loop due, to last end
	window   stat.Span   // what the figures are taken from
	leftOut  bool        // it had too little, and another round had enough

	inFlightS   float64 // the engine's own integral; 0: it is not in the records
	due, unsent int     // open loop: as the engine counted them
	held        int     // of the unsent, by the cap
}

func newEdges() *edges {
	return &edges{levels: map[int]*levelEdges{}}
}

func (e *edges) see(r record.Record) {
	switch r := r.(type) {
	case *record.Run:
		if e.run == nil {
			e.run = r
		}
	case *record.Level:
		e.last = max(e.last, r.At)
		e.level(r)
	case *record.Attempt:
		e.last = max(e.last, r.End)
		e.attempt(r)
	case *record.Sample:
		e.last = max(e.last, r.At)
	case *record.Note:
		e.last = max(e.last, r.At)
	case *record.End:
		e.last = max(e.last, r.At)
		e.end = r
	}
}

func (e *edges) level(r *record.Level) {
	l := e.of(r.Level)
	round := l.at(r.Round)
	switch r.Event {
	case record.LevelStart:
		round.started = r.At
		l.target, l.workload = r.Target, r.Workload
		if r.Load != nil {
			l.load = *r.Load
		}
	case record.LevelFull:
		round.full = r.At
	case record.LevelEmptied:
		round.emptied = r.At
	case record.LevelEnd:
		round.ended = r.At
		round.inFlightS, round.due, round.unsent, round.held = r.InFlightS, r.Due, r.Unsent, r.Held
		if r.Why != "" {
			l.why = record.Reason(r.Why)
		}
	}
}

func (e *edges) attempt(a *record.Attempt) {
	if a.Level == 0 || a.Phase == record.Preflight {
		return
	}
	l := e.of(a.Level)
	if l.target == "" {
		l.target, l.workload = a.Target, a.Workload
	}
	if a.Phase != record.Measured {
		return
	}
	r := l.at(a.Round)
	r.attempt(a)
	if l.open() {
		r.offer(a)
	}
	l.talks = l.talks || a.Turn > 0
	if a.Protocol != "" {
		l.protocols = true
	}
}

func (r *roundEdges) attempt(a *record.Attempt) {
	r.requests++
	if a.Dispatched == 0 || a.End < a.Dispatched {
		return
	}
	s := inFlight(a)
	r.inFlight = append(r.inFlight, s)
	r.spans(s)
}

// spans widens the whole of the round by a stretch.
func (r *roundEdges) spans(s stat.Span) {
	if r.all == (stat.Span{}) {
		r.all = s
	}
	r.all = stat.Span{From: min(r.all.From, s.From), To: max(r.all.To, s.To)}
}

// inFlight is the time that an attempt was in flight.
func inFlight(a *record.Attempt) stat.Span {
	return stat.Span{From: int64(a.Dispatched), To: int64(a.End)}
}

// of finds a level, or begins it.
func (e *edges) of(level int) *levelEdges {
	l := e.levels[level]
	if l == nil {
		l = &levelEdges{number: level, rounds: map[int]*roundEdges{}}
		e.levels[level] = l
	}
	return l
}

// at finds a round, or begins it.
func (l *levelEdges) at(round int) *roundEdges {
	r := l.rounds[round]
	if r == nil {
		r = &roundEdges{}
		l.rounds[round] = r
	}
	return r
}

func (e *edges) numbers() []int {
	numbers := slices.Sorted(maps.Keys(e.levels))
	return slices.DeleteFunc(numbers, func(n int) bool { return !e.levels[n].began() })
}

// began reports whether the level's load began. One that a run ended in while
// it opened connections or warmed up is no level of the report.
func (l *levelEdges) began() bool { return l.load.Kind != "" }

// models is each target's model.
func (e *edges) models() map[string]string {
	m := map[string]string{}
	if e.run != nil {
		for _, t := range e.run.Targets {
			m[t.Name] = t.Model
		}
	}
	return m
}

func (e *edges) model(target string) string { return e.models()[target] }

// counted is the rounds that figures are taken from, in order, so that the
// same records give the same digits.
func (l *levelEdges) counted() []*roundEdges {
	var rounds []*roundEdges
	for _, n := range slices.Sorted(maps.Keys(l.rounds)) {
		if r := l.rounds[n]; !r.leftOut {
			rounds = append(rounds, r)
		}
	}
	return rounds
}

// nonceInput is what the unique front adds to a request; nil: there is none.
func (e *edges) nonceInput() *float64 {
	if e.run == nil || e.run.NonceTokens == 0 {
		return nil
	}
	n := float64(e.run.NonceTokens)
	return &n
}
