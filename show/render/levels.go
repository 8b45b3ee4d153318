package render

import (
	"io"

	"tidemark/run"
)

// Levels writes what a run would do, before anything is sent.
func Levels(w io.Writer, levels []run.Level, o Options) error {
	p := newPage(o)
	rows := [][]span{{
		{bold, p.Say("show.levels_number")}, {bold, p.Say("show.levels_model")}, {bold, p.Say("show.levels_prompts")},
		{bold, p.Say("show.levels_concurrency")}, {bold, p.Say("show.levels_requests")}, {bold, p.Say("show.levels_warmup")},
	}}
	for _, l := range levels {
		requests := count(l.Requests)
		if l.Schedule != nil && l.Turns > 1 {
			requests = count(l.Requests * l.Turns) // a schedule's are sessions
		}
		if l.Requests == 0 {
			requests = l.Duration.String()
		}
		rows = append(rows, []span{
			{plain, count(l.Number)}, {plain, oneLine(l.Target)}, {plain, oneLine(l.Workload)},
			{plain, p.planned(l)}, {plain, requests}, {plain, count(l.WarmUp)},
		})
	}
	p.grid(0, 3, rows)
	return p.to(w)
}

// planned is what a level would ask for.
func (p *page) planned(l run.Level) string {
	switch {
	case l.Schedule != nil:
		return rateName(l.Schedule)
	case l.Turns > 0:
		return p.Say("show.users_n", count(l.Concurrency))
	}
	return count(l.Concurrency)
}
