package render

import (
	"encoding/json"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/stat"
	"tidemark/text"
)

func ptr[T any](v T) *T { return &v }

var shanghai = time.FixedZone("CST", 8*3600)

func options(lang text.Lang) Options { return Options{Lang: lang, Location: shanghai} }

// in says a sentence that the report was made with, in its language.
func in(lang text.Lang, en, zh string) string {
	if lang == text.Chinese {
		return zh
	}
	return en
}

// spread makes a summary of values that rise with the percentile.
func spread(n int, mean, p50, p90, p95, p99, top float64, thin ...string) *stat.Summary {
	return &stat.Summary{N: n, Mean: mean, SD: mean / 10, Min: p50 / 2, P50: p50, P90: p90, P95: p95, P99: p99, Max: top, Thin: thin}
}

// sample is a believable run of three levels: one quiet, one that is best,
// one that was never full, was refused at and had no usage.
func sample(lang text.Lang) *report.Report {
	started := time.Date(2026, 3, 14, 6, 26, 53, 0, time.UTC)
	return &report.Report{
		Format: 1, Tidemark: "0.1.0", RunID: "20260314-142653-k7q2", Started: started,
		Ended: ptr(started.Add(2*time.Minute + 5*time.Second)), Reason: record.Done,
		Plan:    json.RawMessage(`{"url":"https://taotoken.net/api","concurrency":[1,8,32]}`),
		Machine: record.Machine{OS: "linux", Arch: "amd64", CPUs: 8, MaxProcs: 8, Go: "go1.26"},
		Targets: []record.Target{{Name: "glm-4.6", URL: "https://taotoken.net/api", Model: "glm-4.6", Dialect: "chat"}},
		Verdict: report.Verdict{BestConcurrency: ptr(8), BestLevel: ptr(2), Because: in(lang,
			"QPS is at 94 % of its peak for 1.6 times the latency of concurrency 1",
			"QPS 达到峰值的 94 %，延迟仅为并发 1 时的 1.6 倍")},
		Console: report.Console{Requests: 165, Failed: 13, InputTokens: ptr[int64](11_812), OutputTokens: ptr[int64](16_204),
			WithoutCount: 2, Models: []string{"glm-4.6"}, From: ptr(started.Add(time.Second)),
			To: ptr(started.Add(124*time.Second + 300*time.Millisecond)), Preflight: 1, WarmUp: 17},
		Levels: []report.Level{quiet(lang), busy(lang), refused(lang)},
		Findings: []report.Finding{{ID: "queueing", Text: in(lang,
			"From concurrency 8 to 32 the time to first token grows 6.9 times while the time per token stays flat: requests wait before they are prefilled. Ask for more replicas, or stay at 8.",
			"并发从 8 升到 32 时，TTFT 增长到 6.9 倍，而 TPOT 基本不变：请求在预填充之前排队。请增加副本，或保持并发 8。"),
			Evidence: map[string]float64{"ttft_ratio": 6.9}}},
	}
}

func quiet(lang text.Lang) report.Level {
	return report.Level{
		Level: 1, Target: "glm-4.6", Model: "glm-4.6", Workload: "default",
		Load: report.Load{Kind: "closed", Concurrency: ptr(1), Requests: ptr(20), Rounds: 1, WindowS: ptr(46.18),
			Window: &report.Window{FullS: 0, EmptiedS: 46.18}, DurationS: ptr(46.18), Achieved: &report.MeanMax{Mean: 1, Max: 1}},
		Frames: report.Frames{Output: 2_210, TokensPerFrame: ptr(1.004), Stamps: "kernel"},
		Latency: report.Latency{
			TTFT: spread(20, 312.4, 298.1, 402.9, 433.3, 480.2, 480.2, "p90", "p95", "p99"),
			TTFA: spread(20, 312.4, 298.1, 402.9, 433.3, 480.2, 480.2, "p90", "p95", "p99"),
			TTFB: spread(20, 104.2, 101.1, 121.8, 130.2, 144.0, 144.0, "p90", "p95", "p99"),
			TPOT: spread(20, 18.04, 17.91, 19.22, 19.6, 20.13, 20.13, "p90", "p95", "p99"),
			ITL:  spread(2190, 18.01, 17.8, 21.4, 24.9, 39.7, 112.5),
			E2E:  spread(20, 2309, 2290, 2410, 2466, 2512, 2512, "p90", "p95", "p99"),
			RTT:  spread(20, 31.2, 31.0, 32.4, 33.1, 36.9, 36.9, "p90", "p95", "p99"),
		},
		Throughput: report.Throughput{RequestsPerS: ptr(0.433), RequestsPerSOverall: ptr(0.433), OutputTokensPerS: ptr(48.06), InputTokensPerS: ptr(30.4)},
		Speed:      report.Speed{Decode: spread(20, 55.4, 55.8, 58.1, 58.3, 58.9, 58.9, "p90", "p95", "p99"), Request: spread(20, 48.1, 48.3, 50.2, 50.9, 51.0, 51.0, "p90", "p95", "p99")},
		Reliability: report.Reliability{Sent: 20, OK: 20, SuccessPercent: ptr(100.0), Outcomes: []report.Outcome{},
			Finishes: map[string]int{"stop": 20}},
		Tokens:       report.Tokens{Input: ptr[int64](1_404), Output: ptr[int64](2_219), Source: "usage", NonceInput: ptr(11.0)},
		WarmUp:       report.WarmUp{Sent: 1, OK: 1, Outcomes: []report.Outcome{}},
		Validity:     report.Validity{Checks: []report.Check{}},
		SampleAnswer: in(lang, "A tide is the rise and fall of the sea, twice a day nearly everywhere. The moon pulls on the near side of the earth more than on its middle, and on its middle more than on the far side, so that the water bulges on both.", "潮汐是海水在月球和太阳引力作用下的周期性涨落，几乎处处一天两次。月球对地球近侧的引力大于地心，对地心的引力又大于远侧，因此海水在两侧同时隆起。"),
		Findings:     []report.Finding{}, Warnings: []report.Warning{},
	}
}

func busy(lang text.Lang) report.Level {
	l := quiet(lang)
	l.Level = 2
	l.Load = report.Load{Kind: "closed", Concurrency: ptr(8), Requests: ptr(32), Rounds: 1, WindowS: ptr(11.92),
		Window: &report.Window{FullS: 0.013, EmptiedS: 11.933}, DurationS: ptr(15.6), Achieved: &report.MeanMax{Mean: 7.98, Max: 8}, Opened: 1}
	l.Frames = report.Frames{Output: 3_530, Uncertain: 3, TokensPerFrame: ptr(1.006), Stamps: "kernel"}
	l.Latency.TTFT = spread(32, 1204, 1150, 1610, 1702, 1990, 1990, "p90", "p95", "p99")
	l.Latency.TTFA = spread(32, 2204, 2150, 2610, 2702, 2990, 2990, "p90", "p95", "p99")
	l.Latency.TPOT = spread(32, 24.9, 24.7, 28.1, 28.9, 30.02, 30.02, "p90", "p95", "p99")
	l.Latency.ITL = spread(3498, 24.8, 24.1, 33.0, 39.4, 71.8, 205)
	l.Latency.E2E = spread(32, 3712, 3690, 4204, 4288, 4312, 4312, "p90", "p95", "p99")
	l.Latency.TTFB = spread(32, 211, 204, 290, 302, 341, 341, "p90", "p95", "p99")
	l.Latency.RTT = spread(32, 31.4, 31.0, 32.9, 33.5, 40.2, 40.2, "p90", "p95", "p99")
	l.Speed = report.Speed{Decode: spread(32, 40.2, 40.5, 42.8, 43.1, 44.0, 44.0, "p90", "p95", "p99"), Request: spread(32, 29.9, 30.1, 33.0, 33.7, 34.2, 34.2, "p90", "p95", "p99")}
	l.Throughput = report.Throughput{RequestsPerS: ptr(2.16), RequestsPerSOverall: ptr(2.05), OutputTokensPerS: ptr(239.4), InputTokensPerS: ptr(151.6)}
	l.Reliability = report.Reliability{Sent: 32, OK: 31, Failed: 1, SuccessPercent: ptr(96.875), Outcomes: []report.Outcome{limited(lang, 1)},
		Finishes: map[string]int{"stop": 30, "length": 1}}
	l.Tokens = report.Tokens{Input: ptr[int64](2_171), Output: ptr[int64](3_551), Cached: ptr[int64](0), Reasoning: ptr[int64](812), Source: "usage", NonceInput: ptr(11.0)}
	l.WarmUp = report.WarmUp{Sent: 8, OK: 8}
	l.Warnings = []report.Warning{{ID: "usage_twice", Count: 4, Unit: report.Requests, Text: in(lang, "usage came twice and did not agree; the last one was used", "用量出现两次且不一致，以最后一次为准")}}
	return l
}

func refused(lang text.Lang) report.Level {
	l := busy(lang)
	l.Level = 3
	l.Short = true
	l.Ended = record.MaxTime
	l.ShortWhy = in(lang, "27.1 requests were in flight on average, 85 % of 32", "平均在途 27.1 个请求，仅为 32 的 85 %")
	l.Load.Concurrency, l.Load.Requests = ptr(32), ptr(96)
	l.Load.Achieved = &report.MeanMax{Mean: 27.1, Max: 32}
	l.Load.WindowS, l.Load.Window, l.Load.DurationS = ptr(52.4), nil, ptr(63.9)
	l.Latency.TTFT = spread(84, 8307, 8011, 11_200, 11_930, 12_611, 12_611, "p95", "p99")
	l.Latency.TTFB = spread(84, 7012, 6980, 9_870, 9_990, 10_310, 10_310, "p95", "p99")
	l.Latency.RTT = spread(84, 31.6, 31.1, 33.0, 34.2, 41.7, 41.7, "p95", "p99")
	l.Latency.ITL = spread(9_316, 25.6, 24.9, 34.1, 41.0, 77.2, 240)
	l.Latency.TTFA = nil
	l.Latency.TPOT = nil
	l.Latency.E2E = spread(84, 11_090, 10_870, 14_311, 14_902, 15_120, 15_120, "p95", "p99")
	l.Throughput = report.Throughput{RequestsPerS: ptr(2.29), RequestsPerSOverall: ptr(1.31)}
	l.Speed = report.Speed{}
	l.Reliability = report.Reliability{Sent: 96, OK: 84, Failed: 12, SuccessPercent: ptr(87.5), Outcomes: []report.Outcome{
		limited(lang, 9),
		{Outcome: outcome.IncompleteStream, Count: 2, HTTPStatus: ptr(200), Hint: in(lang,
			"the stream ended without a terminal signal; look at the gateway's idle timeout", "流在没有结束信号的情况下断开；请检查网关的空闲超时")},
		{Outcome: outcome.Connect, Count: 1, Message: "dial tcp 203.0.113.7:443: i/o timeout", Hint: in(lang,
			"check the network and the address", "检查网络与地址")}}}
	l.Frames = report.Frames{Output: 9_400, Uncertain: 21, FirstUncertain: 1, Stamps: "kernel"}
	l.Reliability.Finishes = map[string]int{"stop": 80, "length": 4}
	l.Warnings = nil
	l.Tokens = report.Tokens{OutputEstimated: ptr[int64](9_400), Source: "none", WithoutCount: 84}
	l.SampleAnswer = "\x1b[31mred\x1b[0m\u009b2J tide\x07 \xff\xfe ok"
	l.Findings = []report.Finding{{ID: "rate_limited", Text: in(lang,
		"9 % of the requests were refused with 429.", "9 % 的请求被 429 拒绝。")}}
	return l
}

// limited is a refusal whose words are chosen to break what shows them.
func limited(lang text.Lang, n int) report.Outcome {
	return report.Outcome{Outcome: outcome.RateLimited, Count: n, HTTPStatus: ptr(429), Code: "rate_limit_exceeded",
		Message:    "Rate limit | reached for `glm-4.6`\n<b>请稍后重试</b> @ops \x1b]0;title\x07",
		RetryAfter: ptr(20.0),
		Hint: in(lang, "the provider limits how often you may ask: lower the concurrency or have the limit raised",
			"服务商限制了请求频率：降低并发，或申请提高限额")}
}

// bare is a run of which next to nothing is known: two targets and workloads,
// simulated, interrupted, cut off.
func bare(lang text.Lang) *report.Report {
	level := func(n, concurrency int, target, workload string) report.Level {
		return report.Level{Level: n, Target: target, Model: target, Workload: workload,
			Load: report.Load{Kind: "closed", Concurrency: ptr(concurrency), Rounds: 3}}
	}
	return &report.Report{
		Format: 1, Tidemark: "0.1.0", Simulated: true, RunID: "r1", Started: time.Date(2026, 3, 14, 6, 26, 53, 0, time.UTC),
		Reason: record.Interrupted, Truncated: true, Plan: json.RawMessage(`{}`),
		Targets: []record.Target{{Name: "sim-a", URL: "http://127.0.0.1:9/v1", Model: "sim-a", Dialect: "chat"}, {Name: "通义", URL: "http://127.0.0.1:9/v1", Model: "通义", Dialect: "chat"}},
		Verdict: report.Verdict{Valid: ptr(false), ExitCode: 130, Because: in(lang,
			"no level reached 95 % success", "没有任何一级达到 95 % 的成功率")},
		Levels: []report.Level{level(1, 1, "sim-a", "short"), level(2, 8, "sim-a", "short"),
			level(3, 1, "通义", "长文本"), level(4, 8, "通义", "长文本")},
		Preflight: []report.Outcome{{Outcome: outcome.Auth, Count: 1, HTTPStatus: ptr(401), Message: "=cmd()", Hint: in(lang, "check the key", "检查密钥")}},
	}
}

// paced is a run of two rates: one that users in sessions came at, with parts
// and a cap; one whose client could not keep up.
func paced(lang text.Lang) *report.Report {
	r := sample(lang)
	open := func(n int, name string, rate float64) report.Level {
		l := quiet(lang)
		l.Level = n
		l.Load = report.Load{Kind: record.Open, RatePerS: ptr(rate), Rounds: 1, WindowS: ptr(28.2),
			Schedule: &record.Schedule{Name: name, Arrival: "gamma", CV: 2, Seed: 1, Requests: 600, LengthS: 30, SHA256: "64a83289d2e3aabbccddeeff"},
			Due:      ptr(600), Unsent: ptr(0)}
		l.Latency.TTFTFromSent = spread(600, 311, 297, 401, 432, 479, 480, "p99")
		l.Latency.DispatchLag = spread(600, .08, .07, .11, .12, .2, 1.3, "p99")
		l.Latency.SendLag = spread(600, .12, .1, .2, .21, .4, 1.9, "p99")
		l.Clock = &report.Clock{WithinMs: .0004}
		l.Validity = report.Validity{Valid: ptr(true), Checks: []report.Check{
			{ID: "V1.frames", Status: report.CheckOK, Severity: report.Invalid, Found: ptr(0.0), Limit: ptr(1.0), Unit: "percent"},
			{ID: "V2", Status: report.CheckOK, Severity: report.Invalid, Found: ptr(.4), Limit: ptr(6.2), Unit: "ms"},
			{ID: "V6", Status: report.CheckFailed, Severity: report.Withhold, Found: ptr(600.0), Limit: ptr(662.0), Unit: "requests"},
			{ID: "V13", Status: report.NotApplicable, Severity: report.Remark},
		}}
		return l
	}
	first, second := open(1, "20", 20), open(2, "1..80@30s", 41)
	first.Load.Turns, first.Load.ThinkS, first.Load.CancelPercent = ptr(3), ptr(2.0), ptr(10.0)
	first.Load.MaxInFlight, first.Load.Held = ptr(50), ptr(12)
	first.Load.Mix = []record.Share{{Target: "glm-4.6", Workload: "短文本|x", Weight: 3}, {Target: "glm-4.6", Workload: "long", Weight: .5}}
	first.Frames.Uncertain, first.Frames.FirstUncertain, first.Frames.TTFTWithin, first.Frames.ITLWithin = 41, 2, ptr(.32), ptr(.011)
	first.Groups = []report.Group{
		{By: report.ByTurn, Key: "1", Latency: first.Latency, Reliability: report.Reliability{Sent: 200, SuccessPercent: ptr(100.0)}},
		{By: report.ByTurn, Key: "2", Latency: report.Latency{}, Reliability: report.Reliability{Sent: 3}},
		{By: report.ByMix, Key: "glm-4.6 · 短文本|x", Latency: first.Latency, Reliability: report.Reliability{Sent: 597, SuccessPercent: ptr(99.5)}},
	}
	first.Timeline = &report.Timeline{StepS: 3, Due: []int{0, 5, 9, 3, 1, 0, 2, 20, 1, 1}, Sent: []int{0, 5, 9, 3, 1, 0, 2, 12, 9, 1}, OK: []int{0, 1, 5, 9, 3, 2, 1, 8, 8, 5},
		InputAsked: []int64{0, 500, 900, 300, 100, 0, 200, 2000, 100, 100}, Input: []int64{0, 510, 910, 300, 100, 0, 200, 1990, 100, 100},
		OutputAsked: []int64{0, 50, 90, 30, 10, 0, 20, 200, 10, 10}, Output: []int64{0, 50, 90, 30, 10, 0, 0, 100, 10, 10}}
	second.Load.Unsent = ptr(9)
	second.Clock = &report.Clock{WithinMs: .002, Steps: 1, StepMs: ptr(-1500.0), SleptMs: ptr(60_000.0)}
	second.Validity.Valid = ptr(false)
	second.Validity.Checks[1] = report.Check{ID: "V2", Status: report.CheckFailed, Severity: report.Invalid, Found: ptr(31.4), Limit: ptr(6.2), Unit: "ms",
		Says: in(lang, "requests were sent late", "请求发送得太晚"), Remedy: in(lang, "use a quieter machine", "请使用更空闲的机器")}
	second.Validity.Checks = append(second.Validity.Checks, report.Check{ID: "V7", Status: report.CheckFailed, Severity: report.Remark, Found: ptr(111.0), Limit: ptr(10.0), Unit: "percent",
		Says: in(lang, "the endpoint is saturated", "接口已饱和"), Remedy: in(lang, "use a lower rate", "请降低速率")})
	r.Levels = []report.Level{first, second}
	r.Verdict = report.Verdict{Valid: ptr(false), Invalid: []int{2}, ExitCode: report.ExitInvalid, BestRatePerS: ptr(20.0), BestLevel: ptr(1), Because: r.Verdict.Because}
	return r
}
