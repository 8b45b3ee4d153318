package render

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"tidemark/job/check"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/stat"
	"tidemark/text"
)

// words draws what a provider might write, at its worst.
func words() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "ok", "请求过于频繁，请稍后重试。当前套餐的额度已经用完", "\x1b[2J\x1b]0;t\x07", "\xff\xfe\x9b31m", "👩‍👩‍👧‍👦 🇨🇳 e\u0301 \u202eabc\u200b", "=1+1", "a|b`c``d\n\r\nx"}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.StringMatching(`[a-z潮汐]{90,130}`),
	)
}

// some values that figures should never have, and some that they do.
func figures() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Float64Range(0, 50_000), rapid.Float64Range(-1e300, 1e300), rapid.SampledFrom([]float64{0, math.NaN(), math.Inf(1), -1, 1e12, 9_999.99, 999_999.6, 1e300}))
}

func maybe[T any](t *rapid.T, g *rapid.Generator[T]) *T {
	if rapid.Bool().Draw(t, "known") {
		return ptr(g.Draw(t, "value"))
	}
	return nil
}

func drawSummary(t *rapid.T) *stat.Summary {
	if rapid.IntRange(0, 4).Draw(t, "absent") == 0 {
		return nil
	}
	f := figures()
	return &stat.Summary{N: rapid.IntRange(0, math.MaxInt).Draw(t, "n"), Mean: f.Draw(t, "mean"), P50: f.Draw(t, "p50"), P90: f.Draw(t, "p90"),
		P95: f.Draw(t, "p95"), P99: f.Draw(t, "p99"), Max: f.Draw(t, "max"),
		Thin: rapid.SliceOfDistinct(rapid.SampledFrom([]string{"p90", "p95", "p99", "p999"}), rapid.ID[string]).Draw(t, "thin")}
}

func drawOutcomes(t *rapid.T) []report.Outcome {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) report.Outcome {
		return report.Outcome{Outcome: outcome.Class(words().Draw(t, "class")), Count: rapid.IntRange(0, 1<<40).Draw(t, "count"),
			HTTPStatus: maybe(t, rapid.IntRange(100, 999)), Code: words().Draw(t, "code"), Message: words().Draw(t, "message"),
			RetryAfter: maybe(t, figures()), Hint: words().Draw(t, "hint")}
	}), 0, 2).Draw(t, "outcomes")
}

func drawLevel(t *rapid.T) report.Level {
	w, f := words(), figures()
	tokens := rapid.Int64Range(0, math.MaxInt64)
	n := rapid.IntRange(0, math.MaxInt)
	l := report.Level{Level: n.Draw(t, "level"), Target: rapid.SampledFrom([]string{"a", "通义千问"}).Draw(t, "target"), Model: w.Draw(t, "model"), Workload: w.Draw(t, "workload"),
		Short: rapid.Bool().Draw(t, "short"), ShortWhy: w.Draw(t, "why"),
		Load: report.Load{Kind: "closed", Concurrency: maybe(t, n), RatePerS: maybe(t, f), Requests: maybe(t, n), Rounds: rapid.IntRange(0, 9).Draw(t, "rounds"),
			WindowS: maybe(t, f), DurationS: maybe(t, f), Opened: n.Draw(t, "opened")},
		Frames: report.Frames{Output: tokens.Draw(t, "frames"), TokensPerFrame: maybe(t, f), Stamps: rapid.SampledFrom([]string{"", "kernel", "read", "mixed"}).Draw(t, "stamps")},
		Latency: report.Latency{TTFT: drawSummary(t), TTFB: drawSummary(t), TTFA: drawSummary(t), TPOT: drawSummary(t), ITL: drawSummary(t), E2E: drawSummary(t), NTPOT: drawSummary(t),
			StreamEndLag: drawSummary(t), RTT: drawSummary(t), ClientLag: drawSummary(t), SendLag: drawSummary(t), Connect: drawSummary(t)},
		Throughput:  report.Throughput{RequestsPerS: maybe(t, f), RequestsPerSOverall: maybe(t, f), OutputTokensPerS: maybe(t, f), InputTokensPerS: maybe(t, f)},
		Speed:       report.Speed{Decode: drawSummary(t), Request: drawSummary(t)},
		Reliability: report.Reliability{Sent: n.Draw(t, "sent"), OK: n.Draw(t, "ok"), Failed: n.Draw(t, "failed"), Cut: n.Draw(t, "cut"), Client: n.Draw(t, "client"), SuccessPercent: maybe(t, f), Outcomes: drawOutcomes(t)},
		Tokens:      report.Tokens{Input: maybe(t, tokens), Output: maybe(t, tokens), OutputEstimated: maybe(t, tokens), Cached: maybe(t, tokens), Reasoning: maybe(t, tokens), Source: w.Draw(t, "source"), WithoutCount: n.Draw(t, "without"), NonceInput: maybe(t, f)},
		WarmUp:      report.WarmUp{Sent: n.Draw(t, "warm"), Outcomes: drawOutcomes(t)},
		Validity: report.Validity{Valid: maybe(t, rapid.Bool()), Checks: []report.Check{{ID: w.Draw(t, "check"), Status: "failed",
			Found: maybe(t, f), Limit: maybe(t, f), Unit: w.Draw(t, "unit"), Remedy: w.Draw(t, "remedy")}}},
		SampleAnswer: w.Draw(t, "answer"),
		Findings:     []report.Finding{{Text: w.Draw(t, "finding")}},
		Warnings:     []report.Warning{{Text: w.Draw(t, "warning"), Count: n.Draw(t, "times")}},
	}
	if rapid.Bool().Draw(t, "edges") {
		l.Load.Window = &report.Window{FullS: f.Draw(t, "full"), EmptiedS: f.Draw(t, "emptied")}
		l.Load.Achieved = &report.MeanMax{Mean: f.Draw(t, "achieved"), Max: n.Draw(t, "most")}
	}
	if rapid.Bool().Draw(t, "open") {
		drawOffered(t, &l)
	}
	return l
}

func drawReport(t *rapid.T) *report.Report {
	w := words()
	moment := rapid.Map(rapid.Int64Range(0, 1<<33), func(s int64) time.Time { return time.Unix(s, 0) })
	return &report.Report{Simulated: rapid.Bool().Draw(t, "simulated"), RunID: w.Draw(t, "run"), Tidemark: w.Draw(t, "version"), Truncated: rapid.Bool().Draw(t, "truncated"),
		Started: moment.Draw(t, "started"), Ended: maybe(t, moment),
		Reason:  rapid.SampledFrom([]record.Reason{"", record.Done, record.Interrupted, record.MaxTime, record.MaxTokens, record.DiskFailed, record.Refused, record.Climbing}).Draw(t, "reason"),
		Machine: record.Machine{OS: w.Draw(t, "os"), CPUs: 8},
		Targets: []record.Target{{URL: w.Draw(t, "url"), Model: w.Draw(t, "model"), Dialect: "chat"}},
		Verdict: report.Verdict{Valid: maybe(t, rapid.Bool()), BestConcurrency: maybe(t, rapid.Int()), BestLevel: maybe(t, rapid.IntRange(0, 4)), Because: w.Draw(t, "because")},
		Console: report.Console{Requests: rapid.Int().Draw(t, "requests"), InputTokens: maybe(t, rapid.Int64()), WithoutCount: rapid.IntRange(0, 3).Draw(t, "without"),
			Models: rapid.SliceOfN(w, 0, 3).Draw(t, "models"), From: maybe(t, moment), To: maybe(t, moment)},
		Preflight: drawOutcomes(t),
		Levels:    rapid.SliceOfN(rapid.Custom(drawLevel), 0, 3).Draw(t, "levels"),
		Findings:  []report.Finding{{Text: w.Draw(t, "finding")}},
		Warnings:  []report.Warning{{Text: w.Draw(t, "warning")}},
	}
}

// harmless fails where a terminal would act on what was written, or could not
// read it. Our own colours are the only escape sequences.
func harmless(t *rapid.T, got string, color bool) {
	t.Helper()
	if !utf8.ValidString(got) {
		t.Fatalf("not UTF-8: %q", got)
	}
	if color {
		for _, st := range []style{bold, faint, red, green, yellow, blue, alarm, "0"} {
			got = strings.ReplaceAll(got, "\x1b["+string(st)+"m", "")
		}
	}
	for _, r := range got {
		if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Fatalf("control character %q in %q", r, got)
		}
	}
}

func narrow(t *rapid.T, got string, width int) {
	t.Helper()
	for line := range strings.Lines(got) {
		line = strings.TrimSuffix(line, "\n")
		if w := ansi.StringWidth(line); w > width {
			t.Fatalf("%d cells: %q", w, line)
		}
		if strings.HasSuffix(line, " ") {
			t.Fatalf("space at the end: %q", line)
		}
	}
}

func TestTableFitsAndIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawReport(t)
		o := options(rapid.SampledFrom(languages).Draw(t, "lang"))
		o.Color = rapid.Bool().Draw(t, "color")
		var b bytes.Buffer
		if err := table(&b, r, o); err != nil {
			t.Fatal(err)
		}
		narrow(t, b.String(), 80)
		harmless(t, b.String(), o.Color)
	})
}

func TestOtherFormatsAreHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawReport(t)
		for _, format := range []string{"summary", "summary-jsonl", "markdown", "prometheus"} {
			var b bytes.Buffer
			if err := Write(&b, format, r, nil, options(text.Chinese)); err != nil {
				t.Fatal(format, err)
			}
			harmless(t, b.String(), false)
		}
	})
}

func TestCheckFitsAndIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := words()
		r := check.Result{Answer: w.Draw(t, "answer"), Models: rapid.SliceOfN(w, 0, 20).Draw(t, "models"),
			Fault: text.Wrong(text.Msg("show.quote", w.Draw(t, "what")), text.Msg("show.quote", w.Draw(t, "hint")))}
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			r.Steps = append(r.Steps, check.Step{ID: rapid.SampledFrom([]string{"resolve", "usage", "other"}).Draw(t, "id"),
				Status: rapid.SampledFrom([]check.Status{check.OK, check.Warning, check.Failed, check.Skipped}).Draw(t, "status"),
				Took:   time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "took")), Detail: text.Msg("show.quote", w.Draw(t, "detail"))})
		}
		for _, lang := range languages {
			var b bytes.Buffer
			if err := Check(&b, r, options(lang)); err != nil {
				t.Fatal(err)
			}
			narrow(t, b.String(), 80)
			harmless(t, b.String(), false)
		}
	})
}

func TestWrapKeepsEveryCharacter(t *testing.T) {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	rapid.Check(t, func(t *rapid.T) {
		s := clean(words().Draw(t, "text"))
		width := rapid.IntRange(2, 40).Draw(t, "width")
		lines := wrap(s, width)
		for _, l := range lines {
			if w := ansi.StringWidth(l); w > width {
				t.Fatalf("%d cells of %d: %q", w, width, l)
			}
		}
		if got, want := squeeze(strings.Join(lines, " ")), squeeze(s); got != want {
			t.Fatalf("%q became %q", want, got)
		}
	})
}

func TestWrapBreaksWherePeopleWould(t *testing.T) {
	for _, c := range []struct {
		s     string
		width int
		want  string
	}{
		{"", 10, ""},
		{"one two three", 8, "one two|three"},
		{"潮汐涨落，周而复始", 8, "潮汐涨|落，周而|复始"}, // four would fit, but a comma may not begin a line
		{"用（甲）乙", 6, "用|（甲）|乙"},         // brackets stay with what they hold
		{"TTFT 从 300 ms 起", 9, "TTFT 从|300 ms 起"},
		{"abcdefghij", 4, "abcd|efgh|ij"},
	} {
		if got := strings.Join(wrap(c.s, c.width), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.s, c.width, got, c.want)
		}
	}
}
