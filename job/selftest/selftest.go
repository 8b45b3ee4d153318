// Package selftest answers what this machine can measure before it becomes
// the limit itself: it loads an endpoint whose truth is known, in a process of
// its own, with ever more streams and requests, and holds what was measured
// against what was so. It knows nothing of how it is shown.
package selftest

import (
	"context"
	"time"

	"tidemark/record"
)

// What a step asks for where a [Config] doesn't say.
const (
	defaultTokens = 40 // of an answer, where streams are counted
	defaultShort  = 8  // of an answer, where requests are
	defaultTurns  = 2  // requests of a stream: with fewer a level is short
	defaultFor    = 2 * time.Second
	defaultLimit  = time.Minute
)

var (
	defaultStreams = []int{50, 100, 200, 500, 1000, 2000}
	defaultRates   = []float64{100, 500, 1000, 2000, 4000}
)

// beyond is how many steps are tried above the first that fails: it shows how
// things go wrong, and whether it was an accident.
const beyond = 2

// Config is what to try. A zero field takes its default; a list that is empty
// but not nil leaves its ladder out.
type Config struct {
	// Command starts the simulated endpoint, with a fixed schedule, in a
	// process of its own. The first line that it prints has its address.
	Command []string
	// Reach, if not nil, takes the place of Command.
	Reach func(context.Context) (*Endpoint, error)

	Streams []int         // closed loop, in rising order
	Tokens  int           // of an answer there
	Turns   int           // requests of each stream, at least 2
	Rates   []float64     // open loop, requests a second, in rising order
	Short   int           // tokens of an answer there
	For     time.Duration // how long a rate is held
	Limit   time.Duration // of the whole; each of the two ladders gets a half

	Machine  record.Machine // for the result
	Tidemark string         // version, for the result
	Progress func(Step)     // called after each step; may be nil
}

func (c Config) filled() Config {
	if c.Streams == nil {
		c.Streams = defaultStreams
	}
	if c.Rates == nil {
		c.Rates = defaultRates
	}
	fill(&c.Tokens, defaultTokens)
	fill(&c.Turns, defaultTurns)
	fill(&c.Short, defaultShort)
	fill(&c.For, defaultFor)
	fill(&c.Limit, defaultLimit)
	if c.Reach == nil {
		c.Reach = func(ctx context.Context) (*Endpoint, error) { return start(ctx, c.Command) }
	}
	if c.Progress == nil {
		c.Progress = func(Step) {}
	}
	return c
}

func fill[T int | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// Run tries every step, up to two above the first of its ladder that fails.
// An error is a *text.Fault where the endpoint can't be had, or ctx's; the
// result holds the steps that were done before.
func Run(ctx context.Context, c Config) (*Result, error) {
	c = c.filled()
	r := &Result{Format: Format, Tidemark: c.Tidemark, At: time.Now().UTC().Truncate(time.Second), Machine: c.Machine, Steps: []Step{}}
	end, err := c.Reach(ctx)
	if err != nil {
		return r, err
	}
	defer end.Close()
	var closed, open []trial
	for _, n := range c.Streams {
		closed = append(closed, trial{streams: n, requests: n * c.Turns, tokens: c.Tokens})
	}
	for _, rate := range c.Rates {
		open = append(open, trial{rate: rate, requests: max(int(rate*c.For.Seconds()), 1), tokens: c.Short})
	}
	for _, ladder := range [][]trial{closed, open} {
		if err := r.climb(ctx, c, end, ladder); err != nil {
			return r, err
		}
	}
	return r, nil
}

// climb tries the steps of a ladder while there is time.
func (r *Result) climb(ctx context.Context, c Config, end *Endpoint, ladder []trial) error {
	until := time.Now().Add(c.Limit / 2)
	failed := 0
	for _, t := range ladder {
		left := time.Until(until)
		if failed > beyond || left <= 0 {
			break
		}
		s, err := t.run(ctx, end, left)
		if err != nil {
			return err
		}
		if failed > 0 || !s.Fine {
			failed++
		}
		r.add(s, failed == 0)
		c.Progress(s)
		if s.Ended != record.Done { // it was cut, or the machine lacks what it needs
			break
		}
	}
	return nil
}
