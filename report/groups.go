package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

// What groups are told apart by.
const (
	ByTurn     = "turn"
	ByMix      = "mix"
	ByProtocol = "protocol"
)

// mostTurns bounds how many turns have rows of their own; what comes later is
// one.
const mostTurns = 50

// groups counts the parts of a level. A level that has none costs nothing.
type groups struct {
	open, turns, protocols bool
	mix                    []record.Share // nil: the level has one part
	all                    map[groupKey]*groupTally
}

type groupKey struct {
	by, key string
	order   int // of the turn, or of the share in the mix
}

type groupTally struct {
	figures latencies
	endings endings
	tokens  tokenTally
}

func newGroups(l *levelEdges) groups {
	g := groups{open: l.open(), turns: l.talks, protocols: l.protocols, all: map[groupKey]*groupTally{}}
	if len(l.load.Mix) > 1 {
		g.mix = l.load.Mix
	}
	return g
}

// of lists the groups that an attempt is in.
func (g *groups) of(a *record.Attempt) []*groupTally {
	var in []*groupTally
	add := func(k groupKey) {
		t := g.all[k]
		if t == nil {
			t = &groupTally{figures: latencies{open: g.open}}
			g.all[k] = t
		}
		in = append(in, t)
	}
	if g.turns && a.Turn > 0 {
		k := groupKey{ByTurn, strconv.Itoa(a.Turn), a.Turn}
		if a.Turn > mostTurns {
			k = groupKey{ByTurn, strconv.Itoa(mostTurns+1) + "+", mostTurns + 1}
		}
		add(k)
	}
	if g.mix != nil {
		add(groupKey{ByMix, a.Target + " · " + a.Workload, slices.IndexFunc(g.mix, func(s record.Share) bool {
			return s.Target == a.Target && s.Workload == a.Workload
		})})
	}
	if g.protocols {
		add(groupKey{ByProtocol, cmp.Or(a.Protocol, "HTTP/1.1"), 0})
	}
	return in
}

// add counts a measured attempt.
func (g *groups) add(a *record.Attempt) {
	for _, t := range g.of(a) {
		t.endings.add(a)
		if a.Outcome.Side() == outcome.Success {
			t.tokens.add(a)
		}
	}
}

// measure takes the figures of an ok attempt that started inside the window.
func (g *groups) measure(a *record.Attempt) {
	for _, t := range g.of(a) {
		t.figures.add(a)
	}
}

// list is the groups: turns, then the parts of the mix, each in their order,
// then protocols by name.
func (g *groups) list(lang text.Lang) []Group {
	rank := []string{ByTurn, ByMix, ByProtocol}
	keys := slices.SortedFunc(maps.Keys(g.all), func(a, b groupKey) int {
		return cmp.Or(cmp.Compare(slices.Index(rank, a.by), slices.Index(rank, b.by)),
			cmp.Compare(a.order, b.order), cmp.Compare(a.key, b.key))
	})
	var all []Group
	for _, k := range keys {
		t := g.all[k]
		all = append(all, Group{By: k.by, Key: k.key, Latency: t.figures.latency(),
			Reliability: t.endings.reliability(lang), Tokens: t.tokens.tokens()})
	}
	return all
}
