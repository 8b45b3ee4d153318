package transcript

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tidemark/record"
)

// Result is what a client made of a transcript.
type Result struct {
	Attempt *record.Attempt
	Usable  bool   // the connection may carry another request
	Path    string // that was asked for
}

// Mismatch is one want that a result does not meet.
type Mismatch struct {
	Line      int
	Name      string
	Want, Got string
}

// base is what CHAT-BASE stands for.
var base = [][]string{
	{"outcome", "ok"}, {"finish", "stop"}, {"status", "200"}, {"tokens", "7", "4"},
	{"ttft", "300"}, {"ttfa", "300"}, {"gaps", "20", "20", "20"}, {"e2e", "360"}, {"terminal", "360"}, {"tpot", "20"},
	{"frames", "4"}, {"reasoning_frames", "0"}, {"text", "alpha beta"},
}

// want takes a line of what must be reported.
func (p *parser) want(args []word) error {
	if len(args) == 0 {
		return wrong("transcript.needs", "want", 1)
	}
	name, args := args[0].text, args[1:]
	if name == "CHAT-BASE" && len(args) == 0 {
		for _, b := range base {
			p.addWant(b[0], b[1:])
		}
		return nil
	}
	if _, known := figures[name]; !known {
		return wrong("transcript.unknown_want", name)
	}
	if len(args) == 0 {
		return wrong("transcript.needs", "want "+name, 1)
	}
	values, err := p.values(args)
	if err != nil {
		return err
	}
	p.addWant(name, values)
	return nil
}

// values writes N*V out.
func (p *parser) values(args []word) ([]string, error) {
	var out []string
	for _, a := range args {
		times, v := 1, a.text
		if !a.quoted {
			var err error
			if times, v, err = stars(a.text); err != nil {
				return nil, err
			}
		}
		if len(out)+times > maxSteps {
			return nil, tooLarge()
		}
		out = append(out, slices.Repeat([]string{v}, times)...)
	}
	return out, nil
}

func (p *parser) addWant(name string, values []string) {
	p.cur.Wants = slices.DeleteFunc(p.cur.Wants, func(w Want) bool { return w.Name == name })
	p.cur.Wants = append(p.cur.Wants, Want{p.line, name, values})
}

// Check holds a result against what must be reported of the transcript.
func (t *Transcript) Check(r Result) []Mismatch {
	var bad []Mismatch
	for _, w := range t.Wants {
		want, got := strings.Join(w.Args, " "), figures[w.Name](r)
		if !w.met(want, got) {
			bad = append(bad, Mismatch{w.Line, w.Name, want, got})
		}
	}
	return bad
}

func (w Want) met(want, got string) bool {
	switch w.Name {
	case "message":
		return strings.Contains(got, want)
	case "warnings":
		if want == "any" {
			return got != "none"
		}
		return want == "none" && got == want || slices.Equal(slices.Sorted(slices.Values(w.Args)), strings.Fields(got))
	case "tpot", "retry_after":
		f, err := strconv.ParseFloat(got, 64)
		if err != nil {
			return want == got
		}
		_, decimals, _ := strings.Cut(want, ".")
		return strconv.FormatFloat(f, 'f', len(decimals), 64) == want
	}
	return want == got
}

const none = "none"

// figures says what a result has under each name, as a want writes it.
var figures = map[string]func(Result) string{
	"outcome":      func(r Result) string { return string(r.Attempt.Outcome) },
	"finish":       func(r Result) string { return orNone(r.Attempt.Finish) },
	"code":         func(r Result) string { return orNone(r.Attempt.Code) },
	"message":      func(r Result) string { return r.Attempt.Message },
	"request_id":   func(r Result) string { return orNone(r.Attempt.RequestID) },
	"model":        func(r Result) string { return orNone(r.Attempt.ServedModel) },
	"fingerprint":  func(r Result) string { return orNone(r.Attempt.Fingerprint) },
	"path":         func(r Result) string { return r.Path },
	"text":         func(r Result) string { return r.Attempt.Answer },
	"status":       func(r Result) string { return positive(int64(r.Attempt.HTTPStatus)) },
	"bytes":        func(r Result) string { return strconv.FormatInt(r.Attempt.Frames.Bytes, 10) },
	"characters":   func(r Result) string { return strconv.Itoa(r.Attempt.Characters) },
	"estimated":    func(r Result) string { return positive(int64(r.Attempt.OutputEstimated)) },
	"retry_after":  func(r Result) string { return seconds(r.Attempt.RetryAfter) },
	"not_streamed": func(r Result) string { return yesNo(r.Attempt.NotStreamed) },
	"usable":       func(r Result) string { return yesNo(r.Usable) },

	"input":     func(r Result) string { return tokens(r.Attempt.Tokens.Input) },
	"output":    func(r Result) string { return tokens(r.Attempt.Tokens.Output) },
	"cached":    func(r Result) string { return tokens(r.Attempt.Tokens.Cached) },
	"reasoning": func(r Result) string { return tokens(r.Attempt.Tokens.Reasoning) },
	"tokens": func(r Result) string {
		return tokens(r.Attempt.Tokens.Input) + " " + tokens(r.Attempt.Tokens.Output)
	},

	"frames":           func(r Result) string { return strconv.Itoa(r.Attempt.Frames.Output) },
	"events":           func(r Result) string { return strconv.Itoa(r.Attempt.Frames.Events) },
	"reasoning_frames": func(r Result) string { return strconv.Itoa(r.Attempt.Frames.Reasoning) },
	"refusal_frames":   func(r Result) string { return strconv.Itoa(r.Attempt.Frames.Refusal) },
	"tool_frames":      func(r Result) string { return strconv.Itoa(r.Attempt.Frames.Tool) },
	"keepalives":       func(r Result) string { return strconv.Itoa(r.Attempt.Frames.KeepAlives) },
	"first_read":       func(r Result) string { return strconv.Itoa(r.Attempt.Frames.FirstRead) },
	"uncertain":        func(r Result) string { return strconv.Itoa(r.Attempt.Frames.Uncertain) },

	"headers":     func(r Result) string { return since(r, r.Attempt.Headers) },
	"first_byte":  func(r Result) string { return since(r, r.Attempt.FirstByte) },
	"first_event": func(r Result) string { return since(r, r.Attempt.FirstEvent) },
	"ttft":        func(r Result) string { return first(r, r.Attempt.FirstOut) },
	"ttfa":        func(r Result) string { return first(r, r.Attempt.FirstAns) },
	"e2e":         func(r Result) string { return since(r, r.Attempt.LastOut) },
	"terminal":    func(r Result) string { return since(r, r.Attempt.Terminal) },
	"end":         func(r Result) string { return since(r, r.Attempt.End) },
	"gaps":        func(r Result) string { return gaps(r.Attempt.Gaps) },
	"tpot":        func(r Result) string { return tpot(r.Attempt) },
	"warnings":    func(r Result) string { return orNone(strings.Join(slices.Sorted(maps.Keys(r.Attempt.Warnings)), " ")) },
}

func orNone(s string) string {
	if s == "" {
		return none
	}
	return s
}

func positive(n int64) string {
	if n == 0 {
		return none
	}
	return strconv.FormatInt(n, 10)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func seconds(f float64) string {
	if f == 0 {
		return none
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func tokens(c record.Count) string {
	if !c.Known() {
		return none
	}
	return strconv.FormatInt(c.N, 10)
}

// ms writes nanoseconds as milliseconds, exactly.
func ms(ns int64) string {
	return strconv.FormatFloat(float64(ns)/float64(time.Millisecond), 'f', -1, 64)
}

// since is a clock's distance from the request's first byte.
func since(r Result, o record.Offset) string {
	if o == 0 || r.Attempt.Sent == 0 {
		return none
	}
	return ms(int64(o - r.Attempt.Sent))
}

// first is since, but that an answer in one piece has no wait for a first one.
func first(r Result, o record.Offset) string {
	if r.Attempt.NotStreamed {
		return none
	}
	return since(r, o)
}

func gaps(p record.Packed) string {
	var out []string
	for ns := range p.All() {
		out = append(out, ms(ns))
	}
	return orNone(strings.Join(out, " "))
}

// tpot follows the definition: (last − first output) / (tokens − 1), over the
// visible tokens where the reasoning was counted but not shown.
func tpot(a *record.Attempt) string {
	n := a.Tokens.Output.N
	if a.Frames.Reasoning == 0 {
		n -= a.Tokens.Reasoning.N
	}
	if window := int64(a.LastOut - a.FirstOut); n >= 2 && window > 0 && a.FirstOut > 0 {
		return ms(window / (n - 1))
	}
	return none
}
