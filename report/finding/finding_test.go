package finding

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/stat"
	"tidemark/text"
)

func ptr[T any](v T) *T { return &v }

func median(v float64) *stat.Summary { return &stat.Summary{N: 40, P50: v} }

// level is healthy: its TTFT and time per token are as given, in milliseconds.
func level(concurrency int, tokensPerS, ttft, tpot float64) report.Level {
	return report.Level{
		Target: "t", Workload: "default",
		Load:        report.Load{Concurrency: &concurrency, Rounds: 1, Achieved: &report.MeanMax{Mean: float64(concurrency)}},
		Throughput:  report.Throughput{OutputTokensPerS: &tokensPerS},
		Latency:     report.Latency{TTFT: median(ttft), TPOT: median(tpot)},
		Reliability: report.Reliability{Sent: 100, OK: 100},
	}
}

func with(l report.Level, change func(*report.Level)) report.Level { change(&l); return l }

func endings(ok int, outcomes ...report.Outcome) func(*report.Level) {
	return func(l *report.Level) {
		r := report.Reliability{OK: ok, Outcomes: outcomes}
		for _, o := range outcomes {
			if o.Outcome.Side() == outcome.Failure {
				r.Failed += o.Count
			}
			r.Sent += o.Count
		}
		r.Sent += ok
		l.Reliability = r
	}
}

func TestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		levels   []report.Level
		ofLevels []string // of all levels, in order
		ofRun    []string
	}{
		"nothing":               {},
		"a healthy level alone": {levels: []report.Level{level(8, 100, 50, 10)}},
		"a healthy ladder":      {levels: []report.Level{level(1, 100, 50, 10), level(8, 700, 55, 11), level(32, 2000, 60, 12)}},
		"a limit on the rate": {
			levels: []report.Level{with(level(8, 100, 50, 10), endings(90, report.Outcome{Outcome: outcome.RateLimited, Count: 10, RetryAfter: ptr(3.0)}))},
			// 10 of 100
			ofLevels: []string{"rate_limited"}},
		"one in two hundred is none": {
			levels: []report.Level{with(level(8, 100, 50, 10), endings(199, report.Outcome{Outcome: outcome.RateLimited, Count: 1}))}},
		"failures": {
			levels:   []report.Level{with(level(8, 100, 50, 10), endings(98, report.Outcome{Outcome: outcome.Status(502), Count: 2}))},
			ofLevels: []string{"failures"}},
		"the client's own are none": {
			levels: []report.Level{with(level(8, 100, 50, 10), endings(50, report.Outcome{Outcome: outcome.StaleConnection, Count: 50}))}},
		"a spent balance": {
			levels: []report.Level{with(level(8, 100, 50, 10), endings(50, report.Outcome{Outcome: outcome.Quota, Count: 50}))},
			ofRun:  []string{"quota_spent"}},
		"a buffer": {
			levels:   []report.Level{with(level(8, 100, 50, 10), func(l *report.Level) { l.Warnings = []report.Warning{{ID: "clumped", Count: 60}} })},
			ofLevels: []string{"buffering"}},
		"a late client is no buffer": {
			levels: []report.Level{with(level(8, 100, 50, 10), func(l *report.Level) {
				l.Warnings = []report.Warning{{ID: "clumped", Count: 60}}
				l.Validity.Checks = []report.Check{{ID: "V1.frames", Status: report.CheckFailed}}
				l.Latency.ClientLag = &stat.Summary{N: 100, P99: 8}
			})}},
		"a buffer that a prompt client sees": {
			levels: []report.Level{with(level(8, 100, 50, 10), func(l *report.Level) {
				l.Warnings = []report.Warning{{ID: "clumped", Count: 60}}
				l.Validity.Checks = []report.Check{{ID: "V1.frames", Status: report.Undecided}}
				l.Latency.ClientLag = &stat.Summary{N: 100, P99: .2}
				l.Frames.Output, l.Frames.Uncertain, l.Frames.UncertainBy = 1000, 600, ptr(300.0)
				l.Frames.UncertainLag = ptr(1.1)
			})},
			ofLevels: []string{"buffering"}},
		"few clumps are none": {
			levels: []report.Level{with(level(8, 100, 50, 10), func(l *report.Level) { l.Warnings = []report.Warning{{ID: "burst", Count: 40}} })}},
		"too few requests": {
			levels:   []report.Level{with(level(64, 100, 50, 10), func(l *report.Level) { l.Short, l.ShortReason = true, report.Few })},
			ofLevels: []string{"too_few_requests"}},
		"short by an interruption is none": {
			levels: []report.Level{with(level(64, 100, 50, 10), func(l *report.Level) { l.Short, l.ShortReason, l.Ended = true, report.Few, "interrupted" })}},
		// Whether it was too few is the report's to say: the finding doesn't
		// judge by the 100 requests again.
		"short for another reason": {
			levels: []report.Level{with(level(64, 100, 50, 10), func(l *report.Level) { l.Short, l.ShortReason = true, report.NeverFull })}},
		"a level that carried nothing is no plateau": {
			levels: []report.Level{level(1, 100, 50, 10), level(8, 0, 50, 10)}},
		"a plateau": {
			levels: []report.Level{level(1, 100, 50, 10), level(8, 700, 60, 12), level(32, 710, 70, 13)},
			ofRun:  []string{"throughput_plateau"}},
		"a dent is no plateau": {
			levels: []report.Level{level(1, 100, 50, 10), level(8, 90, 60, 12), level(32, 300, 65, 13)}},
		"a queue, which is a plateau too": {
			levels: []report.Level{level(8, 700, 50, 10), level(32, 720, 150, 11)},
			ofRun:  []string{"throughput_plateau", "queueing"}},
		"decode slowed by the batch": {
			levels: []report.Level{level(1, 100, 50, 10), level(32, 2000, 55, 16)},
			ofRun:  []string{"decode_slowed"}},
		"both grow: neither alone explains it": {levels: []report.Level{level(1, 100, 50, 10), level(32, 2000, 150, 20)}},
		"a short level compares with none": {
			levels: []report.Level{level(8, 700, 50, 10), with(level(32, 710, 150, 11), func(l *report.Level) { l.Short, l.Ended = true, "max_time" })}},
		"another workload compares with none": {
			levels: []report.Level{level(8, 700, 50, 10), with(level(32, 710, 150, 11), func(l *report.Level) { l.Workload = "long" })}},
		"too few to tell": {
			levels: []report.Level{level(1, 100, 50, 10), with(level(8, 700, 200, 10), func(l *report.Level) { l.Latency.TTFT.N = 9 })}},
		"no figures at all": {levels: []report.Level{{Load: report.Load{Concurrency: ptr(1)}}, {Load: report.Load{Concurrency: ptr(8)}}}},
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

// told is the ids, after a look at the words and the numbers behind them.
func told(t *testing.T, findings []report.Finding) []string {
	t.Helper()
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.ID)
		if f.Text == "" || f.Text[0] == '[' || strings.Contains(f.Text, "%!") || len(f.Evidence) == 0 {
			t.Errorf("%+v", f)
		}
	}
	if _, err := json.Marshal(findings); err != nil {
		t.Error(err)
	}
	return ids
}

// Added twice is added once.
func TestAddReplaces(t *testing.T) {
	r := &report.Report{Levels: []report.Level{level(8, 700, 50, 10), level(32, 710, 150, 11)}}
	Add(r, text.English)
	first := len(r.Findings)
	Add(r, text.English)
	if first == 0 || len(r.Findings) != first {
		t.Errorf("%d, then %d", first, len(r.Findings))
	}
}

func TestEvidenceIsTheFigures(t *testing.T) {
	r := &report.Report{Levels: []report.Level{level(8, 700, 50, 10), level(32, 714, 150, 11)}}
	Add(r, text.English)
	want := []report.Finding{
		{ID: "throughput_plateau",
			Text:     "From concurrency 8 to 32 throughput changed by +2.0 %: the endpoint is full, and more requests only wait. Stay near the lower one, or add capacity.",
			Evidence: map[string]float64{"from_concurrency": 8, "to_concurrency": 32, "from_output_tokens_per_s": 700, "to_output_tokens_per_s": 714}},
		{ID: "queueing",
			Text:     "From concurrency 8 to 32 the median TTFT grew to 3.0 times while the time per token stayed (1.1 times): requests queue before their prefill. Allow more sequences at once on the server, add a replica, or stay below this load.",
			Evidence: map[string]float64{"from_concurrency": 8, "to_concurrency": 32, "from_ttft_p50_ms": 50, "to_ttft_p50_ms": 150, "from_tpot_p50_ms": 10, "to_tpot_p50_ms": 11}},
	}
	if d := cmp.Diff(want, r.Findings); d != "" {
		t.Error(d)
	}
}
