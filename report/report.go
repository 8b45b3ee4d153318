// Package report answers what a run's records say: the figures of each level,
// whether they count, and the verdict. It computes from the stream of records
// and from nothing else, so that a report can always be made again. It knows
// nothing of how it is shown.
package report

import (
	"encoding/json"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
)

// Format is the version of the report's JSON.
const Format = 1

// Report is what a run says. Its JSON is a contract: docs/OUTPUT.md has it
// field by field. A pointer that is nil is a figure that is not known; it is
// null in JSON.
type Report struct {
	Format      int               `json:"format"`
	Tidemark    string            `json:"tidemark"`
	Simulated   bool              `json:"simulated"`
	RunID       string            `json:"run_id"`
	Started     time.Time         `json:"started"`
	Ended       *time.Time        `json:"ended"`     // null where the records were cut off
	Reason      record.Reason     `json:"reason"`    // "" where the records were cut off
	Truncated   bool              `json:"truncated"` // the records have no end: the run was killed, or goes on
	Plan        json.RawMessage   `json:"plan"`
	Environment map[string]string `json:"environment,omitempty"`
	Machine     record.Machine    `json:"machine"`
	Targets     []record.Target   `json:"targets"`
	Verdict     Verdict           `json:"verdict"`
	Console     Console           `json:"console"`
	Preflight   []Outcome         `json:"preflight,omitempty"` // of preflight requests that failed
	Levels      []Level           `json:"levels"`
	Findings    []Finding         `json:"findings"`
	Warnings    []Warning         `json:"warnings,omitempty"` // of no level
}

// Verdict is the run in a line.
type Verdict struct {
	Valid           *bool    `json:"valid"`                    // null: no check could judge
	Invalid         []int    `json:"invalid_levels,omitempty"` // Level.Level of those that make the run INVALID
	ExitCode        int      `json:"exit_code"`
	BestConcurrency *int     `json:"best_concurrency"`
	BestRatePerS    *float64 `json:"best_rate_per_s"` // where the levels are rates
	BestLevel       *int     `json:"best_level"`      // Level.Level of it
	Because         string   `json:"because"`         // one sentence, in the report's language
}

// Console is what the provider's console should show for the run, of every
// phase: preflight and warm-up included.
type Console struct {
	Requests     int        `json:"requests"`
	Failed       int        `json:"failed"`
	InputTokens  *int64     `json:"input_tokens"`  // of those whose count is known
	OutputTokens *int64     `json:"output_tokens"` // "
	WithoutCount int        `json:"without_count"` // requests that may be on the bill and whose output has no count
	Models       []string   `json:"models"`
	From         *time.Time `json:"from"`
	To           *time.Time `json:"to"`
	Preflight    int        `json:"preflight"` // of Requests
	WarmUp       int        `json:"warmup"`    // of Requests
}

// Level is the figures of one step of the load.
type Level struct {
	Level        int           `json:"level"`
	Target       string        `json:"target"`
	Model        string        `json:"model"`
	Workload     string        `json:"workload"`
	Short        bool          `json:"short"`
	ShortReason  ShortReason   `json:"short_reason,omitempty"`
	ShortWhy     string        `json:"short_why,omitempty"` // the same in one sentence
	Ended        record.Reason `json:"ended,omitempty"`     // why it ended early
	Load         Load          `json:"load"`
	Frames       Frames        `json:"frames"`
	Latency      Latency       `json:"latency"`
	Throughput   Throughput    `json:"throughput"`
	Speed        Speed         `json:"speed"`
	Reliability  Reliability   `json:"reliability"`
	Tokens       Tokens        `json:"tokens"`
	WarmUp       WarmUp        `json:"warmup"`
	Groups       []Group       `json:"groups,omitempty"`   // parts of the level, each with rows of its own
	Timeline     *Timeline     `json:"timeline,omitempty"` // open loop: asked against achieved
	Clock        *Clock        `json:"clock,omitempty"`
	Validity     Validity      `json:"validity"`
	SampleAnswer string        `json:"sample_answer,omitempty"` // the first one kept, at most 1,000 characters
	Findings     []Finding     `json:"findings"`
	Warnings     []Warning     `json:"warnings"`
}

// ShortReason is why a level is short; "": it is not.
type ShortReason string

const (
	Few       ShortReason = "few"        // fewer requests than twice the concurrency; open loop: over before it had settled
	NeverFull ShortReason = "never_full" // at no moment as many in flight as asked
	BelowMean ShortReason = "mean"       // on average fewer in flight than asked
)

// Load is what a level asked for and what it got.
type Load struct {
	Kind          string           `json:"kind"`
	Concurrency   *int             `json:"concurrency"`             // with sessions: users
	RatePerS      *float64         `json:"rate_per_s"`              // open loop: that the schedule offers (with sessions: sessions)
	Schedule      *record.Schedule `json:"schedule,omitempty"`      // open loop
	MaxInFlight   *int             `json:"max_in_flight,omitempty"` // open loop: the explicit cap
	Due           *int             `json:"due,omitempty"`           // open loop: requests that were due before sending ended, over the rounds that count
	Unsent        *int             `json:"unsent,omitempty"`        // of these, never dispatched
	Held          *int             `json:"held,omitempty"`          // of these, kept back by the cap when they were due
	Turns         *int             `json:"turns,omitempty"`         // of each session
	ThinkS        *float64         `json:"think_s,omitempty"`
	Mix           []record.Share   `json:"mix,omitempty"`
	CancelPercent *float64         `json:"cancel_percent,omitempty"`
	Requests      *int             `json:"requests"`   // asked for per round; null where a duration bounded it
	Rounds        int              `json:"rounds"`     // that the figures are taken from
	WindowS       *float64         `json:"window_s"`   // length, the median of the rounds
	Window        *Window          `json:"window"`     // of the first round
	DurationS     *float64         `json:"duration_s"` // of the whole level, first dispatch to last end, summed over rounds
	Achieved      *MeanMax         `json:"achieved_concurrency"`
	Opened        int              `json:"connections_opened_in_level"`
}

// Window is the part of a level that its figures are taken from, in seconds
// since its first dispatch, or in an open loop since the first due moment.
type Window struct {
	FullS    float64 `json:"full_s"`
	EmptiedS float64 `json:"emptied_s"`
}

// MeanMax is a time-weighted mean over the window, and the greatest value.
type MeanMax struct {
	Mean float64 `json:"mean"`
	Max  int     `json:"max"`
}

// Frames of ok requests inside the window.
type Frames struct {
	Output         int64    `json:"output"`
	Uncertain      int64    `json:"uncertain"`        // whose arrival is bounded, not known
	UncertainBy    *float64 `json:"uncertain_by_ms"`  // by how much, the median; null: none is
	FirstUncertain int64    `json:"first_uncertain"`  // of the first outputs
	UncertainLag   *float64 `json:"uncertain_lag_ms"` // how late the reads were that brought them, the 90th percentile; null: none did, or it is not known
	TTFTWithin     *float64 `json:"ttft_within_ms"`   // by how much the mean TTFT may be off for that, at most
	ITLWithin      *float64 `json:"itl_within_ms"`    // by how much the mean ITL may be
	TokensPerFrame *float64 `json:"tokens_per_frame"`
	Stamps         string   `json:"stamps"` // "kernel", "read" or "mixed"
}

// Latency, all in milliseconds, over ok requests that started inside the
// window: were dispatched there, or in an open loop due. Definitions: docs/MEASUREMENT.md.
type Latency struct {
	TTFT         *stat.Summary `json:"ttft_ms"`           // closed loop: from the send; open loop: from the due moment, as are TTFA, E2E and NTPOT
	TTFTFromSent *stat.Summary `json:"ttft_from_sent_ms"` // open loop; null in a closed one, whose TTFT it is
	E2EFromSent  *stat.Summary `json:"e2e_from_sent_ms"`  // "
	TTFB         *stat.Summary `json:"ttfb_ms"`
	TTFA         *stat.Summary `json:"ttfa_ms"`
	TPOT         *stat.Summary `json:"tpot_ms"`
	ITL          *stat.Summary `json:"itl_ms"` // from a histogram, 0.1 %
	E2E          *stat.Summary `json:"e2e_ms"`
	NTPOT        *stat.Summary `json:"ntpot_ms"`
	StreamEndLag *stat.Summary `json:"stream_end_lag_ms"`
	RTT          *stat.Summary `json:"rtt_ms"`
	ClientLag    *stat.Summary `json:"client_lag_ms"`   // from a histogram, 0.1 %
	SendLag      *stat.Summary `json:"send_lag_ms"`     // closed loop: sent − dispatched; open loop: sent − due less the time to open a connection
	DispatchLag  *stat.Summary `json:"dispatch_lag_ms"` // open loop: dispatched − due
	Connect      *stat.Summary `json:"connect_ms"`      // of every connection that the level's attempts opened
}

// Throughput, medians over rounds.
type Throughput struct {
	RequestsPerS        *float64 `json:"requests_per_s"`
	RequestsPerSOverall *float64 `json:"requests_per_s_overall"` // ok / whole duration of the level
	OutputTokensPerS    *float64 `json:"output_tokens_per_s"`
	InputTokensPerS     *float64 `json:"input_tokens_per_s"`
}

// Speed of single requests, in tokens per second.
type Speed struct {
	Decode  *stat.Summary `json:"decode_tokens_per_s"`
	Request *stat.Summary `json:"request_tokens_per_s"`
}

// Reliability counts requests. Sent = OK + Failed + Cut + Client.
type Reliability struct {
	Sent           int            `json:"sent"`
	OK             int            `json:"ok"`
	Failed         int            `json:"failed"`
	Cut            int            `json:"cut"`    // by the run's end, or by the plan
	Client         int            `json:"client"` // stale connections, our machine: in no rate
	SuccessPercent *float64       `json:"success_percent"`
	Outcomes       []Outcome      `json:"outcomes"` // all but ok, most frequent first; beyond 20 without their words
	Finishes       map[string]int `json:"finishes"` // of ok requests, the API's own words
}

// Outcome is one kind of ending, in the provider's own words, with a cure.
type Outcome struct {
	Outcome    outcome.Class `json:"outcome"`
	Count      int           `json:"count"`
	HTTPStatus *int          `json:"http_status"`
	Code       string        `json:"code,omitempty"`
	Message    string        `json:"message,omitempty"`
	RetryAfter *float64      `json:"retry_after_s,omitempty"` // the longest asked for
	Hint       string        `json:"hint,omitempty"`
}

// Tokens of ok requests of the level.
type Tokens struct {
	Input           *int64   `json:"input"`
	Output          *int64   `json:"output"`
	OutputEstimated *int64   `json:"output_estimated"` // ≈, of those without a count
	Cached          *int64   `json:"cached"`
	Reasoning       *int64   `json:"reasoning"`
	Source          string   `json:"source"` // who counted: "usage" (the server), or "none"
	WithoutCount    int      `json:"without_count"`
	NonceInput      *float64 `json:"nonce_input,omitempty"` // tokens the unique front adds a request, ≈
}

// Group is the requests of a level that have something in common.
type Group struct {
	By          string      `json:"by"`  // turn, mix or protocol
	Key         string      `json:"key"` // "1"; "target · workload"
	Latency     Latency     `json:"latency"`
	Reliability Reliability `json:"reliability"`
	Tokens      Tokens      `json:"tokens"`
}

// Timeline is an open-loop level in equal parts of its schedule, the first
// round's: what was due in each, and what came of it.
type Timeline struct {
	StepS       float64 `json:"step_s"`
	Due         []int   `json:"due"`                   // requests due in the part
	Sent        []int   `json:"sent"`                  // requests sent in the part, whenever they were due
	OK          []int   `json:"ok"`                    // requests that ended well in the part
	InputAsked  []int64 `json:"input_asked,omitempty"` // tokens that a trace asks for, of those due in the part
	Input       []int64 `json:"input,omitempty"`       // that they had, where the server counted
	OutputAsked []int64 `json:"output_asked,omitempty"`
	Output      []int64 `json:"output,omitempty"`
}

// Clock is how well the kernel's stamps lie on the monotonic clock.
type Clock struct {
	WithinMs float64  `json:"within_ms"`          // the greatest error of a stamp's place
	Steps    int      `json:"steps"`              // times the wall clock jumped during the level
	StepMs   *float64 `json:"step_ms,omitempty"`  // the widest jump
	SleptMs  *float64 `json:"slept_ms,omitempty"` // the machine was suspended
}

// WarmUp is in no figure.
type WarmUp struct {
	Sent     int       `json:"sent"`
	OK       int       `json:"ok"`
	Outcomes []Outcome `json:"outcomes"`
}

// Validity of a level. Valid is null where no check could tell whether the
// figures are the client's.
type Validity struct {
	Valid  *bool   `json:"valid"`
	Checks []Check `json:"checks"`
}

// Check is one validity check's answer.
type Check struct {
	ID       string   `json:"id"`
	Status   Status   `json:"status"`
	Severity Severity `json:"severity"`
	Found    *float64 `json:"found"`
	Limit    *float64 `json:"limit"`
	Unit     string   `json:"unit"`   // percent, ms, requests, …: of Found and Limit
	Says     string   `json:"says"`   // what was found, in one sentence of the report's language
	Remedy   string   `json:"remedy"` // what to do; "" where the status is ok
}

// Status is what a check found.
type Status string

const (
	CheckOK       Status = "ok"
	CheckFailed   Status = "failed"
	NotApplicable Status = "not_applicable" // it has nothing to judge here
	Undecided     Status = "undecided"      // it could not tell
)

// Severity is what a failed check does.
type Severity string

const (
	Invalid  Severity = "invalid"  // the level's figures describe the client
	Withhold Severity = "withhold" // a figure is marked or left out
	Remark   Severity = "note"     // said, no more
)

// Finding is a conclusion, with the numbers behind it.
type Finding struct {
	ID       string             `json:"id"`
	Text     string             `json:"text"` // one or two sentences: what, and what to do
	Evidence map[string]float64 `json:"evidence,omitempty"`
}

// Warning is an odd thing that was tolerated, and how often it was met.
type Warning struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
	Unit  Unit   `json:"unit"`
	Text  string `json:"text"`
}

// Unit is what a warning counts.
type Unit string

const (
	Requests Unit = "requests" // that met it
	Rounds   Unit = "rounds"   // that it is true of
	Times    Unit = "times"    // that it was noted
)
