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

import "time"

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

	// Load.
	Concurrency  []int // 1, 8, 32
	Requests     int   // per level and round; 0: max(4 × concurrency, 20), in whole turns of the set
	Duration     time.Duration
	Rounds       int // 1
	WarmUp       int // key "warmup"; -1: min(concurrency, 8)
	KeepClimbing bool
	Seed         uint64 // 1

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

// Default returns the plan of which nothing was said.
func Default() *Plan {
	return &Plan{
		Dialect:        "chat",
		MaxTokens:      128,
		Stream:         true,
		Cache:          "unique",
		Concurrency:    []int{1, 8, 32},
		Rounds:         1,
		WarmUp:         -1,
		Seed:           1,
		ConnectTimeout: 10 * time.Second,
		TTFTTimeout:    120 * time.Second,
		IdleTimeout:    60 * time.Second,
		Timeout:        600 * time.Second,
	}
}
