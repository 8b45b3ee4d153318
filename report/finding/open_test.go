package finding

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/text"
)

// offering is a healthy level of an open loop.
func offering(perS, tokensPerS, ttft, tpot float64) report.Level {
	l := level(0, tokensPerS, ttft, tpot)
	l.Load = report.Load{
		Kind: record.Open, RatePerS: &perS, Rounds: 1, Due: ptr(100), Unsent: ptr(0), Held: ptr(0), DurationS: ptr(11.0),
		Schedule: &record.Schedule{Requests: 100, LengthS: 10}, Achieved: &report.MeanMax{Mean: perS / 10, Max: 30},
	}
	l.Throughput.RequestsPerS = ptr(perS)
	return l
}

// saturate is an endpoint that answers 30 a second, whatever is due.
func saturate(l *report.Level) {
	l.Throughput.RequestsPerS = ptr(30.0)
	l.Validity.Checks = []report.Check{
		{ID: "V7", Status: report.CheckFailed, Found: ptr(140.0)}, {ID: "V8", Status: report.CheckFailed, Found: ptr(7.0)},
	}
	l.Load.DurationS = ptr(25.0)
}

func TestFindingsOfOpenLoops(t *testing.T) {
	for name, c := range map[string]struct {
		levels   []report.Level
		ofLevels []string
		ofRun    []string
	}{
		"a healthy ladder": {levels: []report.Level{offering(5, 500, 50, 10), offering(20, 2000, 55, 11)}},
		"one that saturates": {
			levels:   []report.Level{offering(20, 2000, 50, 10), with(offering(80, 2050, 4000, 11), saturate)},
			ofLevels: []string{"saturated"}, ofRun: []string{"throughput_plateau", "queueing"}},
		// As much is in flight as before, and more was due: the endpoint got quicker.
		"a plateau is of what was due": {
			levels: []report.Level{offering(20, 2000, 50, 10), with(offering(22, 2010, 50, 10), func(l *report.Level) { l.Load.Achieved.Mean = 9 })}},
		"a cap": {
			levels:   []report.Level{with(offering(20, 2000, 50, 10), func(l *report.Level) { l.Load.Held, l.Load.MaxInFlight = ptr(25), ptr(4) })},
			ofLevels: []string{"cap_reached"}},
		"a cap that was not reached": {
			levels: []report.Level{with(offering(20, 2000, 50, 10), func(l *report.Level) { l.Load.MaxInFlight = ptr(400) })}},
		"users who leave": {
			levels: []report.Level{with(offering(20, 2000, 50, 10), func(l *report.Level) {
				endings(90, report.Outcome{Outcome: outcome.CancelledByPlan, Count: 10})(l)
				l.Load.CancelPercent = ptr(10.0)
			})},
			ofLevels: []string{"cancelled"}},
		"an end that is longer than the level": {
			levels:   []report.Level{with(offering(20, 2000, 50, 10), func(l *report.Level) { l.Load.DurationS = ptr(20.0) })},
			ofLevels: []string{"schedule_overrun"}},
		"the same over two rounds is none": {
			levels: []report.Level{with(offering(20, 2000, 50, 10), func(l *report.Level) { l.Load.DurationS, l.Load.Rounds = ptr(22.0), 2 })}},
		"sessions go on": {
			levels: []report.Level{with(offering(20, 2000, 50, 10), func(l *report.Level) { l.Load.DurationS, l.Load.Turns = ptr(50.0), ptr(8) })}},
		"rates and concurrencies don't compare": {
			levels: []report.Level{level(1, 700, 50, 10), offering(20, 710, 150, 11)}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, lang := range []text.Lang{text.English, text.Chinese} {
				r := &report.Report{Levels: c.levels}
				Add(r, lang)
				var ofLevels []string
				for _, l := range r.Levels {
					ofLevels = append(ofLevels, told(t, l.Findings)...)
				}
				if d := cmp.Diff(c.ofLevels, ofLevels); d != "" {
					t.Error(d)
				}
				if d := cmp.Diff(c.ofRun, told(t, r.Findings)); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestEvidenceOfOpenLoops(t *testing.T) {
	r := &report.Report{Levels: []report.Level{offering(20, 2000, 50, 10), with(offering(80, 2050, 4000, 11), saturate)}}
	Add(r, text.English)
	want := report.Finding{ID: "saturated",
		Text:     "The endpoint does not keep up with 80 requests/s: it answered 30.0 requests/s, and the number under way grew by 140 % of its mean while the load lasted. Latency here depends on how long you watch; stay below this rate, or add capacity.",
		Evidence: map[string]float64{"rate_per_s": 80, "requests_per_s": 30, "growth_percent": 140, "cut_requests": 7, "in_flight_max": 30}}
	if d := cmp.Diff([]report.Finding{want}, r.Levels[1].Findings); d != "" {
		t.Error(d)
	}
	plateau := map[string]float64{"from_rate_per_s": 20, "to_rate_per_s": 80, "from_output_tokens_per_s": 2000, "to_output_tokens_per_s": 2050}
	if d := cmp.Diff(plateau, r.Findings[0].Evidence); d != "" {
		t.Error(d)
	}
}

// Users are named as such.
func TestStepsOfUsers(t *testing.T) {
	users := func(n int, tokens float64) report.Level {
		l := level(n, tokens, 50, 10)
		l.Load.Kind, l.Load.Turns = record.Closed, ptr(8)
		return l
	}
	r := &report.Report{Levels: []report.Level{users(10, 700), users(50, 705)}}
	Add(r, text.English)
	if len(r.Findings) != 1 || r.Findings[0].Text[:19] != "From 10 to 50 users" {
		t.Errorf("%+v", r.Findings)
	}
}
