package run

import (
	"encoding/json"
	"maps"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/wire/dialect"
)

// errand is one request on its way: what to send, what is known of it, and
// whether its answer is kept.
type errand struct {
	call    dialect.Call
	refusal error // it can't be put into the API's words
	attempt *record.Attempt
	keep    bool
}

// prepare makes the next request ready, before its clock starts: its prompt,
// its nonce, its bytes. It returns nil where nothing is left.
func (st *stage) prepare(s *slot) *errand {
	number := st.take()
	if number == 0 {
		return nil
	}
	p := st.step.order.At(st.position(number))
	e := &errand{attempt: &record.Attempt{
		Level: st.step.Number, Round: st.round, Phase: st.phase, Number: number, Try: 1,
		Target: st.step.Target, Workload: st.step.Workload, Prompt: p.ID, Slot: s.number,
	}}
	e.call, e.refusal = s.target.Dialect.Encode(st.request(p, number))
	return e
}

// position is where in the group's order a request stands. A level goes on
// where the one below it ended. A warm-up goes back from there, to what was
// asked last: where the plan lets a cache answer, it learns nothing new.
func (st *stage) position(number int) int {
	if st.phase == record.Measured {
		return st.step.offset + number - 1
	}
	n := len(st.step.group.Prompts)
	if back := st.step.offset - number; back >= 0 || n == 0 {
		return max(back, 0)
	} else {
		return (back%n + n) % n
	}
}

func (st *stage) request(p prompt.Prompt, number int) prompt.Request {
	c := &st.r.c
	nonce := ""
	if c.Unique {
		// Counted over all levels and targets: no two requests of a run share it.
		nonce = prompt.Nonce(c.RunID, st.round, string(st.phase), st.r.asked+number)
	}
	req := c.Ask
	req.Model = st.step.target.Model
	req.Messages = p.Ask(c.System, nonce)
	if p.Tools != nil {
		req.Tools = p.Tools
	}
	req.Extra = over(p.Extra, c.Ask.Extra)
	return req
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
