// Package plan answers what is to be run: the plan file, its defaults and its
// refusals. It knows no network and no clock; names of dialects and providers
// are handed in.
//
// A plan is one flat list of keys. Its flags are the keys with dashes for
// underscores (--no-stream is stream: false), so that there is one word for
// both, and one place that parses and refuses: [Plan.Set] takes what a flag
// was given, [Parse] what a file holds. Precedence is defaults, file, flags;
// the environment only says a provider's base where no URL is given, and what
// ${NAME} stands for.
package plan

import (
	"time"

	"tidemark/load/arrival"
)

// Plan is what is to be run. Field comments name the default.
type Plan struct {
	// Target.
	URL      string            // the base; "" where Provider says it
	Provider string            // a known provider's name; ""
	Dialect  string            // chat
	Models   []string          // key "model"; empty: the one the endpoint lists
	KeyEnv   string            // variable that holds the key; ""
	KeyFile  string            // file that holds the key; ""
	Headers  map[string]string // key "header"; values may be ${NAME}

	// Workload.
	Prompts        string // file; "": the built-in set
	System         string
	MaxTokens      int // 128; 0: not sent
	MaxTokensField string
	Temperature    *float64       // not sent
	Extra          map[string]any // further body fields
	Stream         bool           // true
	Cache          string         // "unique" (a nonce at the front of each prompt) or "allow"
	SaveAnswers    bool

	// Load. A level is a concurrency (closed loop), a number of users who hold
	// conversations (closed, Sessions), or what is offered over time (open:
	// Rates, TokenRates, Trace). Of these one is given, or none: then the
	// concurrencies 1, 8, 32 are climbed. Where Turns is above 1 beside rates,
	// what arrives is sessions.
	Concurrency      []int              // nil unless given; see Ladder
	Sessions         []int              // users at a time, each in a conversation; empty
	Rates            []arrival.Pace     // key "rate": requests; a segment's unit is /s, /min or /h
	TokenRates       []arrival.Pace     // key "token_rate": input and output tokens
	Arrival          arrival.Law        // poisson; of rates and token rates
	CV               float64            // of gamma arrivals: 1
	Trace            string             // file of recorded arrivals; ""
	TraceScale       float64            // key "scale": times × it; 1
	Slice            Slice              // part of the trace, on its own clock; all
	TraceColumns     map[string]string  // key "trace_columns": time, input, output, blocks, session → the file's word
	MaxInFlight      int                // open loop: the cap; 0: none
	Turns            int                // of a session; 0: 8 with Sessions, else 1, which is no conversation
	Think            time.Duration      // between the end of a turn and the next
	PrefixTokens     int                // ≈ tokens of a system prompt that all requests share; 0
	UserPrefixTokens int                // ≈ tokens of a text that a user's turns share; 0
	Mix              map[string]float64 // workload, model or model/workload → its share of each level; empty: each its own levels
	CancelPercent    float64            // of requests that the client leaves early; 0
	CancelAfter      Leave              // when it does
	MaxErrorPercent  float64            // ends the run early; 0: none
	Requests         int                // per level and round; 0: closed max(4 × concurrency, 20), in whole turns of the set; open what is due within the duration
	Duration         time.Duration      // open: 30 s where neither it nor the pace nor Requests bounds a level
	Rounds           int                // 1
	WarmUp           int                // key "warmup"; -1: min(concurrency, 8)
	KeepClimbing     bool
	Seed             uint64 // 1

	// Limits.
	ConnectTimeout    time.Duration // 10s
	TTFTTimeout       time.Duration // 120s
	IdleTimeout       time.Duration // 60s
	Timeout           time.Duration // 600s
	OutputIdleTimeout time.Duration // off
	Drain             time.Duration // 0: to the end
	MaxTime           time.Duration // none
	MaxTotalTokens    int64         // none

	Labels          map[string]string // key "label"
	IgnorePreflight bool
}

// Slice is a part of a trace. To 0: to its end.
type Slice struct{ From, To time.Duration }

// Leave is when a client leaves a request: after so many output frames, or so
// long after it was sent. One of them is zero.
type Leave struct {
	Frames int
	After  time.Duration
}

// Default returns the plan of which nothing was said.
func Default() *Plan {
	return &Plan{
		Dialect:        "chat",
		MaxTokens:      128,
		Stream:         true,
		Cache:          "unique",
		Arrival:        arrival.Poisson,
		CV:             1,
		TraceScale:     1,
		Rounds:         1,
		WarmUp:         -1,
		Seed:           1,
		ConnectTimeout: 10 * time.Second,
		TTFTTimeout:    120 * time.Second,
		IdleTimeout:    60 * time.Second,
		Timeout:        600 * time.Second,
	}
}
