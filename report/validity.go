package report

import (
	"slices"

	"tidemark/record"
	"tidemark/text"
)

// rules is every check of a level, its severity and its threshold. A threshold
// that grows with a figure of the level begins at limit and is share of that
// figure beyond.
var rules = []rule{
	{id: "V1.frames", severity: Invalid, unit: "percent", limit: 1, judge: framesArrived},
	{id: "V1.first", severity: Invalid, unit: "percent", limit: 1, judge: firstsArrived},
	{id: "V1.reads", severity: Invalid, unit: "ms", limit: mattersLeast, share: mattersShare, judge: readsPrompt},
	{id: "V2", severity: Invalid, unit: "ms", limit: 2, share: .02, judge: sentOnTime},
	{id: "V3", severity: Invalid, unit: "percent", limit: 99.9, judge: sentAll},
	{id: "V4", severity: Withhold, unit: "percent", limit: 100 * enoughInFlight, judge: heldConcurrency},
	{id: "V5.cpu", severity: Invalid, unit: "percent", limit: 95, judge: ownCPU},
	{id: "V5.quota", severity: Invalid, unit: "ms", limit: 0, judge: throttled},
	{id: "V6", severity: Withhold, unit: "requests", judge: enoughForPercentiles},
	{id: "V7", severity: Remark, unit: "percent", limit: 10, judge: keepsUp},
	{id: "V8", severity: Remark, unit: "requests", limit: 0, judge: cutAtEnd},
	{id: "V9", severity: Invalid, unit: "percent", limit: 2, judge: countersAgree},
	{id: "V10", severity: Remark, unit: "percent", limit: 95, judge: lengthAsAsked},
	{id: "V11", severity: Withhold, unit: "requests", limit: 0, judge: tokensCounted},
	{id: "V13", severity: Remark, unit: "percent", limit: 50, judge: othersCPU},
}

type rule struct {
	id           string
	severity     Severity
	unit         string
	limit, share float64
	judge        func(rule, *evidence) answer
}

// evidence is what the checks look at: a level's figures, and what they are
// made of.
type evidence struct {
	*Level
	tally *levelTally
	place place
}

// place is where a level ran.
type place struct {
	quota float64 // cores; 0: not known
	local bool    // its endpoint runs on this machine
}

func (e *edges) place(l *levelEdges) place {
	if e.run == nil {
		return place{}
	}
	local := func(name string) bool {
		return slices.ContainsFunc(e.run.Targets, func(t record.Target) bool { return t.Local && t.Name == name })
	}
	return place{
		quota: e.run.Machine.Quota,
		local: local(l.target) || slices.ContainsFunc(l.load.Mix, func(s record.Share) bool { return local(s.Target) }),
	}
}

// answer is what a check says.
type answer struct {
	status       Status
	found, limit *float64
	says, remedy text.Message
}

// within answers ok or failed.
func within(fine bool, found, limit float64, says, remedy text.Message) answer {
	a := answer{status: CheckOK, found: &found, limit: &limit, says: says}
	if !fine {
		a.status, a.remedy = CheckFailed, remedy
	}
	return a
}

// idle answers that there is nothing to judge.
func idle(why text.Message) answer { return answer{status: NotApplicable, says: why} }

// unsure answers that it could not be told.
func unsure(why text.Message) answer { return answer{status: Undecided, says: why} }

// judge runs every check.
func judge(e *evidence, lang text.Lang) Validity {
	v := Validity{Checks: []Check{}}
	for _, r := range rules {
		a := r.judge(r, e)
		v.Checks = append(v.Checks, Check{
			ID: r.id, Status: a.status, Severity: r.severity, Found: a.found, Limit: a.limit, Unit: r.unit,
			Says: a.says.In(lang), Remedy: a.remedy.In(lang),
		})
	}
	v.Valid = v.verdict()
	return v
}

// proofs are the checks of which one at least must have judged for a level to
// be called valid: they look at every request.
var proofs = []string{"V1.frames", "V1.first", "V1.reads", "V9"}

func (v *Validity) verdict() *bool {
	valid := false
	for _, c := range v.Checks {
		switch {
		case c.Severity == Invalid && c.Status == CheckFailed:
			return new(bool)
		case c.Status == CheckOK && slices.Contains(proofs, c.ID):
			valid = true
		}
	}
	if !valid {
		return nil
	}
	return &valid
}

// Check is the level's answer to a check; the zero Check: it was not asked.
func (l *Level) Check(id string) Check {
	for _, c := range l.Validity.Checks {
		if c.ID == id {
			return c
		}
	}
	return Check{}
}

// Uncertain reports whether more of the level's arrivals are uncertain than
// may be, whoever's doing it is: see [Level.Bursts].
func (l *Level) Uncertain() bool {
	for _, id := range arrivalChecks {
		if c := l.Check(id); c.Status == CheckFailed || c.Status == Undecided {
			return true
		}
	}
	return false
}

// Saturated reports whether the endpoint did not keep up with what an open
// loop sent: its latency depends on how long one watches.
func (l *Level) Saturated() bool { return l.Check("V7").Status == CheckFailed }
