package finding

import (
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/text"
)

// ofLevel is the rules over one level.
var ofLevel = []struct {
	id    string
	judge func(*report.Level) (conclusion, bool)
}{
	{"rate_limited", rateLimited},
	{"failures", failures},
	{"buffering", buffering},
	{"too_few_requests", tooFew},
	{"saturated", saturated},
	{"cap_reached", capReached},
	{"cancelled", cancelled},
	{"schedule_overrun", overrun},
}

const (
	// notable is the share of requests, in percent, from which an ending is
	// worth a finding.
	notable = 1.0
	// mostly is the share of answers, in percent, from which clumps are the
	// way's and not an accident's.
	mostly = 50.0
)

func rateLimited(l *report.Level) (conclusion, bool) {
	refused := count(l.Reliability.Outcomes, outcome.RateLimited)
	share, ok := shareOf(refused, l.Reliability)
	if !ok || share < notable {
		return conclusion{}, false
	}
	evidence := map[string]float64{"share_percent": share, "requests": float64(refused)}
	longest := 0.0
	for _, o := range l.Reliability.Outcomes {
		if o.Outcome == outcome.RateLimited && o.RetryAfter != nil {
			longest = max(longest, *o.RetryAfter)
		}
	}
	if longest > 0 {
		evidence["retry_after_s"] = longest
		return conclusion{text.Msg("finding.rate_limited.wait", share, longest), evidence}, true
	}
	return conclusion{text.Msg("finding.rate_limited", share), evidence}, true
}

// failures tells of endings that no other finding explains.
func failures(l *report.Level) (conclusion, bool) {
	r := l.Reliability
	others := r.Failed - count(r.Outcomes, outcome.RateLimited) - count(r.Outcomes, outcome.Quota)
	share, ok := shareOf(others, r)
	if !ok || share < notable {
		return conclusion{}, false
	}
	evidence := map[string]float64{"share_percent": share, "requests": float64(others)}
	for _, o := range r.Outcomes { // the most frequent first
		if o.Outcome.Side() == outcome.Failure && o.Outcome != outcome.RateLimited && o.Outcome != outcome.Quota {
			return conclusion{text.Msg("finding.failures", share, o.Outcome.Name(), o.Outcome.Cure()), evidence}, true
		}
	}
	return conclusion{}, false
}

func buffering(l *report.Level) (conclusion, bool) {
	held := 0
	for _, w := range l.Warnings {
		if w.ID == record.WarnBurst || w.ID == record.WarnClumped {
			held = max(held, w.Count) // one answer may be both
		}
	}
	if l.Reliability.OK == 0 || l.Uncertain() && !l.Bursts() {
		return conclusion{}, false // frames that a late client reads at once look the same
	}
	share := min(100, 100*float64(held)/float64(l.Reliability.OK))
	if share < mostly {
		return conclusion{}, false
	}
	return conclusion{text.Msg("finding.buffering", share),
		map[string]float64{"share_percent": share, "requests": float64(held)}}, true
}

func tooFew(l *report.Level) (conclusion, bool) {
	c := l.Load.Concurrency
	if l.ShortReason != report.Few || l.Ended != "" || c == nil || l.Load.Rounds == 0 {
		return conclusion{}, false
	}
	sent := l.Reliability.Sent / l.Load.Rounds // a short level counts all its rounds
	return conclusion{text.Msg("finding.too_few_requests", sent, *c, 2**c),
		map[string]float64{"requests": float64(sent), "concurrency": float64(*c), "needed": float64(2 * *c)}}, true
}

func count(outcomes []report.Outcome, class outcome.Class) int {
	n := 0
	for _, o := range outcomes {
		if o.Outcome == class {
			n += o.Count
		}
	}
	return n
}

// shareOf is the percentage that n is of the requests that count.
func shareOf(n int, r report.Reliability) (float64, bool) {
	if r.OK+r.Failed == 0 {
		return 0, false
	}
	return 100 * float64(n) / float64(r.OK+r.Failed), true
}

// quota looks at all phases: a balance that is spent in the warm-up is spent.
func quota(r *report.Report) (conclusion, bool) {
	n := count(r.Preflight, outcome.Quota)
	for i := range r.Levels {
		n += count(r.Levels[i].WarmUp.Outcomes, outcome.Quota) + count(r.Levels[i].Reliability.Outcomes, outcome.Quota)
	}
	if n == 0 {
		return conclusion{}, false
	}
	return conclusion{text.Msg("finding.quota_spent", n), map[string]float64{"requests": float64(n)}}, true
}
