package run

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"tidemark/load/prompt"
)

// Level is one step of the load as it is known before anything is sent.
type Level struct {
	Number      int // in the run, from 1; the same in every round
	Target      string
	Workload    string // prompt group
	Concurrency int
	Requests    int           // in each round; 0: Duration bounds the level
	Duration    time.Duration // in each round; 0: Requests bounds the level
	WarmUp      int           // requests before each round's
}

// Levels lists what a run would do, in the order of its first round.
func Levels(c Config) []Level {
	var all []Level
	for _, s := range ladders(c) {
		all = append(all, s.Level)
	}
	return all
}

// ladder is the levels of one target and one group.
type ladder struct {
	target *Target
	group  prompt.Group
	order  prompt.Order
	next   int // where in the order the next new level begins
	top    int // the highest concurrency asked
	lid    int // no level above this concurrency is tried; 0: none has failed
	// fresh says that each request gets a connection of its own. It is the
	// target's, and set when a request is first lost on a closed one.
	fresh *atomic.Bool
}

// step is a level and its place in the run.
type step struct {
	Level
	*ladder
	offset  int  // where in the order it begins, in every round
	reached bool // the first round was there
}

// ladders lays out the first round. A concurrency below 1 is no level.
func ladders(c Config) []*step {
	if c.Prompts == nil {
		return nil
	}
	var all []*step
	for t := range c.Targets {
		fresh := new(atomic.Bool)
		fresh.Store(c.Targets[t].Closes)
		for _, g := range c.Prompts.Groups {
			l := &ladder{target: &c.Targets[t], group: g, order: g.Order(c.Seed), fresh: fresh}
			for _, n := range c.Concurrency {
				if n < 1 {
					continue
				}
				l.top = max(l.top, n)
				all = append(all, &step{ladder: l, Level: Level{
					Number: len(all) + 1, Target: l.target.Name, Workload: g.Name, Concurrency: n,
					Requests: requests(c, n, len(g.Prompts)), Duration: c.Duration, WarmUp: warmUp(c, n),
				}})
			}
		}
	}
	return all
}

// requests is how many a level sends in a round; 0 where a duration bounds it.
func requests(c Config, concurrency, prompts int) int {
	if c.Requests > 0 || c.Duration > 0 {
		return c.Requests
	}
	n := max(4*concurrency, 20)
	if 0 < prompts && prompts <= n {
		n = (n + prompts - 1) / prompts * prompts // whole turns: every level asks the same mix
	}
	return n
}

func warmUp(c Config, concurrency int) int {
	if c.WarmUp >= 0 {
		return c.WarmUp
	}
	return min(concurrency, 8)
}

// shuffled is the order of a later round: the levels that were reached, by
// seed, so that a drift of the endpoint doesn't always hit the same ones.
func shuffled(steps []*step, seed uint64, round int) []*step {
	var reached []*step
	for _, s := range steps {
		if s.reached {
			reached = append(reached, s)
		}
	}
	rand.New(rand.NewPCG(seed, uint64(round))).Shuffle(len(reached), func(i, j int) {
		reached[i], reached[j] = reached[j], reached[i]
	})
	return reached
}
