package transcript

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// verbatim are the settings whose words are taken as they stand.
var verbatim = map[string]func(p *parser, rest string) error{
	"note": func(p *parser, rest string) error { p.cur.Note = rest; return nil },
	"type": func(p *parser, rest string) error {
		if p.set.mime = rest; rest == none {
			p.set.mime = ""
		}
		return nil
	},
	"header": func(p *parser, rest string) error {
		switch {
		case rest == none:
			p.set.header = nil
		case strings.Contains(rest, ":"):
			p.set.header = append(p.set.header, rest)
		default:
			return wrong("transcript.value", "header", rest)
		}
		return nil
	},
	"also": func(p *parser, rest string) error {
		if p.set.style.also = "," + rest; rest == none {
			p.set.style.also = ""
		}
		return nil
	},
}

// lines are the other settings.
var lines = map[string]func(p *parser, args []word) error{
	"ask": func(p *parser, args []word) error {
		w, err := oneOf("ask", args, "stream", "whole")
		p.set.ask.Stream = w == "stream"
		return err
	},
	"base": func(p *parser, args []word) (err error) {
		p.set.ask.Base, err = single("base", args)
		return err
	},
	"reused": func(p *parser, args []word) error {
		p.set.ask.Reused = true
		if len(args) > 0 {
			return wrong("transcript.needs", "reused", 0)
		}
		return nil
	},
	"limit":  (*parser).limitLine,
	"decode": (*parser).decodeLine,
	"status": (*parser).statusLine,
	"body":   (*parser).bodyLine,
	"coding": func(p *parser, args []word) error {
		w, err := oneOf("coding", args, "gzip", "identity")
		p.set.gzip = w == "gzip"
		return err
	},
	"writes": func(p *parser, args []word) error {
		_, err := oneOf("writes", args, "bytes")
		p.set.bytewise = true
		return err
	},
	"style": (*parser).styleLine,
}

func (p *parser) statusLine(args []word) error {
	w, err := single("status", args)
	if err != nil {
		return err
	}
	n, err := number(w)
	if err == nil && (n < 100 || n > 999) {
		err = wrong("transcript.value", "status", w)
	}
	p.set.status = n
	return err
}

func (p *parser) limitLine(args []word) error {
	if len(args) != 2 {
		return wrong("transcript.needs", "limit", 2)
	}
	l := &p.set.ask.Limits
	which := map[string]*time.Duration{"ttft": &l.TTFT, "idle": &l.Idle, "output_idle": &l.OutputIdle, "total": &l.Total}[args[0].text]
	if which == nil {
		return wrong("transcript.value", "limit", args[0].text)
	}
	ms, err := millis(args[1].text)
	*which = ms
	return err
}

func (p *parser) decodeLine(args []word) error {
	w, err := single("decode", args)
	if err != nil {
		return err
	}
	p.set.ask.Decode, err = millis(w)
	return err
}

func (p *parser) bodyLine(args []word) error {
	p.set.length = -1
	if len(args) == 2 && args[0].text == "counted" {
		n, err := number(args[1].text)
		if err != nil {
			return err
		}
		p.set.length, args = n, args[:1]
	}
	w, err := oneOf("body", args, "chunked", "counted", "until-close", "none")
	p.set.framing = w
	return err
}

func (p *parser) styleLine(args []word) error {
	w, err := oneOf("style", args, "crlf", "lf", "cr", "tight", "spaced")
	s := &p.set.style
	switch w {
	case "crlf":
		s.newline = "\r\n"
	case "lf":
		s.newline = "\n"
	case "cr":
		s.newline = "\r"
	case "tight":
		s.colon = ":"
	case "spaced":
		s.colon = ": "
	}
	return err
}

func single(key string, args []word) (string, error) {
	if len(args) != 1 {
		return "", wrong("transcript.needs", key, 1)
	}
	return args[0].text, nil
}

func oneOf(key string, args []word, known ...string) (string, error) {
	w, err := single(key, args)
	if err == nil && !slices.Contains(known, w) {
		err = wrong("transcript.value", key, w)
	}
	return w, err
}

// maxMillis is a day: no transcript needs more, and none can overflow.
const maxMillis = 24 * 60 * 60 * 1000

// millis reads a time of up to a day, in milliseconds.
func millis(s string) (time.Duration, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= maxMillis) {
		return 0, wrong("transcript.not_number", s)
	}
	return time.Duration(f * float64(time.Millisecond)), nil
}
