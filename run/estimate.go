package run

import (
	"time"

	"tidemark/record"
)

// Learned is what one request told before the load. Zero is not known.
type Learned struct {
	Overhead   int64         // input tokens that a request has beyond those of its texts
	TTFT, TPOT time.Duration // of an answer alone on the endpoint
	E2E        time.Duration // the same, whole, however long it was
}

// answer is how long one answer takes at its full length, alone.
func (l Learned) answer(maxTokens int) time.Duration {
	if l.TPOT > 0 && maxTokens > 1 {
		return l.TTFT + time.Duration(maxTokens-1)*l.TPOT
	}
	return l.E2E
}

// Estimate is what a run will send: all rounds, warm-ups included. Input is
// estimated from the prompts' characters, with what a session's turn carries of
// those before it, or what a trace asks for. Output is at most that much, and absent where the plan sets no limit. The duration takes each
// answer at its full length and as quick under load as it was alone, so a
// loaded endpoint takes longer; it is absent where nothing was learned. The
// requests of closed levels that a duration bounds are of the same kind.
func Estimate(c Config, l Learned) (record.Estimate, error) {
	each := l.answer(c.Ask.MaxTokens)
	var e record.Estimate
	var took time.Duration
	inputs := map[*ladder]float64{} // of a ladder's requests, each, on the average
	steps, err := ladders(c)
	for _, s := range steps {
		if _, known := inputs[s.ladder]; !known {
			own := s.inputTokens(c)
			// A turn carries what was said before it: half of the others', on the
			// average.
			before := float64(max(s.Turns-1, 0)) / 2 * (own + float64(c.Ask.MaxTokens))
			inputs[s.ladder] = own + before + float64(l.Overhead)
		}
		n := s.perRound()
		if n == 0 {
			n = s.Concurrency * turns(s.Duration, each)
		}
		e.Requests += n + s.WarmUp
		e.InputTokens += int(float64(n+s.WarmUp) * inputs[s.ladder])
		e.OutputTokens += (n + s.WarmUp) * c.Ask.MaxTokens
		if s.Schedule != nil && s.Schedule.InputTokens > 0 {
			e.InputTokens += int(s.Schedule.InputTokens) - int(float64(n)*inputs[s.ladder]) + n*int(l.Overhead)
		}
		if s.Schedule != nil && s.Schedule.OutputTokens > 0 {
			e.OutputTokens += int(s.Schedule.OutputTokens) - n*c.Ask.MaxTokens
		}
		took += s.lasts(c, n, each) + time.Duration(ceil(s.WarmUp, max(s.Concurrency, openWarm)))*each
	}
	rounds := max(c.Rounds, 1)
	e.Requests *= rounds
	e.InputTokens *= rounds
	e.OutputTokens *= rounds
	e.DurationS = took.Seconds() * float64(rounds)
	return e, err
}

// lasts is how long a level of n requests takes where each takes so long.
func (s *step) lasts(c Config, n int, each time.Duration) time.Duration {
	session := each*time.Duration(max(s.Turns, 1)) + c.Session.Think*time.Duration(max(s.Turns-1, 0))
	switch {
	case s.Schedule != nil:
		return s.Duration + session
	case s.Duration > 0 && s.Requests == 0:
		return s.Duration
	case s.Turns > 1 && each > 0:
		return time.Duration(ceil(n, s.Concurrency*s.Turns)) * session
	}
	loaded := time.Duration(ceil(n, s.Concurrency)) * each
	if s.Duration > 0 {
		return min(loaded, s.Duration)
	}
	return loaded
}

// inputTokens is the mean of a ladder's requests, estimated from their texts.
func (l *ladder) inputTokens(c Config) float64 {
	mean, weights := 0.0, 0.0
	for _, p := range l.parts {
		sum := 0
		for _, ask := range p.group.Prompts {
			sum += c.inputTokens(ask) + c.Session.PrefixTokens
		}
		mean += p.weight * float64(sum) / float64(len(p.group.Prompts))
		weights += p.weight
	}
	return mean / weights
}

// turns is how many answers one slot begins in d.
func turns(d, each time.Duration) int {
	if each <= 0 {
		return 1
	}
	return int((d + each - 1) / each)
}

func ceil(n, by int) int { return (n + by - 1) / by }
