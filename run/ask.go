package run

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"tidemark/load/arrival"
	"tidemark/load/prompt"
	"tidemark/load/token"
	"tidemark/record"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// errand is one request on its way: what to send, what is known of it, and
// what is done with its answer.
type errand struct {
	target  *Target
	call    dialect.Call
	refusal error // it can't be put into the API's words
	attempt *record.Attempt
	keep    bool // the answer goes into the record
	leave   wire.Leave
	talk    *talk // nil: no conversation
}

// talk is a conversation under way.
type talk struct {
	*prompt.Talk
	number int // of the session, from 1
	turn   int // that was asked last
	part   *part
}

// errand begins one: the number-th request of the stage, for a part.
func (st *stage) errand(p *part, number int) *errand {
	e := &errand{target: p.target, attempt: &record.Attempt{
		Level: st.step.Number, Round: st.round, Phase: st.phase, Number: number, Try: 1,
		Target: p.target.Name, Workload: p.group.Name,
	}}
	if st.phase == record.Measured && chance(st.r.c.Seed, drawLeave, st.position(number)) < st.r.c.Cancel.Percent/100 {
		e.leave = st.r.c.Cancel.Leave
	}
	return e
}

// single prepares a request that is no conversation's, before its clock
// starts: its prompt, its nonce, its bytes.
func (st *stage) single(number int) *errand {
	c := &st.r.c
	at := st.position(number)
	part := st.step.part(c.Seed, at)
	p := part.order.At(at)
	e := st.errand(part, number)
	e.attempt.Prompt = p.ID
	// Counted over all levels and targets: no two requests of a run share a nonce.
	nonce := st.nonce(st.r.asked + number)
	if c.PrefixTokens > 0 {
		e.encode(c, p, p.Ask(st.shared()+nonce+c.System, ""))
	} else {
		e.encode(c, p, p.Ask(c.System, nonce))
	}
	return e
}

// blockTokens is how many tokens a block of a trace is where nothing is said.
const blockTokens = 512

// recorded prepares a request of a trace: a text of the length that was
// recorded. Blocks and sessions share what they shared then, so that only a
// front which all requests of the round have keeps older runs' caches out.
func (st *stage) recorded(number int, r arrival.Request) *errand {
	c := &st.r.c
	part := st.step.part(c.Seed, st.position(number))
	e := st.errand(part, number)
	a := e.attempt
	a.Prompt, a.InputAsked, a.OutputAsked = "trace/"+strconv.Itoa(number), r.Input, r.Output
	var text string
	front := st.front()
	tokens := max(r.Input-token.Estimate(front), 1)
	switch {
	case r.Blocks != nil:
		own := fmt.Sprint("request ", st.round, " ", number)
		text = front + prompt.Blocks(c.Seed, r.Blocks, cmp.Or(st.step.offer.Trace.BlockTokens, blockTokens), tokens, own)
	case r.Session != "":
		a.Session, a.Turn = st.sessions.of(r.Session)
		text = front + prompt.Filler(c.Seed, "session "+r.Session, tokens)
	default:
		text = st.nonce(st.r.asked+number) + prompt.Filler(c.Seed, "request "+strconv.Itoa(number), tokens)
	}
	ask := *c
	if r.Output > 0 {
		ask.Ask.MaxTokens = r.Output
	}
	e.encode(&ask, prompt.Prompt{}, prompt.Prompt{Messages: []prompt.Message{{Role: "user", Text: text}}}.Ask(c.System, ""))
	return e
}

// scheduled prepares the number-th request of a schedule. Where it opens a
// session, that session's turns are numbered behind it.
func (st *stage) scheduled(number int, r arrival.Request) *errand {
	turns := max(st.step.Turns, 1)
	st.taken = number * turns
	switch {
	case st.step.offer.Trace != nil:
		return st.recorded(number, r)
	case turns > 1:
		return st.opening(number, (number-1)*turns+1)
	}
	return st.single(number)
}

// names numbers the sessions of a trace and their turns, in the order they
// come.
type names map[string]*[2]int

func (n names) of(session string) (number, turn int) {
	at := n[session]
	if at == nil {
		at = &[2]int{len(n) + 1, 0}
		n[session] = at
	}
	at[1]++
	return at[0], at[1]
}

// opening prepares the first turn of a session.
func (st *stage) opening(session, number int) *errand {
	c := &st.r.c
	turns := max(st.step.Turns, 1)
	at := st.step.offset + (session-1)*turns
	part := st.step.part(c.Seed, at)
	var asks []prompt.Prompt
	for turn := range turns {
		asks = append(asks, part.order.At(at+turn))
	}
	system, nonce := c.System, st.nonce(st.r.asked+number)
	if n := c.Session.PrefixTokens; n > 0 {
		system = prompt.Filler(c.Seed, "session "+strconv.Itoa(session), n) + "\n\n" + system
	}
	if c.PrefixTokens > 0 {
		system, nonce = st.shared()+nonce+system, ""
	}
	asks[0].Messages = asks[0].Ask(system, nonce)
	t := &talk{Talk: prompt.NewTalk(asks), number: session, part: part}
	return st.turn(t, "", number)
}

// turn prepares a session's next turn; nil where it has none left.
func (st *stage) turn(t *talk, answer string, number int) *errand {
	messages, ok := t.Next(answer)
	if !ok {
		return nil
	}
	t.turn++
	e := st.errand(t.part, number)
	e.talk = t
	e.attempt.Session, e.attempt.Turn = t.number, t.turn
	p := t.part.order.At(st.step.offset + (t.number-1)*max(st.step.Turns, 1) + t.turn - 1)
	e.attempt.Prompt = p.ID
	e.encode(&st.r.c, p, messages)
	return e
}

// encode puts the request into the API's words.
func (e *errand) encode(c *Config, p prompt.Prompt, messages []prompt.Message) {
	req := c.Ask
	req.Model = e.target.Model
	req.Messages = messages
	if p.Tools != nil {
		req.Tools = p.Tools
	}
	req.Extra = over(p.Extra, c.Ask.Extra)
	e.call, e.refusal = e.target.Dialect.Encode(req)
}

// nonce is what makes a request's front its own; "" where the plan wants none.
func (st *stage) nonce(number int) string {
	if !st.r.c.Unique {
		return ""
	}
	return prompt.Nonce(st.r.c.RunID, st.round, string(st.phase), number)
}

// front is a nonce that all requests of the level's round share: what they
// share behind it is new to the endpoint's cache once.
func (st *stage) front() string { return st.nonce(-st.step.Number) }

// shared is the text that all requests of the level begin with.
func (st *stage) shared() string {
	st.prefix.Do(func() {
		st.prefixText = st.front() + prompt.Filler(st.r.c.Seed, "shared", st.r.c.PrefixTokens) + "\n\n"
	})
	return st.prefixText
}

// position is where in the level's order a request stands. A closed level goes
// on where the one below it ended. A warm-up goes back from there, to what was
// asked last: where the plan lets a cache answer, it learns nothing new.
func (st *stage) position(number int) int {
	if st.phase == record.Measured {
		return st.step.offset + number - 1
	}
	n := len(st.step.parts[0].group.Prompts)
	if back := st.step.offset - number; back >= 0 || n == 0 {
		return max(back, 0)
	} else {
		return (back%n + n) % n
	}
}

// inputTokens is about how many tokens a request with this prompt is.
func (c *Config) inputTokens(p prompt.Prompt) int {
	nonce := ""
	if c.Unique {
		nonce = prompt.Nonce(c.RunID, 1, string(record.Measured), 1)
	}
	sum := c.PrefixTokens
	for _, m := range p.Ask(c.System, nonce) {
		sum += token.Estimate(m.Text) + token.Estimate(string(m.Raw))
	}
	return sum
}

// over lays the plan's fields over the prompt's.
func over(prompts, plans map[string]json.RawMessage) map[string]json.RawMessage {
	if len(prompts) == 0 {
		return plans
	}
	if len(plans) == 0 {
		return prompts
	}
	all := maps.Clone(prompts)
	maps.Copy(all, plans)
	return all
}
