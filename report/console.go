package report

import (
	"maps"
	"slices"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
)

// consoleTally counts what went over the wire, in every phase, each try for
// itself: a provider counts so.
type consoleTally struct {
	models        map[string]string // by target
	seen          map[string]bool
	requests      int
	failed        int
	preflight     int
	warmUp        int
	without       int
	input, output sum
	from, to      record.Offset
}

func newConsoleTally(models map[string]string) consoleTally {
	return consoleTally{models: models, seen: map[string]bool{}}
}

func (c *consoleTally) add(a *record.Attempt) {
	if a.Sent == 0 {
		return
	}
	c.requests++
	if a.Outcome.Side() == outcome.Failure {
		c.failed++
	}
	switch a.Phase {
	case record.Preflight:
		c.preflight++
	case record.WarmUp:
		c.warmUp++
	}
	c.input.add(a.Tokens.Input)
	c.output.add(a.Tokens.Output)
	if mayCost(a) {
		c.without++
	}
	if model := c.models[a.Target]; model != "" {
		c.seen[model] = true
	} else if a.ServedModel != "" {
		c.seen[a.ServedModel] = true
	}
	if c.from == 0 || a.Sent < c.from {
		c.from = a.Sent
	}
	c.to = max(c.to, a.Sent, a.End)
}

// mayCost reports whether an attempt without a count may be on the bill
// nevertheless: it was not refused, and it reached the endpoint.
func mayCost(a *record.Attempt) bool {
	refused := a.HTTPStatus != 0 && a.HTTPStatus/100 != 2
	return !a.Tokens.Output.Known() && !refused && a.Outcome.Side() != outcome.Client
}

func (c *consoleTally) console(epoch time.Time) Console {
	out := Console{
		Requests: c.requests, Failed: c.failed, Preflight: c.preflight, WarmUp: c.warmUp,
		InputTokens: c.input.value(), OutputTokens: c.output.value(), WithoutCount: c.without,
		Models: slices.AppendSeq([]string{}, maps.Keys(c.seen)),
	}
	slices.Sort(out.Models)
	if c.requests > 0 && !epoch.IsZero() {
		from, to := epoch.Add(time.Duration(c.from)), epoch.Add(time.Duration(c.to))
		out.From, out.To = &from, &to
	}
	return out
}
