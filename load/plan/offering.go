package plan

import (
	"slices"

	"tidemark/load/arrival"
	"tidemark/text"
)

// offering refuses keys of the load that don't go together.
func (p *Plan) offering() *trouble {
	for _, check := range []func() *trouble{p.oneLadder, p.inVain, p.oneLength} {
		if t := check(); t != nil {
			return t
		}
	}
	return nil
}

func (p *Plan) oneLadder() *trouble {
	first := ""
	for _, l := range p.ladders() {
		switch {
		case !l.given:
		case first == "":
			first = l.key
		case first == "sessions" && l.key != "trace":
			return wrong(text.Msg("plan.both", first, l.key), text.Msg("plan.sessions_rate.hint"))
		default:
			return wrong(text.Msg("plan.both", first, l.key), text.Msg("plan.both_ladders.hint"))
		}
	}
	return nil
}

// need is a key that means nothing without another.
type need struct {
	given  bool
	key    string
	useful bool
	needs  string
	hint   text.Message // none: give the other, or leave this out
}

func (p *Plan) needs() []need {
	of := text.Msg
	talks, cancelled := p.SessionTurns() > 1, p.CancelAfter != Leave{}
	all := []need{
		{p.Arrival != arrival.Poisson, "arrival", p.paced(), "rate", text.Message{}},
		{p.CV != 1, "cv", p.Arrival == arrival.Gamma, "arrival: gamma", text.Message{}},
		{p.TraceScale != 1, "scale", p.Trace != "", "trace", text.Message{}},
		{p.Slice != Slice{}, "slice", p.Trace != "", "trace", text.Message{}},
		{len(p.TraceColumns) > 0, "trace_columns", p.Trace != "", "trace", text.Message{}},
		{p.MaxInFlight > 0, "max_in_flight", p.Open(), "rate", of("plan.closed_cap.hint")},
		{p.Turns > 1, "turns", len(p.Sessions) > 0 || p.paced(), "sessions", of("plan.turns_of.hint")},
		{p.Think > 0, "think", talks, "turns", of("plan.one_turn.hint", "think")},
		{p.UserPrefixTokens > 0, "user_prefix_tokens", talks, "turns", of("plan.one_turn.hint", "user_prefix_tokens")},
		{p.CancelPercent > 0, "cancel_percent", cancelled, "cancel_after", text.Message{}},
		{cancelled, "cancel_after", p.CancelPercent > 0, "cancel_percent", text.Message{}},
		{p.CancelAfter.Frames > 0, "cancel_after", p.Stream, "stream", of("plan.whole_answers.hint")},
	}
	if p.Trace == "" {
		return all
	}
	// A recording says all of this itself.
	return append([]need{
		{p.Arrival != arrival.Poisson, "arrival", false, "rate", of("plan.trace_arrival.hint", "arrival")},
		{p.CV != 1, "cv", false, "rate", of("plan.trace_arrival.hint", "cv")},
		{p.Turns > 1, "turns", false, "sessions", of("plan.trace_turns.hint")},
		{p.PrefixTokens > 0, "prefix_tokens", false, "concurrency", of("plan.trace_prefix.hint")},
	}, all...)
}

// inVain refuses what would be read and then not heeded.
func (p *Plan) inVain() *trouble {
	for _, n := range p.needs() {
		if !n.given || n.useful {
			continue
		}
		if n.hint.ID == "" {
			n.hint = text.Msg("plan.needs.hint", n.needs, n.key)
		}
		return wrong(text.Msg("plan.needs", n.key, n.needs), n.hint)
	}
	return nil
}

// oneLength refuses a duration beside what is as long as it is.
func (p *Plan) oneLength() *trouble {
	if p.Duration == 0 {
		return nil
	}
	if p.Trace != "" {
		return wrong(text.Msg("plan.both", "trace", "duration"), text.Msg("plan.trace_duration.hint"))
	}
	for _, pace := range slices.Concat(p.Rates, p.TokenRates) {
		if !pace.Endless() {
			return wrong(text.Msg("plan.pace_duration", shortened(pace.Text)), text.Msg("plan.pace_duration.hint"))
		}
	}
	return nil
}
