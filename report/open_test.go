package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
)

// offeredLevel is ten requests due 100 ms apart from 1000 on. Each was
// dispatched 2 ms late, its connection took 5 ms to open, and it was sent a
// millisecond after that; the rest is as answered makes it: first output 30 ms
// after the send, last 60, end 63.
func offeredLevel() []record.Record {
	first := start(1, 1, 0, 1000)
	first.Load = &record.Load{Kind: record.Open, RatePerS: 10, MaxInFlight: 3,
		Schedule: &record.Schedule{Name: "10", Arrival: "constant", Requests: 10, LengthS: 1}}
	recs := []record.Record{first}
	for i := range 10 {
		due := 1000 + 100*float64(i)
		a := answered(i+1, due+7)
		a.Due, a.Dispatched = at(due), at(due+2)
		a.OpenedInLevel, a.Dial, a.Connected = true, at(due+2), at(due+7)
		recs = append(recs, a)
	}
	end := edge(record.LevelEnd, 1, 1, 2100)
	end.Due, end.InFlightS = 10, 10*.069
	return append(recs, end)
}

// From the due moment: sent + 8, first output + 38, last + 68. The window
// begins one median latency behind the first due moment, 1068, and ends at the
// last, 1900: nine requests.
func TestOpenLoopLatencyStartsWhenDue(t *testing.T) {
	l := compute(t, whole(offeredLevel())).Levels[0]
	want := map[string][2]float64{
		"ttft": {9, 38}, "ttft from sent": {9, 30}, "e2e": {9, 68}, "e2e from sent": {9, 60}, "ttfa": {9, 38}, "ttfb": {9, 20},
		"ntpot": {9, 17}, "send lag": {9, 3}, "dispatch lag": {9, 2}, "speed": {9, 4 / .068},
	}
	got := map[string][2]float64{}
	y := l.Latency
	for name, s := range map[string]struct {
		n    int
		mean float64
	}{
		"ttft": {y.TTFT.N, y.TTFT.Mean}, "ttft from sent": {y.TTFTFromSent.N, y.TTFTFromSent.Mean}, "e2e": {y.E2E.N, y.E2E.Mean},
		"e2e from sent": {y.E2EFromSent.N, y.E2EFromSent.Mean}, "ttfa": {y.TTFA.N, y.TTFA.Mean}, "ttfb": {y.TTFB.N, y.TTFB.Mean},
		"ntpot": {y.NTPOT.N, y.NTPOT.Mean}, "send lag": {y.SendLag.N, y.SendLag.Mean},
		"dispatch lag": {y.DispatchLag.N, y.DispatchLag.Mean}, "speed": {l.Speed.Request.N, l.Speed.Request.Mean},
	} {
		got[name] = [2]float64{float64(s.n), s.mean}
	}
	if d := cmp.Diff(want, got, about); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(&Window{FullS: .068, EmptiedS: .9}, l.Load.Window, about); d != "" || l.Short {
		t.Errorf("%s %v", d, l.ShortWhy)
	}
	if *l.Load.Due != 10 || *l.Load.Unsent != 0 || *l.Load.Held != 0 || *l.Load.MaxInFlight != 3 || *l.Load.RatePerS != 10 || l.Load.Concurrency != nil {
		t.Errorf("%+v", l.Load)
	}
}

// A connection that was open before the request was due takes nothing off.
func TestLatenessLeavesOutOnlyItsOwnConnection(t *testing.T) {
	for name, c := range map[string]struct {
		dial, connected float64
		want            float64
	}{
		"none": {0, 0, 8}, "opened long before": {500, 600, 8}, "opened meanwhile": {1002, 1007, 3}, "begun before": {990, 1006, 2},
	} {
		a := &record.Attempt{Clocks: record.Clocks{Due: at(1000), Sent: at(1008), Dial: at(c.dial), Connected: at(c.connected)}}
		if late, ok := lateness(a); !ok || late != c.want {
			t.Errorf("%s: %v, not %v", name, late, c.want)
		}
	}
	if _, ok := lateness(&record.Attempt{Clocks: record.Clocks{Due: at(1000)}}); ok {
		t.Error("what was never sent was late")
	}
}

// Where the answers take longer than the schedule lasts nothing settles, and
// all is used.
func TestOpenLevelThatNeverSettles(t *testing.T) {
	recs := offeredLevel()
	for _, r := range recs {
		if a, ok := r.(*record.Attempt); ok {
			a.LastOut, a.Terminal, a.End = a.LastOut+at(900), a.Terminal+at(900), a.End+at(900)
		}
	}
	l := compute(t, whole(recs)).Levels[0]
	if !l.Short || l.ShortReason != Few || !contains(l.ShortWhy, "0.9 s", "1.0 s") || l.Latency.E2E.N != 10 {
		t.Errorf("%v %q, %d", l.Short, l.ShortWhy, l.Latency.E2E.N)
	}
	if c := l.Check("V7"); c.Status != Undecided {
		t.Errorf("%+v", c)
	}
	none := compute(t, whole([]record.Record{recs[0], edge(record.LevelEnd, 1, 1, 1001)})).Levels[0]
	if !none.Short || !contains(none.ShortWhy, "None of its requests") {
		t.Errorf("%q", none.ShortWhy)
	}
}

// A second round that was stopped before it settled is left out.
func TestUnsettledRoundIsLeftOut(t *testing.T) {
	second := offeredLevel()[:2]
	again := second[1].(*record.Attempt)
	again.Round = 2
	end := edge(record.LevelEnd, 1, 2, 5000)
	end.Due, end.Unsent, end.Why = 5, 4, string(record.Interrupted)
	l := compute(t, whole(offeredLevel(), []record.Record{again, end})).Levels[0]
	if l.Short || l.Load.Rounds != 1 || *l.Load.Due != 10 || *l.Load.Unsent != 0 || l.Check("V3").Status != CheckOK {
		t.Errorf("%+v %+v", l.Load, l.Check("V3"))
	}
}

// Ten requests are ten parts of 100 ms; one was held to the next part, one
// failed, and a trace asked for 7 and 5 tokens.
func TestTimeline(t *testing.T) {
	recs := offeredLevel()
	third := recs[3].(*record.Attempt)
	third.Held = true
	move(third, 95)
	recs[5].(*record.Attempt).Outcome = outcome.TotalTimeout
	l := compute(t, whole(recs)).Levels[0]
	want := &Timeline{StepS: .1,
		Due:  []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
		Sent: []int{1, 1, 0, 2, 1, 1, 1, 1, 1, 1},
		OK:   []int{1, 1, 0, 2, 0, 1, 1, 1, 1, 1},
	}
	if d := cmp.Diff(want, l.Timeline, about); d != "" {
		t.Error(d)
	}
	if *l.Load.Held != 1 {
		t.Errorf("%d held", *l.Load.Held)
	}
	for _, r := range recs[1:11] {
		r.(*record.Attempt).InputAsked, r.(*record.Attempt).OutputAsked = 7, 5
	}
	asked := compute(t, whole(recs)).Levels[0].Timeline
	if asked.InputAsked[9] != 7 || asked.Input[9] != 7 || asked.OutputAsked[9] != 5 || asked.Output[9] != 4 {
		t.Errorf("%+v", asked)
	}
	if l := compute(t, whole(twoSlots())).Levels[0]; l.Timeline != nil {
		t.Error("a closed loop has a timeline")
	}
}

// Users who think are never all in flight: that is no lack.
func TestSessionsAreNeverShortOnAverage(t *testing.T) {
	talk := func() []record.Record {
		recs := twoSlots()
		recs[0].(*record.Level).Load.Turns, recs[0].(*record.Level).Load.ThinkS = 4, 2
		for i, r := range recs[2:10] {
			a := r.(*record.Attempt)
			a.Session, a.Turn = i%2+1, i/2+1
			a.End = a.LastOut // in flight less than always
		}
		return recs
	}
	l := compute(t, whole(talk())).Levels[0]
	if l.Short || l.Check("V4").Status != NotApplicable || *l.Load.Turns != 4 || *l.Load.ThinkS != 2 {
		t.Errorf("%q %+v", l.ShortWhy, l.Load)
	}
	few := talk()
	few[0].(*record.Level).Load.Concurrency = 5
	if l := compute(t, whole(few)).Levels[0]; l.ShortReason != Few || !contains(l.ShortWhy, "5 users") {
		t.Errorf("%q", l.ShortWhy)
	}
	some := talk()
	some[1] = edge(record.LevelStart, 1, 1, 999)
	some[1].(*record.Level).Target = "t"
	if l := compute(t, whole(some)).Levels[0]; l.ShortReason != NeverFull || !contains(l.ShortWhy, "2 users") {
		t.Errorf("%q", l.ShortWhy)
	}
}
