// Package arrival answers when each request of an open-loop level is due. It
// is pure arithmetic from a seed, computed before anything is sent, and the
// same to the nanosecond on every machine. It knows no clock, no prompt and
// no network.
//
// A schedule is made in two steps. A law gives gaps of mean 1, seeded: how
// irregular arrivals are. A pace says how many requests (or tokens) a second
// are offered at each moment. Request i is due at the moment by which the pace
// has offered the sum of the first gaps, so that ramps and steps keep the law:
// seen on the pace's own clock, the gaps are still the law's.
package arrival

import (
	"iter"
	"slices"
	"strings"
	"time"

	"tidemark/text"
)

// Request is one request of a schedule. Zero lengths are not said.
type Request struct {
	Due           time.Duration // since the level's start; never before the one before it
	Input, Output int           // tokens asked for
	// Blocks are the prompt's blocks by id, in order: equal ids are equal text,
	// so that prompts that begin with the same ids share a prefix. Nil: none
	// are known. It is valid until the next request.
	Blocks []int64
	// Session names the conversation that the request is of; "": none.
	Session string
}

// Schedule is the requests of one level, in the order they are due. All may be
// called again and gives the same; a schedule read from a file may fail on the
// way, and ends there. What it gives need not fit into memory at once.
type Schedule interface {
	All() iter.Seq2[Request, error]
}

// Law is how irregular arrivals are.
type Law string

const (
	Constant Law = "constant" // all gaps alike
	Poisson  Law = "poisson"  // exponential gaps: independent users
	Gamma    Law = "gamma"    // gamma gaps of a given coefficient of variation
)

// Laws lists every law.
func Laws() []Law { return []Law{Constant, Poisson, Gamma} }

// Paced is a schedule by a law and a pace.
type Paced struct {
	Law Law
	// CV is the coefficient of variation of gamma gaps (standard deviation /
	// mean): 1 is Poisson, below is more regular, above comes in bursts. The
	// shape that other tools call burstiness is 1/CV². Unused by other laws.
	CV   float64
	Pace Pace
	Seed uint64
	// Requests bounds the schedule; 0: the pace's own length does. A pace
	// without a length needs it.
	Requests int
	// Weight is what request i (from 0) takes of the pace; nil: 1 each. With
	// a pace in tokens it is the request's tokens.
	Weight func(i int) float64
}

const (
	mostCV  = 10    // the wildest bursts: beyond, nearly all requests come at once
	leastCV = 0.001 // as good as constant: below, the law's shape is too large to calculate with
)

// Check refuses a schedule that can't be one, before anything is sent: one
// without an end or whose end is days away, an unknown law, a pace that is
// over before it has offered a request, or before the first is due. An error
// is a *text.Fault.
func (p *Paced) Check() error {
	switch {
	case !slices.Contains(Laws(), p.Law):
		return text.Wrong(text.Msg("arrival.law", string(p.Law)), text.Msg("arrival.law.hint", strings.Join(names(), ", ")))
	case p.Law == Gamma && !(p.CV >= leastCV && p.CV <= mostCV):
		return text.Wrong(text.Msg("arrival.cv", p.CV), text.Msg("arrival.cv.hint", leastCV, mostCV))
	case len(p.Pace.Segments) == 0:
		return text.Wrong(text.Msg("arrival.zero", p.Pace.Text), text.Msg("arrival.hint"))
	case p.Pace.Endless() && p.Requests <= 0:
		return text.Wrong(text.Msg("arrival.endless", p.Pace.Text), text.Msg("arrival.endless.hint"))
	case p.Pace.Endless() && p.Pace.last().From != p.Pace.last().To:
		return text.Wrong(text.Msg("arrival.ramp", p.Pace.Text), text.Msg("arrival.ramp.hint"))
	}
	if err := p.checkSize(); err != nil {
		return err
	}
	for range p.All() {
		return nil
	}
	return text.Wrong(text.Msg("arrival.none", p.Pace.Text, p.Pace.Length()), text.Msg("arrival.none.hint"))
}

// mostRequests bounds a level: it is read through before it is sent.
const mostRequests = 20_000_000

// rounding is by how much one request on paper may be less when calculated.
const rounding = 1e-9

// checkSize refuses what is too little, too much or too slow for a level, all
// requests taken to weigh what the first does.
func (p *Paced) checkSize() error {
	n := p.Pace.Offered() / p.weight(0)
	if n+rounding < 1 {
		return text.Wrong(text.Msg("arrival.short", p.Pace.Text, p.Pace.Length()), text.Msg("arrival.none.hint"))
	}
	if p.Requests > 0 {
		n = min(n, float64(p.Requests))
	}
	if n > mostRequests {
		return text.Wrong(text.Msg("arrival.too_many", p.Pace.Text, n), text.Msg("arrival.too_many.hint", mostRequests))
	}
	if !p.Pace.Endless() {
		return nil
	}
	if t, ok := (&clock{pace: p.Pace}).at(n * p.weight(0)); !ok || t > longest {
		return text.Wrong(text.Msg("arrival.too_slow", p.Pace.Text, p.Requests, int(longest.Hours())), text.Msg("arrival.too_slow.hint"))
	}
	return nil
}

func names() (all []string) {
	for _, l := range Laws() {
		all = append(all, string(l))
	}
	return all
}

// All gives the requests one after the other. A weight below a millionth is
// taken as that. A schedule ends where a request would be due in centuries.
// One that Check refuses may be empty, or have a CV that can't be drawn: the
// caller checks first.
func (p *Paced) All() iter.Seq2[Request, error] {
	return func(yield func(Request, error) bool) {
		if p.Pace.Endless() && p.Requests <= 0 {
			return
		}
		gap, now := p.gaps(), clock{pace: p.Pace}
		amount := 0.0
		for i := 0; p.Requests <= 0 || i < p.Requests; i++ {
			step := float64(gap() * p.weight(i))
			// Regular arrivals begin with a request, irregular ones with a gap.
			if p.Law != Constant {
				amount += step
			}
			due, ok := now.at(amount)
			if !ok || !yield(Request{Due: due}, nil) {
				return
			}
			if p.Law == Constant {
				amount += step
			}
		}
	}
}

func (p *Paced) weight(i int) float64 {
	if p.Weight == nil {
		return 1
	}
	return max(p.Weight(i), 1e-6)
}
