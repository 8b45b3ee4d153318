// Package run is the run itself: it opens connections, warms up, climbs the
// ladder, drains, and can be interrupted. It emits records and live
// snapshots. It knows nothing of the files it is kept in or of terminals,
// nor of what figures mean.
package run

import (
	"context"
	"time"

	"tidemark/load/arrival"
	"tidemark/load/prompt"
	"tidemark/load/trace"
	"tidemark/record"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// Target is one endpoint and model to load.
type Target struct {
	Name    string // record.Target.Name
	Model   string
	Client  *wire.Client
	Dialect dialect.Dialect
	// Closes says that the endpoint closes each connection after its answer
	// without saying so. A request on a connection that is about to be closed
	// is lost, so each gets a fresh one.
	Closes bool
}

// Config is everything a run needs. Required unless said otherwise.
type Config struct {
	Targets []Target       // run one after the other; their clients share one epoch
	Prompts *prompt.Set    // each group its own levels
	System  string         // optional
	Ask     prompt.Request // options of every request: Stream, MaxTokens, …; its Model and Messages are unused
	Unique  bool           // put a nonce at the front of every prompt
	RunID   string         // part of the nonce
	Seed    uint64

	// One of Concurrency, Users and Offers is the ladder, climbed in this order
	// in the first round.
	Concurrency     []int          // closed loop: requests in flight
	Users           []int          // closed loop of sessions: so many at a time
	Offers          []Offer        // open loop
	Requests        int            // per level and round; 0: the default rule. Closed loop; with sessions: turns
	Duration        time.Duration  // per level; 0: a count bounds it. Where both are given, whichever comes first. Closed loop
	MaxInFlight     int            // open loop: the cap; 0: none
	Session         Session        // the zero Session: requests are no conversations
	PrefixTokens    int            // ≈ tokens of a system prompt that all requests share; 0: none
	Mix             []record.Share // targets and groups that share each level; empty: each its own levels
	Cancel          Cancel
	MaxErrorPercent float64 // of the requests that ended in a level, which ends the run; 0: none
	Rounds          int     // at least 1
	WarmUp          int     // per level; -1: the default rule
	KeepClimbing    bool
	Drain           time.Duration // 0: to the end

	MaxTime        time.Duration // of the whole run; 0: none
	MaxTotalTokens int64         // input and output of all phases; 0: none
	SpentTokens    int64         // by preflight
	FirstConn      int           // number of the first connection, behind those of preflight; 0: 1

	SaveAnswers bool

	// Emit takes each record and may keep it. It is called from one goroutine
	// at a time, off the measuring path. An error (a full disk) ends the run.
	Emit func(record.Record) error
	// Watch, if not nil, is called a few times a second, from one goroutine.
	Watch func(Snapshot)
	// Timers has an open loop wait by the runtime's timers, as virtual time
	// needs, and not by the platform's most exact ones.
	Timers bool
	// Stop, when closed, ends the sending: what is in flight drains.
	Stop <-chan struct{}
}

// Offer is what one open-loop level offers.
type Offer struct {
	arrival.Paced
	// Tokens says that the pace counts tokens: each request weighs its
	// estimated input and its max tokens. Weight is then ours to set.
	Tokens bool
	Trace  *trace.Trace // not nil: in place of Paced
}

// Session is what a conversation is like.
type Session struct {
	Turns        int           // 0 or 1: none
	Think        time.Duration // between the end of a turn and the next
	PrefixTokens int           // ≈ tokens of a text that a session's turns share; 0: none
}

// Cancel is which requests the client leaves early.
type Cancel struct {
	Percent float64 // of the requests, by seed
	Leave   wire.Leave
}

// Snapshot is the run as it stands, from histograms and counters: for the
// eye, not for the report.
type Snapshot struct {
	Target, Workload string
	Level, Levels    int // this one's number, and how many there are in all
	Round, Rounds    int
	Concurrency      int              // closed loop
	Schedule         *record.Schedule // open loop
	Phase            record.Phase
	Due              int // open loop: requests that were due by now; Done of them are over
	Done, Total      int // requests of the phase; Total is 0 where a duration bounds the level
	InFlight         int
	Errors           int           // attempts of the phase that got no answer, but for those the run cut
	TokensPerS       float64       // over the last second or so; estimated between two usages
	TTFTp50          time.Duration // 0: none yet
	Elapsed, Left    time.Duration // of the phase; Left is 0 where it can't be told
	Over             bool          // the level's last snapshot
}

// Run climbs the ladder. It returns why it ended; err is our own fault or
// the disk's (then the reason is record.DiskFailed). When ctx ends, attempts
// in flight are cut at once, recorded as such, and it returns.
//
// A ladder that stops because a level failed is told by that level's end and
// by a note; the run goes on with the next target or group, and its reason is
// record.Done. MaxTime counts from the clients' epoch and cuts what is in
// flight: it is a limit, not a wish.
//
// The caller has emitted record.Run and the preflight's attempts before, and
// emits record.End after.
func Run(ctx context.Context, c Config) (record.Reason, error) {
	steps, err := ladders(c)
	if len(steps) == 0 {
		return record.Done, err
	}
	r := begin(ctx, c, len(steps))
	r.climb(steps)
	return r.finish()
}
