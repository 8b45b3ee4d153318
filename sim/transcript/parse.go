package transcript

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"tidemark/text"
)

// maxBytes is the most that the transcripts of one file may send.
const maxBytes = 96 << 20

// Parse reads the cases of a file. name is what errors call it; files holds
// what FILE names, and may be nil where nothing does. An error is a
// *text.Fault that names the line.
func Parse(name string, src []byte, files fs.FS) ([]*Transcript, error) {
	return parse(name, src, files, maxBytes)
}

func parse(name string, src []byte, files fs.FS, limit int) ([]*Transcript, error) {
	p := &parser{files: files, limit: limit, titles: map[string]bool{}}
	for line := range bytes.Lines(src) {
		p.line++
		if err := p.read(string(line)); err != nil {
			return nil, p.locate(name, err)
		}
	}
	if p.cur == nil {
		return nil, p.locate(name, wrong("transcript.no_case"))
	}
	if err := p.close(); err != nil {
		return nil, p.locate(name, err)
	}
	return p.out, nil
}

type parser struct {
	files  fs.FS
	limit  int
	line   int
	titles map[string]bool
	out    []*Transcript

	cur    *Transcript
	set    settings // of the transcript being read
	shared settings // of its case, as they were before its timeline
	size   int      // bytes that all send so far
	begun  bool     // a body may follow
	over   string   // what ended the body, or the connection
}

// settings say how an answer is sent.
type settings struct {
	ask      Ask
	status   int
	mime     string // "": no header
	header   []string
	framing  string // the words of a body line
	length   int    // what counted claims; -1: the truth
	gzip     bool
	bytewise bool
	style    style
}

func defaults() settings {
	return settings{
		ask: Ask{Stream: true, Base: "http://h/v1"}, status: http.StatusOK, mime: "text/event-stream",
		framing: "chunked", length: -1, style: plain,
	}
}

func (p *parser) locate(file string, err error) error {
	f, ok := err.(*text.Fault)
	if !ok {
		return err
	}
	return &text.Fault{What: text.Msg("transcript.at", file, p.line, f.What), Hint: f.Hint, Err: f.Err}
}

func wrong(id string, args ...any) error {
	return text.Wrong(text.Msg(id, args...), text.Msg("transcript.hint"))
}

// read takes one line.
func (p *parser) read(line string) error {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return nil
	}
	key, rest := line, ""
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		key, rest = line[:i], strings.TrimSpace(line[i:])
	}
	if set := verbatim[key]; set != nil && p.cur != nil {
		return set(p, rest)
	}
	words, err := scan(rest, p.limit-p.size)
	switch {
	case err != nil:
		return err
	case key == "case" || key == "variant":
		return p.open(key, words)
	case p.cur == nil:
		return wrong("transcript.no_case")
	case key == "want":
		return p.want(words)
	case '0' <= key[0] && key[0] <= '9':
		return p.moment(key, words)
	case lines[key] != nil:
		return lines[key](p, words)
	}
	return wrong("transcript.unknown_line", key)
}

// open begins a case or a variant of it.
func (p *parser) open(kind string, args []word) error {
	if len(args) != 1 {
		return wrong("transcript.needs", kind, 1)
	}
	t := &Transcript{Line: p.line, Name: args[0].text}
	if p.cur != nil {
		if err := p.close(); err != nil {
			return err
		}
	}
	switch {
	case kind == "case":
		p.set = defaults()
		p.shared = p.set
	case p.cur == nil:
		return wrong("transcript.no_case")
	default:
		t.Name, t.Variant = p.cur.Name, args[0].text
		p.set = p.shared
	}
	if p.titles[t.Title()] {
		return wrong("transcript.twice", t.Title())
	}
	p.titles[t.Title()] = true
	p.cur, p.begun, p.over = t, false, ""
	return nil
}

// close makes the current transcript whole.
func (p *parser) close() error {
	t := p.cur
	if len(t.Steps) == 0 {
		return wrong("transcript.no_moment", t.Title())
	}
	t.Ask, t.bytewise = p.set.ask, p.set.bytewise
	t.chunked = p.set.framing == "chunked"
	if p.set.gzip {
		compress(t.Steps)
	}
	t.head = p.set.render(bodySize(t.Steps))
	p.out = append(p.out, t)
	return nil
}

func bodySize(steps []Step) int {
	n := 0
	for _, s := range steps {
		for _, part := range s.Parts {
			if part.Kind == Body {
				n += len(part.Bytes)
			}
		}
	}
	return n
}

// render writes the status line and the headers of a body of size bytes.
func (s settings) render(size int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", s.status, http.StatusText(s.status))
	if s.mime != "" {
		fmt.Fprintf(&b, "Content-Type: %s\r\n", s.mime)
	}
	for _, h := range s.header {
		b.WriteString(h + "\r\n")
	}
	if s.gzip {
		b.WriteString("Content-Encoding: gzip\r\n")
	}
	switch s.framing {
	case "chunked":
		b.WriteString("Transfer-Encoding: chunked\r\n")
	case "counted":
		if s.length >= 0 {
			size = s.length
		}
		fmt.Fprintf(&b, "Content-Length: %d\r\n", size)
	case "until-close":
		b.WriteString("Connection: close\r\n")
	}
	b.WriteString("\r\n")
	return b.Bytes()
}

// clone keeps later headers out of what was handed on.
func (s settings) clone() settings {
	s.header = slices.Clip(s.header)
	return s
}
