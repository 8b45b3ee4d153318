package report

import (
	"cmp"
	"slices"

	"tidemark/record"
	"tidemark/text"
)

// What the report itself warns of, beside what attempts tell.
const (
	usageMissing  = "usage_missing"
	roundsLeftOut = "rounds_left_out"
	clockStepped  = "clock_stepped"
	machineSlept  = "machine_slept"
)

// mostNotes bounds how many different notes a level, or the run, tells.
const mostNotes = 100

// warnings counts odd things that were tolerated.
type warnings struct {
	attempts map[string]int // requests, or rounds, by id
	notes    []*note
}

type note struct {
	id    string
	args  []string
	count int
}

func (w *warnings) attempt(a *record.Attempt) {
	for id := range a.Warnings {
		w.atLeast(id, w.attempts[id]+1)
	}
}

// atLeast raises a count to n.
func (w *warnings) atLeast(id string, n int) {
	if n <= w.attempts[id] {
		return
	}
	if w.attempts == nil {
		w.attempts = map[string]int{}
	}
	w.attempts[id] = n
}

func (w *warnings) note(n *record.Note) {
	for _, have := range w.notes {
		if have.id == n.ID && slices.Equal(have.args, n.Args) {
			have.count++
			return
		}
	}
	if len(w.notes) < mostNotes {
		w.notes = append(w.notes, &note{n.ID, n.Args, 1})
	}
}

// list is the warnings in words: notes as they came, then what requests met,
// the most frequent first.
func (w *warnings) list(lang text.Lang) []Warning {
	out := []Warning{}
	for _, n := range w.notes {
		args := make([]any, len(n.args))
		for i, a := range n.args {
			args[i] = a
		}
		out = append(out, Warning{n.id, n.count, Times, lang.Say(n.id, args...)})
	}
	met := len(out)
	for id, count := range w.attempts {
		unit := Requests
		if id == roundsLeftOut {
			unit = Rounds
		}
		out = append(out, Warning{id, count, unit, warningText(id).In(lang)})
	}
	slices.SortFunc(out[met:], func(a, b Warning) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// warningText is what a warning's id means. An id that this version doesn't
// know, from a newer one's records, is told as it is.
func warningText(id string) text.Message {
	if full := "warning." + id; text.Has(full) {
		return text.Message{ID: full}
	}
	return text.Msg("report.warning.unknown", id)
}
