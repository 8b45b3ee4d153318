package render

import (
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"tidemark/record"
	"tidemark/run"
)

// plainEvery is how often a level says how it stands where nothing is redrawn.
const plainEvery = 10 * time.Second

// eraseLine goes to the start of the line and empties it.
const eraseLine = "\r\x1b[2K"

// Progress shows a run as it goes. Live, a line a level is redrawn, and stays
// when the level is over. Otherwise a level prints a line every ten seconds
// at most, and one when it is over. It is safe for use by several goroutines.
// Errors of writing are passed over: a run doesn't end because nobody looks.
type Progress struct {
	mu   sync.Mutex
	w    io.Writer
	live bool
	page *page

	group string // target and workload that the last line was of
	level [2]int // number and round of the level that is shown
	open  bool   // live: a line is drawn and not ended
	over  bool   // the level's last line is written
	last  time.Time
}

// NewProgress shows a run on w, which is a terminal where live is set.
func NewProgress(w io.Writer, live bool, o Options) *Progress {
	return &Progress{w: w, live: live, page: newPage(o)}
}

// Update shows the run as it stands now.
func (p *Progress) Update(s run.Snapshot) {
	p.mu.Lock()
	defer p.mu.Unlock()
	group := oneLine(s.Target)
	if s.Workload != "" && s.Workload != "default" {
		group += " · " + oneLine(s.Workload)
	}
	if at := [2]int{s.Level, s.Round}; at != p.level || group != p.group {
		p.endLine()
		if group != p.group && group != "" {
			p.write(p.page.paint(0, p.page.Width-1, []span{{bold, group}}) + "\n")
		}
		p.level, p.group, p.over = at, group, false
		p.last = time.Now()
	}
	if p.over {
		return
	}
	p.over = s.Over
	if p.live {
		p.redraw(s)
		return
	}
	if s.Over || time.Since(p.last) >= plainEvery {
		p.last = time.Now()
		p.write(p.page.standing(s) + "\n")
	}
}

func (p *Progress) redraw(s run.Snapshot) {
	p.open = true
	p.write(eraseLine + p.page.standing(s))
	if s.Over {
		p.endLine()
	}
}

// Close ends the line that is drawn, if one is.
func (p *Progress) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.endLine()
}

func (p *Progress) endLine() {
	if p.open {
		p.open = false
		p.write("\n")
	}
}

func (p *Progress) write(s string) { _, _ = io.WriteString(p.w, s) }

// standing is a level in a line: of what doesn't fit, the least needed is left
// out. The last column stays free: some terminals go on to a new line when it
// is filled.
func (p *page) standing(s run.Snapshot) string {
	width := p.Width - 1
	parts := p.parts(s)
	for {
		spans, used, least := []span{}, 0, 0
		for i, part := range parts {
			if i > 0 {
				gap := span{plain, "  "}
				if parts[i-1].rank == number {
					gap.text = " "
				}
				spans = append(spans, gap)
				used += len(gap.text)
			}
			spans = append(spans, part.span)
			used += ansi.StringWidth(part.text)
			if part.rank > parts[least].rank {
				least = i
			}
		}
		if used <= width || parts[least].rank == always {
			return p.paint(0, width, spans)
		}
		parts = slices.Delete(parts, least, least+1)
	}
}

// rank is how readily a part of a line is left out.
type rank int

const (
	always rank = iota
	left
	errorCount
	speed
	inFlight
	dueNow
	first
	number
)

// part is a piece of the line.
type part struct {
	rank
	span
}

func (p *page) parts(s run.Snapshot) []part {
	var parts []part
	add := func(r rank, st style, text string) { parts = append(parts, part{r, span{st, text}}) }
	if s.Levels > 0 {
		add(number, faint, "["+strconv.Itoa(s.Level)+"/"+strconv.Itoa(s.Levels)+"]")
	}
	switch sched := s.Schedule; {
	case sched == nil:
		add(always, bold, p.Say("show.concurrency_n", strconv.Itoa(s.Concurrency)))
	case sched.Trace != "":
		add(always, bold, p.Say("show.trace_n", oneLine(sched.Name)))
	default:
		add(always, bold, p.Say("show.rate_n", rateName(sched)))
	}
	if s.Rounds > 1 {
		add(always, plain, p.Say("show.round_of", s.Round, s.Rounds))
	}
	if s.Phase == record.WarmUp {
		add(always, yellow, p.Say("show.warming"))
	}
	if s.Total > 0 {
		add(always, plain, count(s.Done)+"/"+count(s.Total))
	} else {
		add(always, plain, count(s.Done))
	}
	if s.Due > 0 && !s.Over {
		add(dueNow, plain, p.Say("show.due", count(s.Due)))
	}
	if s.Errors > 0 {
		add(errorCount, red, p.Say("show.errors", count(s.Errors)))
	}
	if !s.Over {
		add(inFlight, plain, p.Say("show.now_in_flight", count(s.InFlight)))
	}
	if s.TokensPerS > 0 {
		add(speed, plain, "≈"+num(s.TokensPerS)+" "+p.Say("show.unit_tps"))
	}
	if s.TTFTp50 > 0 {
		add(first, plain, "TTFT p50 "+took(s.TTFTp50))
	}
	switch {
	case s.Over:
		add(left, plain, p.Say("show.lasted", clock(s.Elapsed)))
	case s.Left > 0:
		add(left, plain, p.Say("show.left", clock(s.Left)))
	}
	return parts
}
