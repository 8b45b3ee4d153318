package report

import (
	"cmp"
	"maps"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
	"tidemark/text"
)

// offered is one request of an open loop: when it was due, when it was over,
// and how long after its due moment its answer was whole. All in nanoseconds.
type offered struct {
	due, end int64
	latency  int64 // −1: it came to no good end
	session  int   // 0: it is no conversation's
}

func (r *roundEdges) offer(a *record.Attempt) {
	if a.Due == 0 || a.End < a.Due {
		return
	}
	o := offered{int64(a.Due), int64(a.End), -1, a.Session}
	if a.Outcome.Side() == outcome.Success && a.LastOut >= a.Due {
		o.latency = int64(a.LastOut - a.Due)
	}
	r.offered = append(r.offered, o)
	r.spans(stat.Span{From: o.due, To: o.end})
}

// settled is the stretch from the first due moment and one median latency, by
// which the endpoint has about as much to do as it will have, to the last due
// moment. It is empty where there is no such stretch.
func (r *roundEdges) settled() stat.Span {
	due, ok := dueSpan(r.offered)
	if !ok {
		return stat.Span{}
	}
	if warm := median(r.offered); warm < due.Len() {
		return stat.Span{From: due.From + warm, To: due.To}
	}
	return stat.Span{}
}

// dueSpan is from the first due moment to the last.
func dueSpan(all []offered) (stat.Span, bool) {
	if len(all) == 0 {
		return stat.Span{}, false
	}
	byDue := func(a, b offered) int { return cmp.Compare(a.due, b.due) }
	return stat.Span{From: slices.MinFunc(all, byDue).due, To: slices.MaxFunc(all, byDue).due}, true
}

// median is the median latency of those that came to a good end; 0: none did.
func median(all []offered) int64 {
	good := sorted(all)
	if len(good) == 0 {
		return 0
	}
	return good[len(good)/2]
}

// sorted is the latencies of those that came to a good end, the shortest first.
func sorted(all []offered) []int64 {
	var good []int64
	for _, o := range all {
		if o.latency >= 0 {
			good = append(good, o.latency)
		}
	}
	slices.Sort(good)
	return good
}

// underWay is what was under way, whole sessions where these arrive: the turns
// of one wait for its answers, so that their pace is the endpoint's too.
func (r *roundEdges) underWay(sessions bool) []offered {
	if !sessions {
		return r.offered
	}
	all := map[int]offered{}
	for _, o := range r.offered {
		s, begun := all[o.session]
		if !begun {
			s = o
		}
		s.due, s.end = min(s.due, o.due), max(s.end, o.end)
		s.latency = s.end - s.due
		all[o.session] = s
	}
	return slices.Collect(maps.Values(all))
}

// unsettled is what a round of an open loop lacks: time behind its warm-in.
func (r *roundEdges) unsettled() short {
	if r.window.Len() > 0 {
		return short{}
	}
	due, ok := dueSpan(r.offered)
	if !ok {
		return short{Few, text.Msg("report.short.nothing_due")}
	}
	return short{Few, text.Msg("report.short.unsettled", float64(due.Len())/1e9, float64(median(r.offered))/1e9)}
}
