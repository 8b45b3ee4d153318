package run

import (
	"tidemark/load/arrival"
	"tidemark/record"
	"tidemark/text"
)

// scheduleBins is in how many equal parts a schedule is drawn.
const scheduleBins = 60

// schedule fills in what an open-loop level will send, and when. Where the
// pace counts tokens each request weighs what its prompt and its answer may
// be, so it needs to know which prompts the level asks for.
func (s *step) schedule(c Config) error {
	o := s.offer
	sum, err := arrival.Summarize(s.arrivals(c), scheduleBins)
	if err != nil {
		return err
	}
	if sum.Requests == 0 {
		return text.Wrong(text.Msg("arrival.none", o.Pace.Text, o.Pace.Length()), text.Msg("arrival.none.hint"))
	}
	s.Requests, s.Duration, s.Bins = sum.Requests, sum.Length, sum.Bins
	s.Schedule = &record.Schedule{
		Name: o.Pace.Text, Arrival: string(o.Law), TokenPace: o.Tokens,
		Requests: sum.Requests, LengthS: sum.Length.Seconds(),
		InputTokens: sum.Input, OutputTokens: sum.Output, SHA256: sum.SHA256,
	}
	switch {
	case o.Trace != nil:
		s.Schedule.Name, s.Schedule.Arrival = o.Trace.Name(), "trace"
		s.Schedule.Trace, s.Schedule.Scale = o.Trace.Name(), o.Trace.Scale
	default:
		s.Schedule.Seed = o.Seed
		if o.Law == arrival.Gamma {
			s.Schedule.CV = o.CV
		}
	}
	s.height = s.rate()
	return nil
}

// rate is how many first requests a second are due, over the whole schedule.
func (s *step) rate() float64 {
	if s.Duration <= 0 {
		return 0
	}
	return float64(s.Requests) / s.Duration.Seconds()
}

// arrivals is the level's schedule, the same in every round.
func (s *step) arrivals(c Config) arrival.Schedule {
	if s.offer.Trace != nil {
		return s.offer.Trace
	}
	paced := s.offer.Paced
	if s.offer.Tokens {
		paced.Weight = func(i int) float64 {
			at := s.offset + i*max(s.Turns, 1)
			p := s.part(c.Seed, at)
			return float64(c.inputTokens(p.order.At(at)) + max(c.Ask.MaxTokens, 1))
		}
	}
	return &paced
}

// load is what a level's record says it asks for.
func (s *step) load(c Config) *record.Load {
	l := &record.Load{
		Kind: record.Closed, Concurrency: s.Concurrency, Requests: s.Requests, DurationS: s.Duration.Seconds(),
		CancelPercent: c.Cancel.Percent,
	}
	if s.Schedule != nil {
		l.Kind, l.Schedule, l.RatePerS, l.MaxInFlight = record.Open, s.Schedule, s.rate(), c.MaxInFlight
	}
	if s.Turns > 1 {
		l.Turns, l.ThinkS = s.Turns, c.Session.Think.Seconds()
	}
	if len(s.parts) > 1 {
		for _, p := range s.parts {
			l.Mix = append(l.Mix, record.Share{Target: p.target.Name, Workload: p.group.Name, Weight: p.weight})
		}
	}
	return l
}
