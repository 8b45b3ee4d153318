// Package check answers whether an endpoint can be asked at all: one small
// request, step by step, and for each failure the cause and the cure. The
// preflight of a run is the same code. It knows nothing of how its answer is
// shown.
package check

import (
	"context"
	"time"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/text"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// Config is what is to be checked. Required unless said otherwise.
type Config struct {
	Client  *wire.Client
	Dialect dialect.Dialect
	Target  string         // record.Attempt.Target; "": the model's name
	Request prompt.Request // Model may be "": the one the endpoint lists, if it is one; no message: a short one of ours
	Key     Key
	// FirstConn is the number of the first connection, behind those of an
	// earlier check in the same run; 0: 1.
	FirstConn int
	// Emit takes the record of each attempt made. Optional.
	Emit func(*record.Attempt) error
}

// Key is where the key came from; never the key itself.
type Key struct {
	Variable string // name of the variable that was read; "": none
	File     string // path of the file that was read; "": none
	Empty    bool   // it was not set, or holds nothing
	Space    bool   // it had white space around or inside; it was trimmed at its ends
}

// Status is how a step went.
type Status string

const (
	OK      Status = "ok"
	Warning Status = "warning"
	Failed  Status = "failed"
	Skipped Status = "skipped" // a step before it failed, or it doesn't apply
)

// Step is one thing that was looked at.
type Step struct {
	ID     string // resolve connect tls rtt key model stream usage terminal frames reuse
	Status Status
	Took   time.Duration // 0: not a step that takes time
	Detail text.Message
}

// Result is what was found.
type Result struct {
	Steps   []Step
	Answer  string // the text that came, as it came
	Attempt *record.Attempt
	Models  []string // that the endpoint lists; nil: it doesn't say
	Learned Learned
	// LastConn is the number of the last connection that was asked for.
	LastConn int
	Fault    *text.Fault // what stands in the way of a run, and the cure; nil: nothing
}

// Learned is what a run can use. Zero is not known.
type Learned struct {
	Model        string
	Streamed     bool
	Usage        bool
	InputTokens  int64
	OutputTokens int64
	TTFT, TPOT   time.Duration
	E2E          time.Duration
	Closes       bool // the connection, after its answer, without saying so
}

// Question is what is asked where the caller asks nothing of its own.
const Question = "Say hello in one short sentence."

// Run asks the endpoint for its models and sends it one small request. Every
// wait is bounded by the client's timeouts, the list's by its own.
func Run(ctx context.Context, c Config) Result {
	if len(c.Request.Messages) == 0 {
		c.Request.Messages = []prompt.Message{{Role: "user", Text: Question}}
	}
	p := &probe{Config: c, ctx: ctx, conns: max(c.FirstConn, 1) - 1}
	p.run()
	p.result.LastConn = p.conns
	p.result.Steps = p.steps()
	p.result.Learned = p.learned()
	return p.result
}
