package plan

import (
	"maps"
	"slices"
	"strings"

	"tidemark/load/arrival"
	"tidemark/text"
)

// What the values of the load may be.

const (
	maxConcurrency = 100_000
	maxTurns       = 1000
	maxPrefix      = 1_000_000 // tokens
	maxCV          = 10
	minScale       = 0.001
	maxScale       = 1000
)

// atLeastOne refuses a list of nothing, which would mean what no list means.
func atLeastOne(length func(*Plan) int, hint text.Message) func(*Plan) *trouble {
	return func(p *Plan) *trouble {
		if length(p) == 0 {
			return wrong(text.Msg("plan.no_level"), hint)
		}
		return nil
	}
}

// checkSteps holds levels that are numbers of something at a time.
func checkSteps(field func(*Plan) []int, hint text.Message) func(*Plan) *trouble {
	return func(p *Plan) *trouble {
		for i, n := range field(p) {
			if n < 1 || n > maxConcurrency {
				return wrong(text.Msg("plan.range", n, 1, maxConcurrency), hint)
			}
			if slices.Contains(field(p)[:i], n) {
				return wrong(text.Msg("plan.level_twice", n), text.Msg("plan.level_twice.hint"))
			}
		}
		return nil
	}
}

func checkPaces(field func(*Plan) []arrival.Pace) func(*Plan) *trouble {
	return func(p *Plan) *trouble {
		for i, pace := range field(p) {
			if slices.ContainsFunc(field(p)[:i], func(q arrival.Pace) bool { return q.Text == pace.Text }) {
				return wrong(text.Msg("plan.twice", shortened(pace.Text)), text.Msg("plan.level_twice.hint"))
			}
		}
		return nil
	}
}

func checkArrival(p *Plan) *trouble {
	var names []string
	for _, l := range arrival.Laws() {
		names = append(names, string(l))
	}
	return unknownName(text.Msg("arrival.law", shortened(string(p.Arrival))), string(p.Arrival), names)
}

func checkCV(p *Plan) *trouble {
	if !(p.CV > 0 && p.CV <= maxCV) {
		return wrong(text.Msg("plan.above_zero", p.CV, maxCV), text.Msg("plan.cv.hint"))
	}
	return nil
}

func checkScale(p *Plan) *trouble {
	if !(p.TraceScale >= minScale && p.TraceScale <= maxScale) {
		return wrong(text.Msg("plan.between", p.TraceScale, minScale, maxScale), text.Msg("plan.scale.hint"))
	}
	return nil
}

func checkCancelPercent(p *Plan) *trouble {
	if !(p.CancelPercent >= 0 && p.CancelPercent <= 100) {
		return wrong(text.Msg("plan.between", p.CancelPercent, 0, 100), text.Msg("plan.cancel_percent.hint"))
	}
	return nil
}

func checkMaxErrorPercent(p *Plan) *trouble {
	if p.MaxErrorPercent == 0 {
		return nil
	}
	return statedErrorPercent(p)
}

// statedErrorPercent refuses zero too: it reads as "no error at all", and is
// what a plan without a limit has.
func statedErrorPercent(p *Plan) *trouble {
	if !(p.MaxErrorPercent > 0 && p.MaxErrorPercent <= 100) {
		return wrong(text.Msg("plan.above_zero", p.MaxErrorPercent, 100), text.Msg("plan.max_error_percent.hint"))
	}
	return nil
}

func checkTurns(p *Plan) *trouble {
	if p.Turns == 0 {
		return nil
	}
	return statedTurns(p)
}

func statedTurns(p *Plan) *trouble { return within(p.Turns, 1, maxTurns, text.Msg("plan.turns.hint")) }

func checkMaxInFlight(p *Plan) *trouble {
	return within(p.MaxInFlight, 0, maxConcurrency, text.Msg("plan.max_in_flight.hint"))
}

func checkPrefix(field func(*Plan) int) func(*Plan) *trouble {
	return func(p *Plan) *trouble { return within(field(p), 0, maxPrefix, text.Msg("plan.prefix_tokens.hint")) }
}

func within(n, least, most int, hint text.Message) *trouble {
	if n < least || n > most {
		return wrong(text.Msg("plan.range", n, least, most), hint)
	}
	return nil
}

func checkMix(p *Plan) *trouble {
	for name := range p.Mix {
		if strings.TrimSpace(name) == "" {
			return wrong(text.Msg("plan.mix.name"), text.Msg("plan.share.hint"))
		}
	}
	return nil
}

// traceColumns are what a trace's columns are for.
var traceColumns = []string{"time", "input", "output", "blocks", "session"}

func checkTraceColumns(p *Plan) *trouble {
	for _, name := range slices.Sorted(maps.Keys(p.TraceColumns)) {
		if t := unknownName(text.Msg("plan.trace_column", shortened(name)), name, traceColumns); t != nil {
			return t
		}
		if p.TraceColumns[name] == "" {
			return wrong(text.Msg("plan.trace_column.empty", name), text.Msg("plan.trace_column.hint", name))
		}
	}
	return nil
}
