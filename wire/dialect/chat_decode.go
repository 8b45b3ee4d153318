package dialect

import (
	"bytes"
	"errors"
	"strings"

	"github.com/valyala/fastjson"

	"tidemark/record"
	"tidemark/record/outcome"
)

// bigFrame is the size in bytes from which a frame gets a parser of its own,
// so that one large frame doesn't keep its memory for the rest of the stream.
const bigFrame = 1 << 20

var errNoObject = errors.New("the JSON value is no object")

// parsers lends what frames that are not ordinary are parsed with: most
// streams have two of those, at their end.
var parsers fastjson.ParserPool

// chatDecoder remembers what most frames repeat, so that an ordinary frame
// allocates nothing.
type chatDecoder struct {
	id, model, fingerprint string
	finish                 string
	spoke                  bool // sampled text was seen
	warned                 bool // of record.WarnSuspectZero
	moved                  bool // warned of record.WarnUsageLocation
}

func (d *chatDecoder) Frame(f Frame, o *Observation) error {
	if d.ordinary(f, o) {
		return nil
	}
	return d.full(f, o)
}

// full reads any frame.
func (d *chatDecoder) full(f Frame, o *Observation) error {
	if len(f.Error) > 0 {
		o.Failure = saidIn(f.Error).inBand()
		return nil
	}
	data := bytes.TrimSpace(f.Data)
	if len(data) == 0 {
		o.Empty = true
		return nil
	}
	if isDone(data, o) {
		return nil
	}
	parser := parserFor(data)
	defer keepParser(parser, data)
	v, err := object(parser, data)
	if err != nil {
		return err
	}
	d.read(v, "delta", o)
	if string(f.Event) == "error" && o.Failure == nil {
		o.Failure = saidBy(v).inBand()
	}
	o.Empty = o.Failure == nil && len(v.GetArray("choices")) == 0 && o.Usage == record.Tokens{}
	return nil
}

func (d *chatDecoder) Body(body []byte, o *Observation) error {
	v, err := object(new(fastjson.Parser), body)
	if err != nil {
		return err
	}
	d.read(v, "message", o)
	if o.Failure == nil && len(v.GetArray("choices")) == 0 {
		o.Failure = &Failure{Class: outcome.NotAnAPIResponse, Message: record.OneLine(body, record.MessageLimit)}
	}
	return nil
}

func parserFor(data []byte) *fastjson.Parser {
	if len(data) > bigFrame {
		return new(fastjson.Parser)
	}
	return parsers.Get()
}

// keepParser takes back what parserFor gave; nothing of what it parsed is
// used from here on.
func keepParser(p *fastjson.Parser, data []byte) {
	if len(data) <= bigFrame {
		parsers.Put(p)
	}
}

// object parses a JSON object.
func object(parser *fastjson.Parser, data []byte) (*fastjson.Value, error) {
	v, err := parser.ParseBytes(data)
	if err == nil && v.Type() != fastjson.TypeObject {
		err = errNoObject
	}
	return v, err
}

// isDone reports whether data is the sentinel, however it is spelt.
func isDone(data []byte, o *Observation) bool {
	const sentinel = "[DONE]"
	if string(data) == sentinel {
		o.Done = true
	} else if len(data) == len(sentinel) && strings.EqualFold(string(data), sentinel) {
		o.Done = true
		o.Warnings = append(o.Warnings, record.WarnDoneSpelling)
	}
	return o.Done
}

// read says what a chunk, or a whole completion, means. turn is the member of
// a choice that holds what the model said.
func (d *chatDecoder) read(v *fastjson.Value, turn string, o *Observation) {
	o.ID = remember(&d.id, v.GetStringBytes("id"))
	o.Model = remember(&d.model, v.GetStringBytes("model"))
	o.Fingerprint = remember(&d.fingerprint, v.GetStringBytes("system_fingerprint"))
	choices := v.GetArray("choices")
	for _, c := range choices {
		chatTurn(c.Get(turn), o)
		if reason := c.GetStringBytes("finish_reason"); len(reason) > 0 && o.Finish == "" {
			o.Finish = remember(&d.finish, reason)
		}
	}
	d.spoke = d.spoke || o.Output()
	d.usage(v, choices, o)
	o.Failure = chatFailure(v, choices, turn, o.Finish)
}

// remember returns b as a string, made anew only where it changed.
func remember(last *string, b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if *last != string(b) {
		*last = string(b)
	}
	return *last
}

// chatTurn takes what the model said from a delta or a message; nil says nothing.
func chatTurn(turn *fastjson.Value, o *Observation) {
	if turn == nil {
		return
	}
	chatContent(turn.Get("content"), o)
	// Some servers send the same text under both names.
	reasoning := turn.GetStringBytes("reasoning_content")
	if len(reasoning) == 0 {
		reasoning = turn.GetStringBytes("reasoning")
	}
	o.Reasoning = append(o.Reasoning, reasoning...)
	o.Refusal = append(o.Refusal, turn.GetStringBytes("refusal")...)
	for _, call := range turn.GetArray("tool_calls") {
		chatFunction(call.Get("function"), "arguments", o)
		chatFunction(call.Get("custom"), "input", o)
	}
	chatFunction(turn.Get("function_call"), "arguments", o)
}

// chatContent takes a content member: a string, or an array of typed parts.
func chatContent(content *fastjson.Value, o *Observation) {
	if content == nil {
		return
	}
	if content.Type() == fastjson.TypeString {
		o.Answer = append(o.Answer, content.GetStringBytes()...)
		return
	}
	for _, part := range content.GetArray() {
		if part.Type() == fastjson.TypeString {
			o.Answer = append(o.Answer, part.GetStringBytes()...)
			continue
		}
		o.Answer = append(o.Answer, part.GetStringBytes("text")...)
		o.Refusal = append(o.Refusal, part.GetStringBytes("refusal")...)
		o.Reasoning = append(o.Reasoning, part.GetStringBytes("thinking")...)
		for _, thought := range part.GetArray("thinking") {
			o.Reasoning = append(o.Reasoning, thought.GetStringBytes("text")...)
		}
	}
}

// chatFunction takes the name and the arguments of a call. Arguments are a
// string by the API; some servers send the object itself.
func chatFunction(f *fastjson.Value, arguments string, o *Observation) {
	if f == nil {
		return
	}
	o.Tool = append(o.Tool, f.GetStringBytes("name")...)
	switch args := f.Get(arguments); {
	case args == nil:
	case args.Type() == fastjson.TypeString:
		o.Tool = append(o.Tool, args.GetStringBytes()...)
	case args.Type() == fastjson.TypeObject && args.GetObject().Len() > 0:
		o.Tool = args.MarshalTo(o.Tool)
	}
}

// chatFailure looks for an error inside a 200. An error that is null, empty
// or false is none.
func chatFailure(v *fastjson.Value, choices []*fastjson.Value, turn, finish string) *Failure {
	if s, is := readError(v.Get("error")); is {
		return s.inBand()
	}
	for _, c := range choices {
		if s, is := readError(c.Get("error")); is {
			return s.inBand()
		}
		if c.Get(turn) == nil && c.Get("text") != nil {
			return &Failure{Class: outcome.WrongProtocol, Message: "choices[].text"}
		}
	}
	if finish == "error" {
		return said{code: "error"}.inBand()
	}
	if len(choices) > 0 {
		return nil
	}
	if s, is := bareRefusal(v); is {
		return s.inBand()
	}
	if sign := otherAPI(v); sign != "" {
		return &Failure{Class: outcome.WrongProtocol, Message: sign}
	}
	return nil
}

// otherAPI returns the mark of a frame or body of another API than Chat
// Completions; "" where there is none.
func otherAPI(v *fastjson.Value) string {
	typ := string(v.GetStringBytes("type"))
	for _, prefix := range []string{"message_", "content_block_", "response."} {
		if strings.HasPrefix(typ, prefix) {
			return "type " + typ
		}
	}
	switch {
	case typ == "message":
		return "type message"
	case string(v.GetStringBytes("object")) == "response":
		return "object response"
	case v.Get("done") != nil && (v.Get("message") != nil || v.Get("response") != nil):
		return "done"
	case v.Get("candidates") != nil:
		return "candidates"
	}
	return ""
}
