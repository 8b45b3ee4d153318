package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

func contains(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

func TestOutcomesAreGrouped(t *testing.T) {
	var e endings
	for i := range 3 {
		a := failed(i, 0, outcome.RateLimited, 429, "slow down")
		a.RetryAfter = float64(i)
		e.add(a)
	}
	e.add(failed(4, 0, outcome.RateLimited, 429, "slower"))
	e.add(failed(5, 0, outcome.StaleConnection, 0, ""))
	e.add(failed(6, 0, outcome.CutByRunEnd, 0, ""))
	e.add(answered(7, 0))
	r := e.reliability(text.English)
	hint := outcome.RateLimited.Cure().In(text.English)
	want := []Outcome{
		{Outcome: outcome.RateLimited, Count: 3, HTTPStatus: ptr(429), Message: "slow down", RetryAfter: ptr(2.0), Hint: hint},
		{Outcome: outcome.CutByRunEnd, Count: 1, Hint: outcome.CutByRunEnd.Cure().In(text.English)},
		{Outcome: outcome.RateLimited, Count: 1, HTTPStatus: ptr(429), Message: "slower", Hint: hint},
		{Outcome: outcome.StaleConnection, Count: 1, Hint: outcome.StaleConnection.Cure().In(text.English)},
	}
	if d := cmp.Diff(want, r.Outcomes); d != "" {
		t.Error(d)
	}
	// 1 of 1 + 4: what the client or the end did is in no rate.
	if r.Sent != 7 || r.OK != 1 || r.Failed != 4 || r.Cut != 1 || r.Client != 1 || *r.SuccessPercent != 20 {
		t.Errorf("%+v", r)
	}
}

func TestOutcomesAreBounded(t *testing.T) {
	var e endings
	for i := range 5000 {
		e.add(failed(i, 0, outcome.Status(500), 500, fmt.Sprintf("request %d", i)))
	}
	if n := len(e.kinds); n > mostKinds+1 {
		t.Errorf("%d kinds kept", n)
	}
	out := e.outcomes(text.English)
	if len(out) > mostOutcomes || out[0].Count < 4000 || out[0].Message != "" {
		t.Errorf("%d, %+v", len(out), out[0])
	}
	if n := counted(out); n != 5000 {
		t.Errorf("rows hold %d of 5000 requests", n)
	}
}

func counted(outcomes []Outcome) int {
	n := 0
	for _, o := range outcomes {
		n += o.Count
	}
	return n
}

// Gateways write a request's id into their message: 200 refusals are 200 kinds
// then, and still 200 refusals. Twenty keep their words; the others are one
// row a class and status.
func TestEveryEndingIsInOneRow(t *testing.T) {
	var e endings
	for i := range 200 {
		e.add(failed(i, 0, outcome.RateLimited, 429, fmt.Sprintf("request %d: slow down", i)))
	}
	waits := failed(200, 0, outcome.RateLimited, 429, "request zzz: slow down")
	waits.RetryAfter = 7
	e.add(waits)
	e.add(failed(201, 0, outcome.StaleConnection, 0, "zz"))
	e.add(failed(202, 0, outcome.CutByRunEnd, 0, ""))
	r := e.reliability(text.English)
	if n := counted(r.Outcomes); n != r.Failed+r.Cut+r.Client || n != 203 {
		t.Errorf("rows hold %d of %d + %d + %d requests", n, r.Failed, r.Cut, r.Client)
	}
	// In order: the cut one, 19 refusals by their message; the other 182
	// refusals folded, the stale connection folded.
	if len(r.Outcomes) != mostOutcomes+2 {
		t.Errorf("%d rows", len(r.Outcomes))
	}
	first := Outcome{Outcome: outcome.RateLimited, Count: 182, HTTPStatus: ptr(429), RetryAfter: ptr(7.0), Hint: outcome.RateLimited.Cure().In(text.English)}
	if d := cmp.Diff(first, r.Outcomes[0]); d != "" {
		t.Error(d)
	}
}

// The console knows of every phase, but not of what never left.
func TestConsole(t *testing.T) {
	warm := failed(1, 900, outcome.Status(500), 500, "cold")
	warm.Phase = record.WarmUp
	unsent := failed(9, 1300, outcome.Connect, 0, "connection refused")
	unsent.Sent = 0
	silent := answered(10, 1400)
	silent.Outcome, silent.Tokens, silent.HTTPStatus = outcome.TTFTTimeout, record.Tokens{}, 0
	r := compute(t, whole([]record.Record{preflight(answered(1, 100)), warm}, twoSlots(), []record.Record{unsent, silent}))
	c := r.Console
	// 1 + 1 + 8 + 1 sent; tokens of the preflight and the eight; one that got
	// through to the endpoint may be on the bill without a count.
	if c.Requests != 11 || c.Preflight != 1 || c.WarmUp != 1 || c.Failed != 2 || *c.OutputTokens != 36 || *c.InputTokens != 63 || c.WithoutCount != 1 {
		t.Errorf("%+v", c)
	}
	if got := c.From.Sub(r.Started).Milliseconds(); got != 101 {
		t.Errorf("from %d ms", got)
	}
	if w := r.Levels[0].WarmUp; w.Sent != 1 || w.OK != 0 || len(w.Outcomes) != 1 {
		t.Errorf("%+v", w)
	}
}
