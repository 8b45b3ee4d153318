package main

import (
	"math"
	"slices"
	"strings"
	"time"

	"tidemark/load/arrival"
	"tidemark/load/plan"
	"tidemark/load/prompt"
	"tidemark/load/trace"
	"tidemark/record"
	"tidemark/run"
	"tidemark/text"
)

// offers is what the plan's open-loop levels offer. It refuses, before
// anything is sent, what can't be a level.
func offers(p *plan.Plan) ([]run.Offer, error) {
	if p.Trace != "" {
		t, err := trace.Open(p.Trace, trace.Options{
			Scale: p.TraceScale, From: p.Slice.From, To: p.Slice.To, Requests: p.Requests, Columns: p.TraceColumns,
		})
		if err != nil {
			return nil, err
		}
		return []run.Offer{{Trace: t}}, nil
	}
	var all []run.Offer
	for _, paces := range []struct {
		of     []arrival.Pace
		tokens bool
	}{{p.Rates, false}, {p.TokenRates, true}} {
		for _, pace := range paces.of {
			paced := arrival.Paced{Law: p.Arrival, CV: p.CV, Pace: pace, Seed: p.Seed, Requests: p.Requests}
			// A last step without a length takes what is left of a duration that
			// was given; of the default one nothing may be left.
			if d := p.LevelDuration(); d > 0 && (p.Duration > 0 || len(pace.Segments) == 1) {
				if paced.Pace = pace.Within(d); paced.Pace.Endless() {
					return nil, text.Wrong(text.Msg("arrival.late", pace.Text, d), text.Msg("arrival.late.hint"))
				}
			}
			if paces.tokens { // at least so many each; run weighs the prompts too
				paced.Weight = func(int) float64 { return float64(max(p.MaxTokens, 1)) }
			}
			if err := paced.Check(); err != nil {
				return nil, err
			}
			all = append(all, run.Offer{Paced: paced, Tokens: paces.tokens})
		}
	}
	return all, nil
}

// mix gives each target and workload its share of every level. A name of the
// plan is a workload, a model, or both with a slash between; what it names
// shares its share evenly.
func mix(shares map[string]float64, targets []run.Target, groups []prompt.Group) ([]record.Share, error) {
	if len(shares) == 0 {
		return nil, nil
	}
	var all []record.Share
	used := map[string]int{}
	matches := func(name string, t run.Target, g prompt.Group) bool {
		return name == g.Name || name == t.Name || name == t.Name+"/"+g.Name
	}
	for _, t := range targets {
		for _, g := range groups {
			all = append(all, record.Share{Target: t.Name, Workload: g.Name})
			for name := range shares {
				if matches(name, t, g) {
					used[name]++
				}
			}
		}
	}
	for name, share := range shares {
		if used[name] == 0 {
			return nil, wrong(text.Msg("cli.mix", name), text.Msg("cli.mix.hint", mixNames(targets, groups)))
		}
		i := 0
		for _, t := range targets {
			for _, g := range groups {
				if matches(name, t, g) {
					all[i].Weight += share / float64(used[name])
				}
				i++
			}
		}
	}
	return slices.DeleteFunc(all, func(s record.Share) bool { return s.Weight == 0 }), nil
}

func mixNames(targets []run.Target, groups []prompt.Group) string {
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	for _, g := range groups {
		names = append(names, g.Name)
	}
	return strings.Join(names, " ")
}

// height is how many requests a level may have in flight at most, judged by
// how long one answer took.
func height(l run.Level, each time.Duration) int {
	if l.Schedule == nil {
		return l.Concurrency
	}
	if len(l.Bins) == 0 || l.Duration <= 0 {
		return 1
	}
	perS := float64(slices.Max(l.Bins)) / (l.Duration.Seconds() / float64(len(l.Bins)))
	n := perS * each.Seconds()
	return min(int(math.Ceil(n+3*math.Sqrt(n)+1)), l.Requests*max(l.Turns, 1))
}

// capped says which level needs more in flight than the plan's cap lets
// through, if any does.
func capped(levels []run.Level, most int, each time.Duration) (l run.Level, need int, ok bool) {
	for _, l := range levels {
		if n := float64(l.Requests) / l.Duration.Seconds() * each.Seconds(); l.Schedule != nil && most > 0 && n > float64(most) {
			return l, int(math.Ceil(n)), true
		}
	}
	return run.Level{}, 0, false
}
