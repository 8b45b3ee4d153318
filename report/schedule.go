package report

import (
	"encoding/json"

	"tidemark/record"
	"tidemark/record/outcome"
)

// scheduleTally is how a level's rounds that count kept to what they were
// asked to send.
type scheduleTally struct {
	late       []float64 // ms, of each request that was due and sent, but for those that the cap held
	held       int       // by the cap, when they were due
	unsendable int       // for want of something of this machine's
	cutAtEnd   int
}

func (t *scheduleTally) add(a *record.Attempt) {
	if a.Held {
		t.held++
	} else if late, ok := lateness(a); ok {
		t.late = append(t.late, late)
	}
	switch a.Outcome {
	case outcome.ClientResource:
		t.unsendable++
	case outcome.CutByRunEnd:
		t.cutAtEnd++
	}
}

// askedTally is how long the answers of ok requests were, against what was
// asked for, in tokens.
type askedTally struct {
	fixed            int64 // of each answer, by the plan; 0: it doesn't say
	asked, delivered int64
	sources          map[record.Source]bool // who counted tokens
}

func (t *askedTally) add(a *record.Attempt) {
	for _, c := range []record.Count{a.Tokens.Input, a.Tokens.Output} {
		if c.Known() {
			if t.sources == nil {
				t.sources = map[record.Source]bool{}
			}
			t.sources[c.Source] = true
		}
	}
	asked := t.fixed
	if a.OutputAsked > 0 {
		asked = int64(a.OutputAsked)
	}
	if asked > 0 && a.Tokens.Output.Known() {
		t.asked += asked
		t.delivered += a.Tokens.Output.N
	}
}

// planned is the little that figures need of the plan.
type planned struct {
	MaxTokens int64 `json:"max_tokens"`
	Extra     struct {
		IgnoreEOS any `json:"ignore_eos"`
		MinTokens any `json:"min_tokens"`
	} `json:"extra"`
}

func (e *edges) plan() planned {
	var p planned
	if e.run == nil || json.Unmarshal(e.run.Plan, &p) != nil {
		return planned{} // a plan of another making says nothing
	}
	return p
}

// output is how long the plan makes every answer, in tokens; 0: it leaves that
// to the model.
func (p planned) output() int64 {
	least, _ := p.Extra.MinTokens.(float64)
	if p.Extra.IgnoreEOS == true || least >= float64(p.MaxTokens) {
		return p.MaxTokens
	}
	return 0
}
