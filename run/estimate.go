package run

import (
	"time"

	"tidemark/record"
)

// Learned is what one request told before the load. Zero is not known.
type Learned struct {
	InputTokens int64         // of one request
	TTFT, TPOT  time.Duration // of an answer alone on the endpoint
	E2E         time.Duration // the same, whole, however long it was
}

// answer is how long one answer takes at its full length, alone.
func (l Learned) answer(maxTokens int) time.Duration {
	if l.TPOT > 0 && maxTokens > 1 {
		return l.TTFT + time.Duration(maxTokens-1)*l.TPOT
	}
	return l.E2E
}

// Estimate is what a run will send: all rounds, warm-ups included. Output is
// at most that much, and absent where the plan sets no limit. The duration
// takes each answer at its full length and as quick under load as it was
// alone, so a loaded endpoint takes longer; it is absent where nothing was
// learned. The requests of levels that a duration bounds are of the same kind.
func Estimate(c Config, l Learned) record.Estimate {
	each := l.answer(c.Ask.MaxTokens)
	var e record.Estimate
	var took time.Duration
	for _, s := range Levels(c) {
		n := s.Requests
		if n == 0 {
			n = s.Concurrency * turns(s.Duration, each)
		}
		e.Requests += n + s.WarmUp
		loaded := time.Duration(ceil(n, s.Concurrency)) * each
		if s.Duration > 0 && (s.Requests == 0 || s.Duration < loaded) {
			loaded = s.Duration
		}
		took += loaded + time.Duration(ceil(s.WarmUp, s.Concurrency))*each
	}
	rounds := max(c.Rounds, 1)
	e.Requests *= rounds
	e.InputTokens = e.Requests * int(l.InputTokens)
	e.OutputTokens = e.Requests * c.Ask.MaxTokens
	e.DurationS = took.Seconds() * float64(rounds)
	return e
}

// turns is how many answers one slot begins in d.
func turns(d, each time.Duration) int {
	if each <= 0 {
		return 1
	}
	return int((d + each - 1) / each)
}

func ceil(n, by int) int { return (n + by - 1) / by }
