// Package record holds what happened in a run: a stream of small facts, in
// the order they were known, and the file that keeps them. The stream is the
// truth; every figure that Tidemark shows is computed from it and can be
// computed again. The package knows nothing of how a fact was obtained nor of
// what it means.
//
// Absent is absent: a field that is not known is left out of the file and is
// zero in memory. No clock and no identifier that is known is zero.
package record

import (
	"encoding/json"
	"time"

	"tidemark/record/outcome"
)

// Format is the version of the stream. A reader refuses a higher one.
const Format = 1

// Record is one fact: a *Run, *Level, *Attempt, *Sample, *Note or *End.
type Record interface{ kind() string }

// Offset is a moment: nanoseconds on the monotonic clock since the run's
// epoch, which lies before everything the run did. Zero is absent.
type Offset int64

// Run opens every stream.
type Run struct {
	Format      int               `json:"format"`
	Tidemark    string            `json:"tidemark"` // version that wrote it
	RunID       string            `json:"run_id"`
	Started     time.Time         `json:"started"` // wall clock at the epoch
	Simulated   bool              `json:"simulated,omitempty"`
	Plan        json.RawMessage   `json:"plan"` // as load/plan shows it: no secrets
	Machine     Machine           `json:"machine"`
	Environment map[string]string `json:"environment,omitempty"`
	Targets     []Target          `json:"targets"`
	Estimate    *Estimate         `json:"estimate,omitempty"`
	NonceTokens int               `json:"nonce_tokens,omitzero"` // ≈ what the unique front adds to a request; zero: there is none
}

// Machine is where the client ran.
type Machine struct {
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	CPUs     int    `json:"cpus"`
	MaxProcs int    `json:"gomaxprocs"` // Go's threads that run code at once
	Go       string `json:"go"`
	Kernel   string `json:"kernel,omitempty"`
	Host     string `json:"host,omitempty"`
	// Quota is how many cores this process may use: the least of its CPU
	// affinity and its control group's limit. Zero is not known.
	Quota float64 `json:"cpu_quota,omitzero"`
}

// Target is one endpoint and model under test.
type Target struct {
	Name    string `json:"name"` // unique in the run
	URL     string `json:"url"`  // the base, query keys struck out
	Model   string `json:"model"`
	Dialect string `json:"dialect"`
	Local   bool   `json:"local,omitzero"` // it runs on this machine
}

// Estimate is what the run was expected to send, said before the load.
type Estimate struct {
	Requests     int     `json:"requests"`
	InputTokens  int     `json:"input_tokens,omitzero"`
	OutputTokens int     `json:"output_tokens,omitzero"` // at most
	DurationS    float64 `json:"duration_s,omitzero"`
}

// Event is an edge in a level's life.
type Event string

const (
	LevelStart   Event = "start"   // connections are open, warm-up is over
	LevelFull    Event = "full"    // the dispatch that put the asked number in flight
	LevelEmptied Event = "emptied" // the first slot found nothing left to send
	LevelEnd     Event = "end"     // the last attempt ended
)

// Level is an edge of one step of the load. Target, Workload and Load are
// given with the start and not repeated.
type Level struct {
	Event    Event  `json:"event"`
	Level    int    `json:"level"` // number in the run, from 1; the same in every round
	Round    int    `json:"round"` // from 1
	At       Offset `json:"at_ns"`
	Target   string `json:"target,omitempty"`
	Workload string `json:"workload,omitempty"`
	Load     *Load  `json:"load,omitempty"`
	Why      string `json:"why,omitempty"` // LevelEnd: "" or why it ended early, as End.Reason
	// InFlightS is, at LevelEnd, requests in flight × seconds by the engine's
	// own counter, kept at each of its changes: what Σ (end − dispatched) of
	// the records must agree with.
	InFlightS float64 `json:"in_flight_s,omitzero"`
	// Due is, at LevelEnd of an open loop, how many requests were due before
	// sending ended: all of the schedule's, unless the run was stopped, and
	// the turns of sessions that came after a first one.
	Due int `json:"due,omitzero"`
	// Unsent is how many of these were never dispatched.
	Unsent int `json:"unsent,omitzero"`
	// Held is how many of these the cap on requests in flight had kept back.
	Held int `json:"held,omitzero"`
}

// Kinds of load.
const (
	Closed = "closed" // so many in flight: each slot sends when its last request ended
	Open   = "open"   // requests leave when they are due
)

// Load is what a level asks for.
type Load struct {
	Kind        string    `json:"kind"`                   // Closed or Open
	Concurrency int       `json:"concurrency,omitzero"`   // closed loop; with sessions: users
	Requests    int       `json:"requests,omitzero"`      // zero where a duration bounds the level
	DurationS   float64   `json:"duration_s,omitzero"`    // zero where a count bounds it
	RatePerS    float64   `json:"rate_per_s,omitzero"`    // open loop: requests (with sessions: sessions) due / length of the schedule
	Schedule    *Schedule `json:"schedule,omitempty"`     // open loop
	MaxInFlight int       `json:"max_in_flight,omitzero"` // open loop: the explicit cap; zero: none
	Turns       int       `json:"turns,omitzero"`         // of each session; zero: requests are no conversations
	ThinkS      float64   `json:"think_s,omitzero"`       // between the end of a turn and the next
	Mix         []Share   `json:"mix,omitempty"`          // the level's parts, where it has several
	// CancelPercent of the requests are cut by the client, as users do.
	CancelPercent float64 `json:"cancel_percent,omitzero"`
}

// Schedule is what an open-loop level was to send, and when.
type Schedule struct {
	Name         string  `json:"name"`                   // the level's, as the plan says it: "20", "60/min", "5..50@1m"
	Arrival      string  `json:"arrival"`                // a law's name, or "trace"
	CV           float64 `json:"cv,omitzero"`            // of gamma gaps
	TokenPace    bool    `json:"token_pace,omitzero"`    // the pace counts tokens, not requests
	Trace        string  `json:"trace,omitempty"`        // the file's name
	Scale        float64 `json:"scale,omitzero"`         // of the trace's times
	Seed         uint64  `json:"seed,omitzero"`          // of the gaps
	Requests     int     `json:"requests"`               // due in all (with sessions: first turns)
	LengthS      float64 `json:"length_s"`               // from the level's start to its end
	InputTokens  int64   `json:"input_tokens,omitzero"`  // that a trace asks for
	OutputTokens int64   `json:"output_tokens,omitzero"` // "
	SHA256       string  `json:"sha256"`                 // of the due times and lengths
}

// Share is one part of a mixed level.
type Share struct {
	Target   string  `json:"target"`
	Workload string  `json:"workload"`
	Weight   float64 `json:"weight"` // of the sum of all
}

// Phase is what an attempt was for.
type Phase string

const (
	Preflight Phase = "preflight"
	WarmUp    Phase = "warmup"
	Measured  Phase = "measured"
)

// Attempt is one try at a request over the wire. It is written when it ended.
type Attempt struct {
	Level    int    `json:"level,omitzero"` // zero for preflight
	Round    int    `json:"round,omitzero"`
	Phase    Phase  `json:"phase"`
	Number   int    `json:"number"`           // of the request in its level, round and phase, from 1
	Try      int    `json:"try"`              // from 1
	Target   string `json:"target"`           // Target.Name
	Workload string `json:"workload"`         // prompt group
	Prompt   string `json:"prompt"`           // id of the prompt in its set
	Slot     int    `json:"slot,omitzero"`    // which of the level's senders, from 1
	Session  int    `json:"session,omitzero"` // number of the conversation in its level, round and phase, from 1
	Turn     int    `json:"turn,omitzero"`    // in its session, from 1
	Conn     int    `json:"conn,omitzero"`    // connection's number in the run, from 1
	Reused   bool   `json:"reused,omitzero"`  // the connection carried a request before
	// OpenedInLevel: the connection was opened for this attempt, in the
	// measured phase of a level, where all should be open already.
	OpenedInLevel bool `json:"opened_in_level,omitzero"`
	// Held: open loop, the cap on requests in flight kept it back when it was
	// due.
	Held        bool `json:"held,omitzero"`
	InputAsked  int  `json:"input_asked,omitzero"`  // tokens that a trace asks for
	OutputAsked int  `json:"output_asked,omitzero"` // "

	Clocks

	Outcome    outcome.Class `json:"outcome"`
	Finish     string        `json:"finish,omitempty"` // the API's own word
	HTTPStatus int           `json:"http_status,omitzero"`
	Code       string        `json:"code,omitempty"`         // the provider's
	Message    string        `json:"message,omitempty"`      // the provider's own words or the system's, by OneLine within MessageLimit
	RetryAfter float64       `json:"retry_after_s,omitzero"` // seconds the provider asked to wait

	Tokens          Tokens `json:"tokens,omitzero"`
	OutputEstimated int    `json:"output_estimated,omitzero"` // from characters; only where the server sent no count
	Frames          Frames `json:"frames,omitzero"`
	Gaps            Packed `json:"gaps,omitempty"`         // between successive output frames, in order
	UncertainBy     Packed `json:"uncertain_by,omitempty"` // one bound for each uncertain output frame, in order
	FirstUncertain  int64  `json:"first_uncertain_by_ns,omitzero"`
	Lags            Packed `json:"lags,omitempty"`     // read − arrival of each output frame, kernel stamps only
	Stamps          string `json:"stamps,omitempty"`   // "kernel" or "read"
	Protocol        string `json:"protocol,omitempty"` // "HTTP/2"; absent: HTTP/1.1
	RTT             int64  `json:"rtt_ns,omitzero"`    // the least round-trip time of the connection

	RequestID   string         `json:"request_id,omitempty"`
	ServedModel string         `json:"served_model,omitempty"`
	Fingerprint string         `json:"fingerprint,omitempty"`
	Node        string         `json:"node,omitempty"`
	NotStreamed bool           `json:"not_streamed,omitzero"` // a whole body came: no TTFT, no gaps
	Warnings    map[string]int `json:"warnings,omitempty"`    // id and how often
	Answer      string         `json:"answer,omitempty"`      // kept where asked for
	Characters  int            `json:"characters,omitzero"`   // of sampled text
}

// Clocks of an attempt, each an offset from the run's epoch, in the order
// they come (Written may come after Headers when a request is refused early).
type Clocks struct {
	Due        Offset `json:"due_ns,omitzero"`        // open loop: the schedule's moment
	Dispatched Offset `json:"dispatched_ns,omitzero"` // the engine's decision
	Dial       Offset `json:"dial_ns,omitzero"`       // where this attempt opened its connection: began,
	DNS        Offset `json:"dns_ns,omitzero"`        // name resolved,
	Connected  Offset `json:"connected_ns,omitzero"`  // connected,
	TLS        Offset `json:"tls_ns,omitzero"`        // handshake over
	Sent       Offset `json:"sent_ns,omitzero"`       // the first request byte is handed to the kernel
	Written    Offset `json:"written_ns,omitzero"`    // the last one was
	Headers    Offset `json:"headers_ns,omitzero"`    // status line and headers complete
	FirstByte  Offset `json:"first_byte_ns,omitzero"` // of the body
	FirstEvent Offset `json:"first_event_ns,omitzero"`
	FirstOut   Offset `json:"first_output_ns,omitzero"`
	FirstAns   Offset `json:"first_answer_ns,omitzero"`
	LastOut    Offset `json:"last_output_ns,omitzero"`
	Terminal   Offset `json:"terminal_ns,omitzero"` // last terminal signal
	// End is when nothing more was awaited, and the caller had its turn again,
	// by the clock: the moment the carriage of the attempt returned. It is
	// never an arrival, and so lies a little after the last of these. Of an
	// attempt that never reached the wire it is when that was known.
	End Offset `json:"end_ns,omitzero"`
}

// Source says who counted tokens.
type Source string

const (
	NoSource  Source = ""      // nobody: the count is absent
	FromUsage Source = "usage" // the server's usage object
)

// Count is a number of tokens and who counted them. The zero Count is absent;
// a count of zero with a source is a zero that was reported.
type Count struct {
	N      int64  `json:"n"`
	Source Source `json:"source"`
}

func (c Count) Known() bool { return c.Source != NoSource }

// Tokens of an attempt. Output includes Reasoning, Input includes Cached.
type Tokens struct {
	Input     Count `json:"input,omitzero"`
	Output    Count `json:"output,omitzero"`
	Cached    Count `json:"cached,omitzero"`
	Reasoning Count `json:"reasoning,omitzero"`
}

// Frames counts what the stream was made of.
type Frames struct {
	Events     int   `json:"events,omitzero"`     // all that decoded, output or not
	Output     int   `json:"output,omitzero"`     // with sampled text
	Reasoning  int   `json:"reasoning,omitzero"`  // of these, reasoning text
	Refusal    int   `json:"refusal,omitzero"`    // of these, refusal text
	Tool       int   `json:"tool,omitzero"`       // of these, tool names or arguments
	KeepAlives int   `json:"keepalives,omitzero"` // comments and frames with nothing in them
	Uncertain  int   `json:"uncertain,omitzero"`  // output frames whose arrival is bounded, not known
	FirstRead  int   `json:"first_read,omitzero"` // output frames that the first output's read brought
	Bytes      int64 `json:"bytes,omitzero"`      // of body
}

// Sample is the machine and the run, seen a few times a second.
type Sample struct {
	At         Offset  `json:"at_ns"`
	Level      int     `json:"level,omitzero"`
	InFlight   int     `json:"in_flight"`
	CPU        float64 `json:"cpu,omitzero"`          // cores this process used since the last sample
	SchedP99Ms float64 `json:"sched_p99_ms,omitzero"` // goroutines' wait for a thread, since the last sample
	RSSBytes   int64   `json:"rss_bytes,omitzero"`
	// MachineCPU is the cores that all processes of the machine used since the
	// last sample, this one among them.
	MachineCPU  float64 `json:"machine_cpu,omitzero"`
	ThrottledMs float64 `json:"throttled_ms,omitzero"` // the control group held this process back, since the last sample
	// WallAhead is how far the wall clock has moved from the monotonic one
	// since the epoch, known within WallWithin. A step of it is a clock that
	// was set, or a machine that slept.
	WallAhead  int64 `json:"wall_ahead_ns,omitzero"`
	WallWithin int64 `json:"wall_within_ns,omitzero"`
	Slept      int64 `json:"slept_ns,omitzero"` // the machine was suspended, since the last sample
}

// Note is something worth saying that is no figure: an id of the text
// catalogue and what fills its gaps.
type Note struct {
	At    Offset   `json:"at_ns"`
	Level int      `json:"level,omitzero"`
	ID    string   `json:"id"`
	Args  []string `json:"args,omitempty"`
}

// End closes a stream that was not cut off.
type End struct {
	At     Offset `json:"at_ns"`
	Reason Reason `json:"reason"`
}

func (*Run) kind() string     { return "run" }
func (*Level) kind() string   { return "level" }
func (*Attempt) kind() string { return "attempt" }
func (*Sample) kind() string  { return "sample" }
func (*Note) kind() string    { return "note" }
func (*End) kind() string     { return "end" }
