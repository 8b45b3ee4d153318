package render

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tidemark/record"
	"tidemark/report"
	"tidemark/run"
	"tidemark/text"
)

// drawOffered makes an open loop of a level, at its worst.
func drawOffered(t *rapid.T, l *report.Level) {
	w, f, n := words(), figures(), rapid.IntRange(0, 1<<40)
	l.Load.Kind, l.Load.Concurrency = record.Open, nil
	l.Load.Schedule = &record.Schedule{Name: w.Draw(t, "schedule"), Arrival: w.Draw(t, "law"), CV: f.Draw(t, "cv"), Trace: w.Draw(t, "trace"),
		Scale: f.Draw(t, "scale"), TokenPace: rapid.Bool().Draw(t, "paced"), SHA256: w.Draw(t, "hash")}
	l.Load.Due, l.Load.Unsent, l.Load.Held, l.Load.MaxInFlight = maybe(t, n), maybe(t, n), maybe(t, n), maybe(t, n)
	l.Load.Turns, l.Load.ThinkS, l.Load.CancelPercent = maybe(t, n), maybe(t, f), maybe(t, f)
	l.Load.Mix = []record.Share{{Target: w.Draw(t, "share"), Workload: w.Draw(t, "of"), Weight: f.Draw(t, "weight")}}
	l.Latency.TTFTFromSent, l.Latency.E2EFromSent, l.Latency.DispatchLag = drawSummary(t), drawSummary(t), drawSummary(t)
	l.Frames.Uncertain, l.Frames.TTFTWithin, l.Frames.ITLWithin = int64(n.Draw(t, "uncertain")), maybe(t, f), maybe(t, f)
	l.Groups = []report.Group{{By: rapid.SampledFrom([]string{report.ByTurn, report.ByMix, report.ByProtocol}).Draw(t, "by"), Key: w.Draw(t, "key"),
		Latency: l.Latency, Reliability: l.Reliability}}
	l.Clock = &report.Clock{WithinMs: f.Draw(t, "within"), Steps: n.Draw(t, "steps"), StepMs: maybe(t, f), SleptMs: maybe(t, f)}
	parts := rapid.SliceOfN(rapid.IntRange(0, 1<<40), 0, 200)
	tokens := rapid.SliceOfN(rapid.Int64Range(0, 1<<40), 0, 200)
	l.Timeline = &report.Timeline{StepS: f.Draw(t, "step"), Due: parts.Draw(t, "due"), Sent: parts.Draw(t, "sent"), OK: parts.Draw(t, "ok"),
		InputAsked: tokens.Draw(t, "asked"), Input: tokens.Draw(t, "had")}
	l.Validity.Checks = append(l.Validity.Checks, report.Check{ID: w.Draw(t, "id"), Says: w.Draw(t, "says"), Remedy: w.Draw(t, "cure"), Found: maybe(t, f), Limit: maybe(t, f),
		Status:   rapid.SampledFrom([]report.Status{report.CheckOK, report.CheckFailed, report.NotApplicable, report.Undecided}).Draw(t, "status"),
		Severity: rapid.SampledFrom([]report.Severity{report.Invalid, report.Withhold, report.Remark}).Draw(t, "severity")})
}

// planned are levels of every kind.
func planned() []run.Level {
	rate := func(name string) *record.Schedule {
		return &record.Schedule{Name: name, Arrival: "poisson", Requests: 1200, LengthS: 60, SHA256: "64a83289d2e3aabbccddeeff"}
	}
	sessions, tokens, trace := rate("60/min"), rate("5..50@1m"), rate("azure_code_2023.csv")
	tokens.Arrival, tokens.CV, tokens.TokenPace = "gamma", 2, true
	trace.Arrival, trace.Trace, trace.Scale, trace.InputTokens, trace.OutputTokens = "trace", "azure_code_2023.csv", .1, 40_000, 3_000
	return []run.Level{
		{Number: 1, Target: "glm-4.6", Workload: "default", Concurrency: 8, Requests: 32, WarmUp: 8},
		{Number: 2, Target: "glm-4.6", Workload: "default", Concurrency: 8, Duration: 90 * time.Second, WarmUp: 8},
		{Number: 3, Target: "glm-4.6", Workload: "短文本", Concurrency: 50, Turns: 8, Requests: 400, WarmUp: 8},
		{Number: 4, Target: "glm-4.6", Workload: "default", Schedule: rate("20"), Requests: 1200, WarmUp: 8, Bins: []int{3, 0, 9, 2}},
		{Number: 5, Target: "glm-4.6", Workload: "default", Schedule: sessions, Turns: 3, Requests: 1200, WarmUp: 8, Bins: []int{1, 1}},
		{Number: 6, Target: "glm-4.6", Workload: "default", Schedule: tokens, Requests: 1200, WarmUp: 8, Bins: []int{0, 1, 2, 4, 8}},
		{Number: 7, Target: "glm-4.6", Workload: "default", Schedule: trace, Requests: 1200, WarmUp: 8, Bins: []int{8, 0, 1}},
	}
}

func TestPlannedGolden(t *testing.T) {
	for _, lang := range languages {
		var b bytes.Buffer
		if err := Levels(&b, planned(), options(lang)); err != nil {
			t.Fatal(err)
		}
		if err := Schedules(&b, planned(), options(lang)); err != nil {
			t.Fatal(err)
		}
		golden(t, "planned-"+string(lang), b.Bytes())
	}
}

func TestRateNames(t *testing.T) {
	for name, want := range map[string]string{"20": "20/s", "0.5": "0.5/s", "60/min": "60/min", "5..50@1m": "5..50@1m", "a\x1b[2Jb": "a\ufffd[2Jb"} {
		if got := rateName(&record.Schedule{Name: name}); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// Lines below each other are on one scale: the same number is the same block.
func TestSeriesShareAScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "parts")
		values := rapid.SliceOfN(rapid.Float64Range(0, 100), n, n)
		low, high := values.Draw(t, "low"), values.Draw(t, "high")
		width := rapid.IntRange(20, 90).Draw(t, "width")
		p := newPage(Options{Width: width})
		p.series([]series{{"", low}, {"", high}}, 2)
		lines := strings.Split(p.b.String(), "\n")
		room := width - 2 - 2 - 2 // indent, name, gap
		top := max(highest(low, room), highest(high, room))
		for i, values := range [][]float64{low, high} {
			if want := strings.TrimRight(strings.Repeat(" ", 6)+sparkline(values, room, top), " "); lines[i] != want {
				t.Fatalf("%q, not %q", lines[i], want)
			}
		}
	})
}

// A name that is long leaves room for both charts.
func TestChartsOfLongNames(t *testing.T) {
	r := paced(text.English)
	r.Levels[0].Load.Schedule.Name = strings.Repeat("5@30s+", 9) + "20@30s"
	var b bytes.Buffer
	if err := table(&b, r, options(text.English)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "█ 312"); n != 2 {
		t.Errorf("%d bars of the second chart:\n%s", n, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if w := ansi.StringWidth(strings.TrimSuffix(line, "\n")); w > 80 {
			t.Errorf("%d cells: %q", w, line)
		}
	}
}
