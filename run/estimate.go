package run

import (
	"time"

	"tidemark/load/prompt"
	"tidemark/load/token"
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
// estimated from the prompts' characters. Output is at most that much, and absent where the plan sets no limit. The duration
// takes each answer at its full length and as quick under load as it was
// alone, so a loaded endpoint takes longer; it is absent where nothing was
// learned. The requests of levels that a duration bounds are of the same kind.
func Estimate(c Config, l Learned) record.Estimate {
	each := l.answer(c.Ask.MaxTokens)
	var e record.Estimate
	var took time.Duration
	inputs := map[string]float64{} // of a group's requests, each, on the average
	for _, s := range ladders(c) {
		if _, known := inputs[s.group.Name]; !known {
			inputs[s.group.Name] = inputTokens(c, s.group) + float64(l.Overhead)
		}
		n := s.Requests
		if n == 0 {
			n = s.Concurrency * turns(s.Duration, each)
		}
		e.Requests += n + s.WarmUp
		e.InputTokens += int(float64(n+s.WarmUp) * inputs[s.group.Name])
		loaded := time.Duration(ceil(n, s.Concurrency)) * each
		if s.Duration > 0 && (s.Requests == 0 || s.Duration < loaded) {
			loaded = s.Duration
		}
		took += loaded + time.Duration(ceil(s.WarmUp, s.Concurrency))*each
	}
	rounds := max(c.Rounds, 1)
	e.Requests *= rounds
	e.InputTokens *= rounds
	e.OutputTokens = e.Requests * c.Ask.MaxTokens
	e.DurationS = took.Seconds() * float64(rounds)
	return e
}

// inputTokens is the mean of a group's requests, estimated from their texts.
func inputTokens(c Config, g prompt.Group) float64 {
	nonce := ""
	if c.Unique {
		nonce = prompt.Nonce(c.RunID, 1, string(record.Measured), 1)
	}
	sum := 0
	for _, p := range g.Prompts {
		for _, m := range p.Ask(c.System, nonce) {
			sum += token.Estimate(m.Text) + token.Estimate(string(m.Raw))
		}
	}
	return float64(sum) / float64(len(g.Prompts))
}

// turns is how many answers one slot begins in d.
func turns(d, each time.Duration) int {
	if each <= 0 {
		return 1
	}
	return int((d + each - 1) / each)
}

func ceil(n, by int) int { return (n + by - 1) / by }
