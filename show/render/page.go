package render

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"tidemark/text"
)

// style is the parameter of a select-graphic-rendition sequence.
type style string

const (
	plain  style = ""
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	blue   style = "34"
	alarm  style = "1;33"
)

// span is a piece of a line in one style.
type span struct {
	style style
	text  string
}

// page is what is shown, a line after the other, none of them wider than its
// width. All that gets onto it is cleaned.
type page struct {
	text.Lang
	Options
	b strings.Builder
}

func newPage(o Options) *page {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Lang == "" {
		o.Lang = text.English
	}
	return &page{Lang: o.Lang, Options: o}
}

// to writes the page out at once.
func (p *page) to(w io.Writer) error {
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (p *page) blank() { p.b.WriteByte('\n') }

// line writes a line. What doesn't fit is cut, with a sign that it was.
func (p *page) line(indent int, spans ...span) {
	p.b.WriteString(p.paint(indent, p.Width, spans))
	p.b.WriteByte('\n')
}

// paint makes a line of at most width cells, without spaces at its end.
func (p *page) paint(indent, width int, spans []span) string {
	var b strings.Builder
	room := width - indent
	gap := strings.Repeat(" ", indent)
	for _, s := range spans {
		// A cluster of two spans can be wider than its parts; it is put
		// together from what is already clean, and measured in one piece.
		t := ansi.Truncate(clean(s.text), max(room, 0), "…")
		room -= ansi.StringWidth(t)
		body := strings.TrimRight(t, " ")
		if body != "" {
			b.WriteString(gap)
			gap = ""
			lead := len(body) - len(strings.TrimLeft(body, " "))
			b.WriteString(body[:lead])
			b.WriteString(p.color(s.style, body[lead:]))
		}
		gap += t[len(body):]
	}
	return b.String()
}

func (p *page) color(st style, s string) string {
	if !p.Color || st == plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// heading opens a section.
func (p *page) heading(s string) {
	p.blank()
	p.line(0, span{bold, s})
}

// prose is the width that running text is set in: wide lines are hard to read.
func (p *page) prose() int { return min(p.Width, 100) }

// para writes running text after a lead; further lines hang below its start.
func (p *page) para(indent int, lead span, st style, s string) {
	p.short(indent, lead, st, s, 0)
}

// short is para in at most so many lines; 0 for all.
func (p *page) short(indent int, lead span, st style, s string, lines int) {
	hang := ansi.StringWidth(clean(lead.text))
	width := max(p.prose()-indent-hang, 8)
	set := wrap(clean(s), width)
	if lines > 0 && len(set) > lines {
		set = set[:lines]
		set[lines-1] = wrap(set[lines-1], width-2)[0] + " …"
	}
	for i, l := range set {
		if i > 0 {
			lead = span{plain, strings.Repeat(" ", hang)}
		}
		p.line(indent, lead, span{st, l})
	}
}

// fact is a labelled line.
type fact struct {
	label string
	style style
	text  string
}

// facts writes labels in a column of their own and texts beside them. A fact
// without a text is left out.
func (p *page) facts(indent int, all []fact) {
	widest := 0
	for _, f := range all {
		if f.text != "" {
			widest = max(widest, ansi.StringWidth(f.label))
		}
	}
	for _, f := range all {
		if f.text != "" {
			p.para(indent, span{faint, pad(f.label, widest) + "  "}, f.style, f.text)
		}
	}
}

// grid writes rows of cells in columns as wide as they need to be, the first
// left columns flush left and the others flush right. The gaps, then the
// first column, give way where the page is too narrow.
func (p *page) grid(indent, left int, rows [][]span) {
	var widths []int
	for _, row := range rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(clean(c.text)))
		}
	}
	if len(widths) == 0 {
		return
	}
	sum := indent
	for _, w := range widths {
		sum += w
	}
	gap := min(max((p.Width-sum)/len(widths), 1), 3)
	if over := sum + gap*(len(widths)-1) - p.Width; over > 0 {
		widths[0] = max(widths[0]-over, 1)
	}
	for _, row := range rows {
		spans := make([]span, 0, 2*len(row))
		for i, c := range row {
			t := ansi.Truncate(clean(c.text), widths[i], "…")
			if i < left {
				t = pad(t, widths[i])
			} else {
				t = strings.Repeat(" ", widths[i]-ansi.StringWidth(t)) + t
			}
			if i > 0 {
				spans = append(spans, span{plain, strings.Repeat(" ", gap)})
			}
			spans = append(spans, span{c.style, t})
		}
		p.line(indent, spans...)
	}
}

// pad fills a text with spaces to a width.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-ansi.StringWidth(s), 0))
}
