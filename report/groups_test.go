package report

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
)

// grouped is what each group counts: all, ok, and values of TTFT.
func grouped(l Level) map[string][3]int {
	all := map[string][3]int{}
	for _, g := range l.Groups {
		n := 0
		if g.Latency.TTFT != nil {
			n = g.Latency.TTFT.N
		}
		all[g.By+" "+g.Key] = [3]int{g.Reliability.Sent, g.Reliability.OK, n}
	}
	return all
}

// Two users of four turns; the first request lies outside the window.
func TestGroupsByTurn(t *testing.T) {
	recs := twoSlots()
	for i, r := range recs[2:10] {
		r.(*record.Attempt).Session, r.(*record.Attempt).Turn = i%2+1, i/2+1
	}
	recs[9].(*record.Attempt).Outcome = outcome.TotalTimeout
	l := compute(t, whole(recs)).Levels[0]
	if d := cmp.Diff(map[string][3]int{"turn 1": {2, 2, 1}, "turn 2": {2, 2, 2}, "turn 3": {2, 2, 2}, "turn 4": {2, 1, 1}}, grouped(l)); d != "" {
		t.Error(d)
	}
	if *l.Groups[3].Tokens.Output != 4 {
		t.Errorf("%+v", l.Groups[3].Tokens)
	}
}

func TestGroupsByMixAndProtocol(t *testing.T) {
	recs := twoSlots()
	recs[0].(*record.Level).Load.Mix = []record.Share{{Target: "u", Workload: "long", Weight: 1}, {Target: "t", Workload: "default", Weight: 3}}
	for _, i := range []int{4, 6} {
		a := recs[i].(*record.Attempt)
		a.Target, a.Workload, a.Protocol = "u", "long", "HTTP/2"
	}
	l := compute(t, whole(recs)).Levels[0]
	want := map[string][3]int{"mix u · long": {2, 2, 2}, "mix t · default": {6, 6, 5}, "protocol HTTP/2": {2, 2, 2}, "protocol HTTP/1.1": {6, 6, 5}}
	if d := cmp.Diff(want, grouped(l)); d != "" {
		t.Error(d)
	}
	if l.Groups[0].Key != "u · long" {
		t.Errorf("not in the mix's order: %+v", l.Groups)
	}
	if l := compute(t, whole(twoSlots())).Levels[0]; l.Groups != nil {
		t.Errorf("%+v", l.Groups)
	}
}

// Conversations without end take rows up to a bound.
func TestGroupsAreBounded(t *testing.T) {
	g := newGroups(&levelEdges{talks: true})
	for i := range 500 {
		a := answered(i+1, 1000)
		a.Turn = i + 1
		g.add(a)
	}
	all := g.list("")
	last := all[len(all)-1]
	if len(all) != mostTurns+1 || last.Key != strconv.Itoa(mostTurns+1)+"+" || last.Reliability.Sent != 500-mostTurns || all[1].Key != "2" {
		t.Errorf("%d groups, the last %+v", len(all), last)
	}
}
