package run

import (
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"tidemark/load/prompt"
	"tidemark/record"
)

// Level is one step of the load as it is known before anything is sent.
type Level struct {
	Number      int // in the run, from 1; the same in every round
	Target      string
	Workload    string           // prompt group
	Concurrency int              // closed loop: slots, or with sessions users; open loop: 0
	Turns       int              // of a session; 0: requests are no conversations
	Requests    int              // in each round; 0: Duration bounds the level. Open loop: of the schedule, first turns alone
	Duration    time.Duration    // in each round; 0: Requests bounds the level. Open loop: the schedule's length
	WarmUp      int              // requests before each round's
	Schedule    *record.Schedule // open loop; nil: closed
	Bins        []int            // open loop: requests due in equal parts of the schedule
}

// Levels lists what a run would do, in the order of its first round.
func Levels(c Config) ([]Level, error) {
	steps, err := ladders(c)
	var all []Level
	for _, s := range steps {
		all = append(all, s.Level)
	}
	return all, err
}

// ladder is the levels that compare: those of one target and one group, or of
// one mix.
type ladder struct {
	parts []part
	next  int     // where in the order the next new level begins
	top   float64 // the highest step asked
	lid   float64 // no level above this step is tried; 0: none has failed
	// fresh says that each request gets a connection of its own. It is the
	// target's, and set when a request is first lost on a closed one.
	fresh *atomic.Bool
}

// part is prompts of one group for one target, and its share of the requests.
type part struct {
	target *Target
	group  prompt.Group
	order  prompt.Order
	weight float64
}

// step is a level and its place in the run.
type step struct {
	Level
	*ladder
	offer   *Offer  // open loop
	height  float64 // what the ladder climbs: requests in flight, users, or requests a second
	offset  int     // where in the order it begins, in every round; a schedule's is fixed, others go on where the one below ended
	reached bool    // the first round was there
}

// ladders lays out the first round. It reads the traces there are, which may
// fail.
func ladders(c Config) ([]*step, error) {
	var all []*step
	for _, l := range sideBySide(c) {
		for _, s := range l.steps(c) {
			s.offset = l.next
			if s.offer != nil {
				if err := s.schedule(c); err != nil {
					return nil, err
				}
			}
			s.Number = len(all) + 1
			l.top = max(l.top, s.height)
			l.next = s.offset + s.perRound()
			all = append(all, s)
		}
		l.next = 0 // what was really sent counts, from here on
	}
	return all, nil
}

// sideBySide is a ladder for each target and group, or one for all of a mix.
func sideBySide(c Config) []*ladder {
	var all []*ladder
	if c.Prompts == nil {
		return nil
	}
	mixed := &ladder{fresh: new(atomic.Bool)}
	for t := range c.Targets {
		fresh := new(atomic.Bool)
		fresh.Store(c.Targets[t].Closes)
		for _, g := range c.Prompts.Groups {
			p := part{target: &c.Targets[t], group: g, order: g.Order(c.Seed), weight: 1}
			if len(c.Mix) == 0 {
				all = append(all, &ladder{parts: []part{p}, fresh: fresh})
			} else if p.weight = weight(c.Mix, p); p.weight > 0 {
				mixed.parts = append(mixed.parts, p)
				mixed.fresh.Store(mixed.fresh.Load() || p.target.Closes)
			}
		}
	}
	if len(mixed.parts) > 0 {
		all = append(all, mixed)
	}
	return all
}

func weight(mix []record.Share, p part) float64 {
	for _, s := range mix {
		if s.Target == p.target.Name && s.Workload == p.group.Name {
			return s.Weight
		}
	}
	return 0
}

// steps lays out one ladder. A step below 1 is no level.
func (l *ladder) steps(c Config) []*step {
	var all []*step
	add := func(s *step) {
		s.ladder = l
		s.Target = l.names(func(p part) string { return p.target.Name })
		s.Workload = l.names(func(p part) string { return p.group.Name })
		all = append(all, s)
	}
	closed := func(n, turns int) {
		if n < 1 {
			return
		}
		s := &step{height: float64(n), Level: Level{Concurrency: n, Turns: turns, Duration: c.Duration, WarmUp: warmUp(c, n)}}
		s.Requests = requests(c, n, len(l.parts[0].group.Prompts))
		if turns > 0 && c.Requests == 0 && c.Duration == 0 {
			s.Requests = n * turns
		}
		add(s)
	}
	for _, n := range c.Concurrency {
		closed(n, 0)
	}
	for _, n := range c.Users {
		closed(n, max(c.Session.Turns, 1))
	}
	for i := range c.Offers {
		s := &step{offer: &c.Offers[i], Level: Level{WarmUp: warmUp(c, 8)}}
		if c.Session.Turns > 1 {
			s.Turns = c.Session.Turns
		}
		add(s)
	}
	return all
}

// names joins what the parts are called, each once.
func (l *ladder) names(of func(part) string) string {
	var all []string
	seen := map[string]bool{}
	for _, p := range l.parts {
		if name := of(p); !seen[name] {
			seen[name] = true
			all = append(all, name)
		}
	}
	return strings.Join(all, " + ")
}

// perRound is how many requests a round of the level sends at most; 0 where a
// duration bounds it.
func (s *step) perRound() int {
	if s.Schedule != nil {
		return s.Requests * max(s.Turns, 1)
	}
	return s.Requests
}

// part picks the one that a position of the level belongs to, by seed.
func (l *ladder) part(seed uint64, position int) *part {
	if len(l.parts) == 1 {
		return &l.parts[0]
	}
	sum := 0.0
	for _, p := range l.parts {
		sum += p.weight
	}
	at := chance(seed, drawPart, position) * sum
	for i := range l.parts {
		if at -= l.parts[i].weight; at < 0 {
			return &l.parts[i]
		}
	}
	return &l.parts[len(l.parts)-1]
}

// What is drawn by chance for a request, each from a stream of its own.
const (
	drawPart uint64 = iota + 1
	drawLeave
)

// chance is a number in [0, 1) that follows from its arguments alone.
func chance(seed, what uint64, position int) float64 {
	pcg := rand.NewPCG(seed^what<<32, uint64(position))
	pcg.Uint64() // neighbours differ from the second on
	return float64(pcg.Uint64()>>11) / (1 << 53)
}

// requests is how many a closed level sends in a round; 0 where a duration
// bounds it.
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
