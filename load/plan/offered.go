package plan

import (
	"time"

	"tidemark/load/arrival"
)

// What a plan offers where it doesn't say so itself.

const (
	defaultTurns    = 8                // of a session
	defaultDuration = 30 * time.Second // of an open-loop level
)

// defaultLadder is climbed where a plan names no ladder.
func defaultLadder() []int { return []int{1, 8, 32} }

// Ladder is the closed loop's levels, by default 1, 8, 32; nil where the plan
// offers load another way.
func (p *Plan) Ladder() []int {
	for _, l := range p.ladders() {
		if l.given {
			return p.Concurrency
		}
	}
	return defaultLadder()
}

// ladder is a key of which a plan has one.
type ladder struct {
	key   string
	given bool
}

func (p *Plan) ladders() []ladder {
	return []ladder{
		{"concurrency", len(p.Concurrency) > 0},
		{"sessions", len(p.Sessions) > 0},
		{"rate", len(p.Rates) > 0},
		{"token_rate", len(p.TokenRates) > 0},
		{"trace", p.Trace != ""},
	}
}

// Open reports whether requests leave when they are due, whatever is in flight.
func (p *Plan) Open() bool { return p.paced() || p.Trace != "" }

// paced reports whether what is due is drawn by a law at a rate.
func (p *Plan) paced() bool { return len(p.Rates)+len(p.TokenRates) > 0 }

// SessionTurns is how many turns a conversation has; 1: requests are none.
func (p *Plan) SessionTurns() int {
	switch {
	case p.Turns > 0:
		return p.Turns
	case len(p.Sessions) > 0:
		return defaultTurns
	}
	return 1
}

// LevelDuration is how long a rate without a length of its own is offered; 0:
// a number of requests ends it.
func (p *Plan) LevelDuration() time.Duration {
	if p.Duration == 0 && p.Requests == 0 {
		return defaultDuration
	}
	return p.Duration
}

// idle reports whether a key's default means nothing in this plan, so that a
// saved plan does not show it.
func (p *Plan) idle(key string) bool {
	switch key {
	case "arrival":
		return !p.paced()
	case "cv":
		return !p.paced() || p.Arrival != arrival.Gamma
	case "scale":
		return p.Trace == ""
	}
	return false
}
