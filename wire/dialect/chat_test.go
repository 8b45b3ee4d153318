package dialect

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/record/outcome"
)

func TestNamed(t *testing.T) {
	for _, name := range Names() {
		if d, ok := Named(name); !ok || d.Name() != name {
			t.Errorf("%s: %v %v", name, d, ok)
		}
	}
	if _, ok := Named("no such API"); ok {
		t.Error("an unknown name was found")
	}
	if Names()[0] != "chat" {
		t.Errorf("the default is %s", Names()[0])
	}
}

func TestEncode(t *testing.T) {
	half := 0.5
	hello := []prompt.Message{{Role: "user", Text: `a <b> & "c"` + "\n木"}}
	const content = `[{"role":"user","content":"a <b> & \"c\"\n木"}]`
	for _, c := range []struct {
		name string
		in   prompt.Request
		want string
	}{
		{"streamed", prompt.Request{Model: "toy-1", Messages: hello, Stream: true, MaxTokens: 128},
			`{"model":"toy-1","messages":` + content + `,"stream":true,"stream_options":{"include_usage":true},"max_tokens":128}`},
		{"whole", prompt.Request{Model: "toy-1", Messages: hello},
			`{"model":"toy-1","messages":` + content + `,"stream":false}`},
		{"case 400-max-tokens-name", prompt.Request{Model: "toy-1", Messages: hello, MaxTokens: 8, MaxTokensField: "max_completion_tokens"},
			`{"model":"toy-1","messages":` + content + `,"stream":false,"max_completion_tokens":8}`},
		{"case 400-temperature: sent where set", prompt.Request{Model: "toy-1", Messages: hello, Temperature: &half},
			`{"model":"toy-1","messages":` + content + `,"stream":false,"temperature":0.5}`},
		{"no model named", prompt.Request{Messages: hello}, `{"messages":` + content + `,"stream":false}`},
		{"a message as its file gave it", prompt.Request{Model: "m", Messages: []prompt.Message{{Role: "user", Raw: json.RawMessage(`{"role":"user","content":[{"type":"text","text":"x"}]}`)}}, Tools: json.RawMessage(`[{"type":"function"}]`)},
			`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}],"stream":false,"tools":[{"type":"function"}]}`},
		{"extra wins, adds in order, null removes", prompt.Request{Model: "m", Messages: hello, Stream: true, MaxTokens: 8,
			Extra: map[string]json.RawMessage{"top_p": json.RawMessage("0.9"), "ignore_eos": json.RawMessage("true"),
				"max_tokens": json.RawMessage("9"), "stream_options": json.RawMessage(" null "), "stop": json.RawMessage("null")}},
			`{"model":"m","messages":` + content + `,"stream":true,"max_tokens":9,"ignore_eos":true,"stop":null,"top_p":0.9}`},
		{"extra turns streaming off", prompt.Request{Model: "m", Messages: hello, Stream: true, Extra: map[string]json.RawMessage{"stream": json.RawMessage("false")}},
			`{"model":"m","messages":` + content + `,"stream":false}`},
	} {
		call, err := chat{}.Encode(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, string(call.Body)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if !json.Valid(call.Body) {
			t.Errorf("%s: no JSON", c.name)
		}
		var sent struct{ Stream bool }
		_ = json.Unmarshal(call.Body, &sent)
		accept, framing := "application/json", Whole
		if sent.Stream {
			accept, framing = "text/event-stream", SSE
		}
		if call.Header.Get("Accept") != accept || call.Framing != framing || call.Path != "/chat/completions" || call.Method != http.MethodPost {
			t.Errorf("%s: %s %s, Accept %s, framing %d", c.name, call.Method, call.Path, call.Header.Get("Accept"), call.Framing)
		}
	}
}

// seen is what an observation holds, in a form that is easy to write down.
type seen struct {
	Answer, Reasoning, Refusal, Tool string
	In, Out, Cached, Thought         int64 // 0: absent
	Finish                           string
	Done, Empty                      bool
	Class                            outcome.Class
	Code, Message                    string
	Warnings                         []string
}

func look(o *Observation) seen {
	s := seen{
		Answer: string(o.Answer), Reasoning: string(o.Reasoning), Refusal: string(o.Refusal), Tool: string(o.Tool),
		In: number(o.Usage.Input), Out: number(o.Usage.Output), Cached: number(o.Usage.Cached), Thought: number(o.Usage.Reasoning),
		Finish: o.Finish, Done: o.Done, Empty: o.Empty,
	}
	if len(o.Warnings) > 0 {
		s.Warnings = append(s.Warnings, o.Warnings...)
	}
	if f := o.Failure; f != nil {
		s.Class, s.Code, s.Message = f.Class, f.Code, f.Message
	}
	return s
}

// reportedZero stands for a count of zero that the server reported.
const reportedZero = -1

func number(c record.Count) int64 {
	if c.Known() && c.N == 0 {
		return reportedZero
	}
	return c.N
}

func choice(inner string) string {
	return `{"id":"cc-1","created":1700000000,"model":"toy-1","choices":[{"index":0,` + inner + `}]}`
}
func delta(inner string) string { return choice(`"delta":{` + inner + `},"finish_reason":null`) }
func top(inner string) string   { return `{"id":"cc-1","model":"toy-1","choices":[],` + inner + `}` }

const usage74 = `"usage":{"prompt_tokens":7,"completion_tokens":4,"total_tokens":11}`

// frameCases are frames of all kinds, and what must be seen in them.
var frameCases = []struct {
	name string
	data string
	want seen
}{
	{"role", delta(`"role":"assistant","content":""`), seen{}},
	{"content", delta(`"content":"al"`), seen{Answer: "al"}},
	{"case role-chunk-with-null-content", delta(`"role":"assistant","content":null`), seen{}},
	{"case choice-without-delta", choice(`"finish_reason":null,"content_filter_results":{},"content_filter_offsets":{"start":3}`), seen{}},
	{"null delta", choice(`"delta":null,"finish_reason":null`), seen{}},
	{"case reasoning-only-stream", delta(`"reasoning":"hm"`), seen{Reasoning: "hm"}},
	{"reasoning_content", delta(`"reasoning_content":"hm","content":null`), seen{Reasoning: "hm"}},
	{"both names, one text", delta(`"reasoning_content":"hm","reasoning":"hm"`), seen{Reasoning: "hm"}},
	{"first name empty", delta(`"reasoning_content":"","reasoning":"hm"`), seen{Reasoning: "hm"}},
	{"case refusal-only", delta(`"refusal":"no"`), seen{Refusal: "no"}},
	{"case tool-call-bookkeeping-frame", delta(`"tool_calls":[{"index":0,"id":"t1","type":"function","function":{}}]`), seen{}},
	{"tool call", delta(`"tool_calls":[{"index":0,"function":{"name":"get_x","arguments":""}},{"index":1,"function":{"arguments":"{\"a\""}}]`), seen{Tool: `get_x{"a"`}},
	{"arguments as an object", delta(`"tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]`), seen{Tool: `f{"a":1}`}},
	{"custom tool", delta(`"tool_calls":[{"type":"custom","custom":{"name":"f","input":"x"}}]`), seen{Tool: "fx"}},
	{"legacy function_call", delta(`"function_call":{"name":"f","arguments":"{}"}`), seen{Tool: "f{}"}},
	{"case whitespace-first-token", delta(`"content":"\n\n"`), seen{Answer: "\n\n"}},
	{"case sse-utf8-split", delta(`"content":"é木🦀"`), seen{Answer: "é木🦀"}},
	{"case sse-unicode-line-separators-in-payload", delta(`"content":"a` + "\u2028\u2029\u0085" + `\u000b\f"`), seen{Answer: "a\u2028\u2029\u0085\v\f"}},
	{"escapes", delta(`"content":"\ud83e\udd80 \"q\" \\ \/"`), seen{Answer: `🦀 "q" \ /`}},
	{"content parts", delta(`"content":[{"type":"text","text":"a"},{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"refusal","refusal":"r"}]`), seen{Answer: "a", Reasoning: "t", Refusal: "r"}},
	{"several choices", `{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null},{"index":1,"delta":{"content":"b"},"finish_reason":"stop"}]}`, seen{Answer: "ab", Finish: "stop"}},
	{"case sse-multiline-data", "{\"choices\":\n[{\"delta\":\n{\"content\":\" be\"}}]}", seen{Answer: " be"}},
	{"case logprobs-without-text", choice(`"delta":{"content":""},"logprobs":{"content":[{"token":null,"bytes":null}]},"finish_reason":"stop"`), seen{Finish: "stop"}},
	{"finish", choice(`"delta":{},"finish_reason":"length"`), seen{Finish: "length"}},
	{"case finish-reason-empty-string-everywhere", choice(`"delta":{},"finish_reason":""`), seen{}},
	{"last token on the finish chunk", choice(`"delta":{"content":"x"},"finish_reason":"length"`), seen{Answer: "x", Finish: "length"}},

	{"case usage-chunk-with-empty-choices", top(usage74), seen{In: 7, Out: 4}},
	{"case usage-null-then-real", top(`"usage":null`), seen{Empty: true}},
	{"usage empty", top(`"usage":{}`), seen{Empty: true}},
	{"usage all null", top(`"usage":{"prompt_tokens":null,"completion_tokens":null,"prompt_tokens_details":null}`), seen{Empty: true}},
	{"case usage-inside-the-choice", choice(`"delta":{},"finish_reason":"stop",` + usage74), seen{In: 7, Out: 4, Finish: "stop", Warnings: []string{record.WarnUsageLocation}}},
	{"case usage-in-vendor-object", `{"choices":[{"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"r",` + usage74 + `}}`, seen{In: 7, Out: 4, Finish: "stop", Warnings: []string{record.WarnUsageLocation}}},
	{"empty usage beside a choice's", `{"usage":{},"choices":[{"delta":{},` + usage74 + `}]}`, seen{In: 7, Out: 4, Warnings: []string{record.WarnUsageLocation}}},
	{"case usage-placeholder-zero-prompt", top(`"usage":{"prompt_tokens":0,"completion_tokens":4}`), seen{Out: 4, Warnings: []string{record.WarnSuspectZero}}},
	{"case usage-explicit-zero-output", top(`"usage":{"prompt_tokens":7,"completion_tokens":0}`), seen{In: 7, Out: reportedZero}},
	{"zero output beside text", `{"usage":{"prompt_tokens":7,"completion_tokens":0},"choices":[{"delta":{"content":"x"}}]}`, seen{Answer: "x", In: 7, Warnings: []string{record.WarnSuspectZero}}},
	{"case usage-total-not-the-sum", top(`"usage":{"prompt_tokens":7,"completion_tokens":4,"total_tokens":19}`), seen{In: 7, Out: 4}},
	{"details", top(`"usage":{"prompt_tokens":7,"completion_tokens":10,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":6}}`), seen{In: 7, Out: 10, Cached: reportedZero, Thought: 6}},
	{"cache hits by another name", top(`"usage":{"prompt_tokens":7,"completion_tokens":4,"prompt_cache_hit_tokens":5,"prompt_cache_miss_tokens":2}`), seen{In: 7, Out: 4, Cached: 5}},
	{"counts that are none", top(`"usage":{"prompt_tokens":-1,"completion_tokens":1.5,"prompt_cache_hit_tokens":1e300,"reasoning_tokens":"3"}`), seen{Empty: true}},

	{"done", "[DONE]", seen{Done: true}},
	{"case sse-done-spelling: blank after", "[DONE] ", seen{Done: true}},
	{"case sse-done-spelling: blank before", " [DONE]", seen{Done: true}},
	{"case sse-done-spelling: letter case", "[Done]", seen{Done: true, Warnings: []string{record.WarnDoneSpelling}}},
	{"case sse-empty-data-and-fieldless-frames", "", seen{Empty: true}},
	{"blank data", "  \n", seen{Empty: true}},
	{"case stall-with-keepalives", "{}", seen{Empty: true}},
	{"choices empty, no usage", top(`"prompt_filter_results":[]`), seen{Empty: true}},
	{"choices null", `{"choices":null}`, seen{Empty: true}},
	{"a ping of another API", `{"type":"ping"}`, seen{Empty: true}},

	{"case error-object-then-done", `{"error":{"message":"engine gone","type":"server_error","code":500}}`, seen{Class: outcome.InbandError, Code: "500", Message: "engine gone"}},
	{"case error-null-is-no-error", `{"error":null,"choices":[{"delta":{"content":"an error"},"error":null}]}`, seen{Answer: "an error"}},
	{"error false, empty", `{"error":false,"choices":[{"delta":{"content":"x"},"error":{}}]}`, seen{Answer: "x"}},
	{"case error-beside-choices-with-finish-error", `{"error":{"code":502,"message":"bad upstream"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`, seen{Finish: "error", Class: outcome.InbandError, Code: "502", Message: "bad upstream"}},
	{"case error-beside-choices-with-finish-error: in the choice", choice(`"delta":{"content":""},"error":{"code":502,"message":"bad upstream"},"finish_reason":"error"`), seen{Finish: "error", Class: outcome.InbandError, Code: "502", Message: "bad upstream"}},
	{"case error-beside-choices-with-finish-error: reason only", choice(`"delta":{"content":""},"finish_reason":"error"`), seen{Finish: "error", Class: outcome.InbandError, Code: "error"}},
	{"upstream 429", choice(`"error":{"code":"429","message":"upstream limited"},"finish_reason":"error"`), seen{Finish: "error", Class: outcome.RateLimited, Code: "429", Message: "upstream limited"}},
	{"error is a string", `{"error":"boom\nboom"}`, seen{Class: outcome.InbandError, Message: "boom boom"}},
	{"code is a number, type tells", `{"error":{"code":400,"type":"insufficient_quota","message":"x"}}`, seen{Class: outcome.Quota, Code: "400", Message: "x"}},
	{"no code", `{"error":{"type":"overloaded_error","message":"busy"}}`, seen{Class: outcome.Overloaded, Code: "overloaded_error", Message: "busy"}},
	{"error without words", `{"error":{"code":500,"param":null}}`, seen{Class: outcome.InbandError, Code: "500", Message: `{"code":500,"param":null}`}},
	{"case json-error-with-200: success false", `{"success":false,"msg":"nope"}`, seen{Class: outcome.InbandError, Message: "nope"}},
	{"case json-error-with-200: code", `{"code":1002,"message":"nope","data":null}`, seen{Class: outcome.InbandError, Code: "1002", Message: "nope"}},
	{"object error", `{"object":"error","message":"nope","code":40001}`, seen{Class: outcome.InbandError, Code: "40001", Message: "nope"}},
	{"a code that means well", `{"code":200,"message":"ok"}`, seen{Empty: true}},

	{"another API: messages", `{"type":"message_start","message":{"content":[]}}`, seen{Class: outcome.WrongProtocol, Message: "type message_start"}},
	{"another API: responses", `{"type":"response.created","response":{}}`, seen{Class: outcome.WrongProtocol, Message: "type response.created"}},
	{"another API: completions", `{"choices":[{"index":0,"text":"al","finish_reason":null}]}`, seen{Class: outcome.WrongProtocol, Message: "choices[].text"}},
	{"another API: ollama", `{"model":"toy","message":{"content":"x"},"done":false}`, seen{Class: outcome.WrongProtocol, Message: "done"}},
	{"another API: gemini", `{"candidates":[]}`, seen{Class: outcome.WrongProtocol, Message: "candidates"}},
}

func TestFrame(t *testing.T) {
	for _, c := range frameCases {
		var o Observation
		if err := new(chatDecoder).Frame(Frame{Data: []byte(c.data)}, &o); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, look(&o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFrameFields(t *testing.T) {
	for _, c := range []struct {
		name string
		f    Frame
		want seen
	}{
		{"case sse-empty-data-and-fieldless-frames: event only", Frame{Event: []byte("ping")}, seen{Empty: true}},
		{"case nonstandard-error-field", Frame{Error: []byte(` {"code":400,"message":"prompt longer than context","type":"invalid_request_error"}`)},
			seen{Class: outcome.InbandError, Code: "400", Message: "prompt longer than context"}},
		{"error field in plain words", Frame{Error: []byte("boom")}, seen{Class: outcome.InbandError, Message: "boom"}},
		{"event error", Frame{Event: []byte("error"), Data: []byte(`{"code":429,"message":"busy"}`)}, seen{Class: outcome.RateLimited, Code: "429", Message: "busy"}},
	} {
		var o Observation
		if err := new(chatDecoder).Frame(c.f, &o); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if diff := cmp.Diff(c.want, look(&o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestFrameThatCannotBeRead(t *testing.T) {
	for name, data := range map[string]string{
		"case sse-malformed-json-mid-stream":        `{"id":"cc-1","choices":[{"del`,
		"case sse-single-newline-between-events":    delta(`"content":"a"`) + "\n" + delta(`"content":"b"`),
		"an array":                                  "[]",
		"a string":                                  `"x"`,
		"case sse-final-json-unterminated: no JSON": `{"choices":`,
	} {
		var o Observation
		if err := new(chatDecoder).Frame(Frame{Data: []byte(data)}, &o); err == nil {
			t.Errorf("%s: read as %+v", name, look(&o))
		}
	}
}

func TestWho(t *testing.T) {
	var o Observation
	d := new(chatDecoder)
	for range 2 {
		o.Reset()
		if err := d.Frame(Frame{Data: []byte(`{"id":"cc-1","model":"toy-1","system_fingerprint":"fp","choices":[{"delta":{"content":"x"}}]}`)}, &o); err != nil {
			t.Fatal(err)
		}
		if o.ID != "cc-1" || o.Model != "toy-1" || o.Fingerprint != "fp" {
			t.Errorf("%q %q %q", o.ID, o.Model, o.Fingerprint)
		}
	}
}

// Observations must not change when the parser is used again.
func TestObservationOutlivesTheParser(t *testing.T) {
	d := new(chatDecoder)
	var first, second Observation
	_ = d.Frame(Frame{Data: []byte(delta(`"content":"first"`))}, &first)
	_ = d.Frame(Frame{Data: []byte(delta(`"content":"other"`))}, &second)
	if string(first.Answer) != "first" || first.ID != "cc-1" {
		t.Errorf("%q %q", first.Answer, first.ID)
	}
}

func TestBody(t *testing.T) {
	whole := func(message, rest string) string {
		return `{"id":"cc-1","object":"chat.completion","model":"toy-1","choices":[{"index":0,"message":{"role":"assistant",` + message + `},"finish_reason":"stop"}]` + rest + `}`
	}
	for _, c := range []struct {
		name, body string
		want       seen
	}{
		{"case json-body-although-stream-asked", whole(`"content":"alpha beta"`, ","+usage74), seen{Answer: "alpha beta", In: 7, Out: 4, Finish: "stop"}},
		{"reasoning and tool", whole(`"content":null,"reasoning_content":"hm","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]`, ""), seen{Reasoning: "hm", Tool: "f{}", Finish: "stop"}},
		{"parts", whole(`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]`, ""), seen{Answer: "ab", Finish: "stop"}},
		{"case json-error-with-200", `{"error":{"message":"upstream limited","code":429}}`, seen{Class: outcome.RateLimited, Code: "429", Message: "upstream limited"}},
		{"case json-error-with-200: success false", `{"success":false,"msg":"nope"}`, seen{Class: outcome.InbandError, Message: "nope"}},
		{"case json-error-with-200: code", `{"code":1002,"message":"nope","data":null}`, seen{Class: outcome.InbandError, Code: "1002", Message: "nope"}},
		{"no API's answer", `{"status":"ok"}`, seen{Class: outcome.NotAnAPIResponse, Message: `{"status":"ok"}`}},
		{"another API: messages", `{"type":"message","content":[{"type":"text","text":"x"}]}`, seen{Class: outcome.WrongProtocol, Message: "type message"}},
		{"another API: responses", `{"object":"response","output":[],"error":null}`, seen{Class: outcome.WrongProtocol, Message: "object response"}},
	} {
		var o Observation
		if err := new(chatDecoder).Body([]byte(c.body), &o); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, look(&o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	for _, body := range []string{"", "<html></html>", `{"choices":[`, "5"} {
		if err := new(chatDecoder).Body([]byte(body), new(Observation)); err == nil {
			t.Errorf("%q was read", body)
		}
	}
}

// A request is, byte for byte, what encoding/json would write of it.
func TestEncodeIsPlainJSON(t *testing.T) {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	odd := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"<&>", "a\u2028b", "\xff\xfe", "tab\t\"q\" \\", "潮水", "e\u0301 😀"}))
	rapid.Check(t, func(t *rapid.T) {
		r := prompt.Request{Model: odd.Draw(t, "model"), Stream: rapid.Bool().Draw(t, "stream"), MaxTokens: rapid.IntRange(0, 1e6).Draw(t, "max")}
		var messages []any
		for range rapid.IntRange(0, 4).Draw(t, "messages") {
			if rapid.Bool().Draw(t, "raw") {
				raw := json.RawMessage(`{"role":"user",  "content":[{"type":"text","text":"a b"}]}`)
				r.Messages, messages = append(r.Messages, prompt.Message{Role: "user", Raw: raw}), append(messages, raw)
				continue
			}
			m := prompt.Message{Role: odd.Draw(t, "role"), Text: odd.Draw(t, "text")}
			r.Messages, messages = append(r.Messages, m), append(messages, message{m.Role, m.Text})
		}
		if messages == nil {
			messages = []any{}
		}
		call, err := chat{}.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"messages": messages, "stream": r.Stream}
		for name, v := range want {
			b, err := plainJSON(v)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(call.Body, append([]byte(`"`+name+`":`), b...)) {
				t.Fatalf("%s is not %s in %s", name, b, call.Body)
			}
		}
		var got struct{ Model string }
		if json.Unmarshal(call.Body, &got) != nil || got.Model != strings.ToValidUTF8(r.Model, "\ufffd") && utf8.ValidString(r.Model) {
			t.Fatalf("%q in %s", r.Model, call.Body)
		}
	})
}
