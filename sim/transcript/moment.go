package transcript

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"time"
)

// maxSteps bounds the writes of a transcript, and the values of a want.
const maxSteps = 10_000

// moment takes a line that says what is sent, and when.
func (p *parser) moment(when string, words []word) error {
	if len(p.cur.Steps) == 0 && p.cur.Variant == "" {
		p.shared = p.set.clone()
	}
	from, err := millis(when)
	if err != nil {
		return err
	}
	step, until := time.Duration(1), from
	if len(words) >= 4 && words[0] == (word{text: "every"}) && words[2] == (word{text: "until"}) {
		if step, err = millis(words[1].text); err != nil {
			return err
		}
		if until, err = millis(words[3].text); err != nil {
			return err
		}
		if step <= 0 || until < from || (until-from)/step > maxSteps {
			return wrong("transcript.value", "every", words[1].text)
		}
		words = words[4:]
	}
	if len(words) == 0 {
		return wrong("transcript.nothing_sent")
	}
	for at := from; at <= until; at += step {
		if err := p.steps(at, words); err != nil {
			return err
		}
	}
	return nil
}

// steps sends the words of a line at one moment.
func (p *parser) steps(at time.Duration, words []word) error {
	switch k := len(p.cur.Steps); {
	case k+len(words) > maxSteps:
		return tooLarge()
	case k > 0 && at < p.cur.Steps[k-1].At:
		return wrong("transcript.backwards")
	}
	s := Step{At: at}
	for len(words) > 0 {
		name := words[0]
		if name.quoted {
			return wrong("transcript.unknown_item", name.text)
		}
		if name.text == "SPLIT" {
			p.cur.Steps = append(p.cur.Steps, s)
			s, words = Step{At: at}, words[1:]
			continue
		}
		times, key, err := stars(name.text)
		if err != nil {
			return err
		}
		it, known := items[key]
		if !known {
			return wrong("transcript.unknown_item", key)
		}
		if len(words) <= it.args {
			return wrong("transcript.needs", key, it.args)
		}
		if err := p.item(&s, key, it, times, words[1:1+it.args]); err != nil {
			return err
		}
		words = words[1+it.args:]
	}
	p.cur.Steps = append(p.cur.Steps, s)
	return nil
}

// item is a word of a moment: how many words follow it, and the body bytes
// that it stands for. Those without bytes are told by their name.
type item struct {
	args  int
	bytes func(p *parser, args []word) (string, error)
}

func simple(args int, f func(s style, a []word) string) item {
	return item{args, func(p *parser, a []word) (string, error) { return f(p.set.style, a), nil }}
}

var items = map[string]item{
	"HEAD": {}, "EOF": {}, "CLOSE": {}, "RST": {}, "WIRE": {args: 1},

	"ROLE":    simple(0, func(s style, _ []word) string { return s.delta(`{"role":"assistant","content":""}`) }),
	"C":       simple(1, func(s style, a []word) string { return s.delta(`{"content":` + quote(a[0].text) + `}`) }),
	"R":       simple(1, func(s style, a []word) string { return s.delta(`{"reasoning":` + quote(a[0].text) + `}`) }),
	"DELTA":   simple(1, func(s style, a []word) string { return s.delta(a[0].text) }),
	"CHOICE":  simple(1, func(s style, a []word) string { return s.choice(a[0].text) }),
	"FIN":     simple(1, func(s style, a []word) string { return s.finish(a[0].text) }),
	"DONE":    simple(0, func(s style, _ []word) string { return s.frame("[DONE]") }),
	"DATA":    simple(1, func(s style, a []word) string { return s.frame(a[0].text) }),
	"COMMENT": simple(1, func(s style, a []word) string { return s.comment(a[0].text) }),
	"RAW":     simple(1, func(_ style, a []word) string { return a[0].text }),

	"USE": {2, func(p *parser, a []word) (string, error) {
		in, err := number(a[0].text)
		if err != nil {
			return "", err
		}
		out, err := number(a[1].text)
		return p.set.style.usage(in, out), err
	}},
	"FILE": {1, func(p *parser, a []word) (string, error) { return p.file(a[0].text) }},
}

// item adds one word's bytes to a step.
func (p *parser) item(s *Step, key string, it item, times int, args []word) error {
	if p.over == "CLOSE" || p.over == "RST" || it.bytes != nil && p.over != "" {
		return wrong("transcript.after", key, p.over)
	}
	if it.bytes == nil {
		if times != 1 {
			return wrong("transcript.unknown_item", "*"+key)
		}
		return p.mark(s, key, args)
	}
	if !p.begun {
		return wrong("transcript.no_head", key)
	}
	b, err := it.bytes(p, args)
	if err != nil {
		return err
	}
	if times > 0 && len(b) > (p.limit-p.size)/times {
		return tooLarge()
	}
	p.size += len(b) * times
	s.Parts = append(s.Parts, Part{Body, []byte(strings.Repeat(b, times))})
	return nil
}

// mark adds a word that is no part of the body.
func (p *parser) mark(s *Step, key string, args []word) error {
	switch key {
	case "HEAD":
		p.begun = true
		s.Parts = append(s.Parts, Part{Kind: Head})
	case "WIRE":
		p.begun = true
		if p.size += len(args[0].text); p.size > p.limit {
			return tooLarge()
		}
		s.Parts = append(s.Parts, Part{Wire, []byte(args[0].text)})
	case "EOF":
		p.over = key
		s.Parts = append(s.Parts, Part{Kind: Last})
		if p.set.framing == "until-close" {
			s.End = Close
		}
	case "CLOSE":
		p.over, s.End = key, Close
	case "RST":
		p.over, s.End = key, Reset
	}
	return nil
}

// file reads what FILE names.
func (p *parser) file(name string) (string, error) {
	if p.files == nil {
		return "", wrong("transcript.no_file", name)
	}
	f, err := p.files.Open(name)
	if err != nil {
		return "", wrong("transcript.no_file", name)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, int64(p.limit)+1))
	if err != nil {
		return "", wrong("transcript.no_file", name)
	}
	return string(b), nil
}

// compress puts the body through gzip and flushes it after each part, so that
// each can be read as it comes.
func compress(steps []Step) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	take := func() Part {
		b := bytes.Clone(out.Bytes())
		out.Reset()
		return Part{Body, b}
	}
	for i := range steps {
		var parts []Part
		for _, part := range steps[i].Parts {
			switch part.Kind {
			case Body:
				z.Write(part.Bytes)
				z.Flush()
				parts = append(parts, take())
				continue
			case Last:
				z.Close()
				parts = append(parts, take())
			}
			parts = append(parts, part)
		}
		steps[i].Parts = parts
	}
}
