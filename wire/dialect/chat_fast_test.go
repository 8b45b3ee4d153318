package dialect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// memory is what a decoder remembers from frame to frame.
type memory struct {
	ID, Model, Fingerprint, Finish string
	Spoke, Warned, Moved           bool
}

func (d *chatDecoder) memory() memory {
	return memory{d.id, d.model, d.fingerprint, d.finish, d.spoke, d.warned, d.moved}
}

// sameAsFull reads frames, one after the other in one stream, with and
// without the fast path, and says where the two differ.
func sameAsFull(t interface{ Errorf(string, ...any) }, frames ...Frame) {
	var with, without chatDecoder
	var a, b Observation
	for i, f := range frames {
		a.Reset()
		b.Reset()
		errA, errB := with.Frame(f, &a), without.full(f, &b)
		if words(errA) != words(errB) {
			t.Errorf("frame %d, %q: error %q, full %q", i, f.Data, words(errA), words(errB))
		}
		if !reflect.DeepEqual(a, b) { // cmp is slow, and this is called much
			t.Errorf("frame %d, %q (-full +fast):\n%s", i, f.Data, cmp.Diff(b, a))
		}
		if with.memory() != without.memory() {
			t.Errorf("after frame %d, %q (-full +fast):\n%s", i, f.Data, cmp.Diff(without.memory(), with.memory()))
		}
	}
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// fast reports whether the fast path takes the frame. Where it takes one, the
// bytes are JSON by the book; where it declines, it must leave no trace.
func fast(t interface{ Errorf(string, ...any) }, f Frame) bool {
	d := chatDecoder{id: "before", model: "before"}
	o := Observation{Answer: []byte("a"), Reasoning: []byte("r"), Refusal: []byte("n")}
	memory := d.memory()
	if d.ordinary(f, &o) {
		if !json.Valid(f.Data) {
			t.Errorf("taken, and no JSON: %q", f.Data)
		}
		return true
	}
	want := Observation{Answer: []byte("a"), Reasoning: []byte("r"), Refusal: []byte("n")}
	if !reflect.DeepEqual(o, want) || d.memory() != memory {
		t.Errorf("declined %q, and changed:\n%s%s", f.Data, cmp.Diff(want, o), cmp.Diff(memory, d.memory()))
	}
	return false
}

// ordinaryFrames are the chunks of text as servers send them.
var ordinaryFrames = map[string]string{
	"openai": `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-x","service_tier":"default","system_fingerprint":"fp_1",` +
		`"choices":[{"index":0,"delta":{"content":" a"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x7Yq"}`,
	"openai, role": `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"gpt-x","system_fingerprint":null,` +
		`"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null}`,
	"openai, logprobs": `{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"木"},"logprobs":{"content":[{"token":"木","logprob":-0.25e-3,` +
		`"bytes":[230,156,168],"top_logprobs":[]}],"refusal":null},"finish_reason":null}]}`,
	"vllm, reasoning": `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,` +
		`"delta":{"reasoning":"hm","reasoning_content":"hm"},"logprobs":null,"finish_reason":null,"token_ids":null}]}`,
	"sglang": `{"id":"1","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"role":null,"content":"a\n",` +
		`"reasoning_content":null,"tool_calls":null},"logprobs":null,"finish_reason":null,"matched_stop":null}],"usage":null}`,
	"tidemark sim": `{"id":"chatcmpl-sim-1","object":"chat.completion.chunk","created":1700000000,"model":"sim","system_fingerprint":"fp_tidemark_sim",` +
		`"choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}`,
	"python":              `{"id": "1", "choices": [{"index": 0, "delta": {"content": "\u6728\ud83e\udd80 \"q\" \\ \/ \t"}, "finish_reason": null}]}`,
	"empty finish_reason": `{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"","error":null}],"error":null}`,
	"several lines":       "{\"choices\":\n[{\"delta\":\n{\"content\":\" be\"}}]}\n",
	"another index":       `{"choices":[{"index":1,"delta":{"content":"a"}}]}`,
	"refusal":             `{"choices":[{"index":0,"delta":{"refusal":"no"}}]}`,
	"nothing in it":       `{"choices":[{"index":0,"delta":{}}]}`,
}

func TestOrdinaryFramesAreFast(t *testing.T) {
	for name, data := range ordinaryFrames {
		if !fast(t, Frame{Data: []byte(data)}) {
			t.Errorf("%s: declined", name)
		}
		sameAsFull(t, Frame{Data: []byte(data)})
		var d chatDecoder
		var o Observation
		f := Frame{Data: []byte(data)}
		if n := testing.AllocsPerRun(100, func() { o.Reset(); d.ordinary(f, &o) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Of a real stream, only the end needs the full decoder.
func TestRealStreamsAreFast(t *testing.T) {
	for name, want := range map[string]int{
		"llamacpp_chat_stream_usage":        3, // finish, usage, [DONE]
		"llamacpp_emoji_multi_token_chunk":  3, // the same
		"llamacpp_killed_midstream":         0,
		"vllm_chat_stream_contusage":        6, // usage on each, [DONE]
		"vllm_worker_killed_midstream":      2, // the error, [DONE]
		"litellm_chat_stream_usage":         3, // finish, usage, [DONE]
		"litellm_upstream_killed_midstream": 1, // the error
		"llamacpppython_chat_stream":        2, // finish, [DONE]
		"llamacpppython_interrupted":        1, // [DONE]
	} {
		declined := 0
		all := streamFrames(t, name)
		for _, data := range all {
			if !fast(t, Frame{Data: data}) {
				declined++
			}
		}
		if declined != want {
			t.Errorf("%s: %d of %d frames were declined, want %d", name, declined, len(all), want)
		}
	}
}

// What is odd or wrong is left to the full decoder.
func TestOddFramesAreDeclined(t *testing.T) {
	const text = `"delta":{"content":"a"}`
	in := func(choice string) string { return `{"choices":[{` + choice + `}]}` }
	deep := strings.Repeat(`[{"a":`, maxDepth/2+1) + "0" + strings.Repeat("}]", maxDepth/2+1)
	for name, data := range map[string]string{
		"finish reason":         in(text + `,"finish_reason":"stop"`),
		"usage":                 `{"choices":[{` + text + `}],"usage":{}}`,
		"usage in the choice":   in(text + `,"usage":{}`),
		"a vendor's object":     `{"choices":[{` + text + `}],"x_groq":{}}`,
		"error":                 `{"choices":[{` + text + `}],"error":"x"}`,
		"error in the choice":   in(text + `,"error":{"code":502}`),
		"tool calls":            in(`"delta":{"tool_calls":[{"function":{"name":"f"}}]}`),
		"function call":         in(`"delta":{"function_call":{"name":"f"}}`),
		"content parts":         in(`"delta":{"content":[{"text":"a"}]}`),
		"content is a number":   in(`"delta":{"content":1}`),
		"id is a number":        `{"id":1,"choices":[{` + text + `}]}`,
		"id with an escape":     `{"id":"a\/b","choices":[{` + text + `}]}`,
		"two choices":           `{"choices":[{` + text + `},{` + text + `}]}`,
		"no choice":             `{"choices":[]}`,
		"no choices":            `{"id":"1"}`,
		"choices is null":       `{"choices":null}`,
		"no delta":              in(`"text":"a"`),
		"delta is null":         in(`"delta":null`),
		"content twice":         in(`"delta":{"content":null,"content":"a"}`),
		"delta twice":           in(`"delta":{"role":"assistant"},` + text),
		"choices twice":         `{"choices":[{"index":0}],"choices":[{` + text + `}]}`,
		"id twice":              `{"id":"1","id":"2","choices":[{` + text + `}]}`,
		"an escaped name":       in(`"delta":{"c\u006fntent":"a"}`),
		"half a pair":           in(`"delta":{"content":"\ud83e"}`),
		"half a pair, then u":   in(`"delta":{"content":"\ud83e\u0041"}`),
		"the second half":       in(`"delta":{"content":"\udd80"}`),
		"the wrong half":        in(`"delta":{"content":"\udd80\ud83e"}`),
		"nesting":               in(text + `,"logprobs":` + deep),
		"an array":              `[{"choices":[{` + text + `}]}]`,
		"done":                  "[DONE]",
		"nothing":               "",
		"cut":                   `{"choices":[{` + text + `}]`,
		"cut in a string":       `{"choices":[{"delta":{"content":"a`,
		"cut in an escape":      `{"choices":[{"delta":{"content":"a\`,
		"two in one":            in(text) + in(text),
		"comma at the end":      `{"choices":[{` + text + `}],}`,
		"comma in an array":     `{"choices":[{` + text + `},]}`,
		"no comma":              `{"id":"1" "choices":[{` + text + `}]}`,
		"no colon":              `{"choices"[{` + text + `}]}`,
		"wrong bracket":         `{"choices":[{` + text + `]]}`,
		"raw control character": in("\"delta\":{\"content\":\"a\nb\"}"),
		"wrong escape":          in(`"delta":{"content":"\q"}`),
		"wrong digits":          in(`"delta":{"content":"\u00g0"}`),
	} {
		if fast(t, Frame{Data: []byte(data)}) {
			t.Errorf("%s: taken", name)
		}
		sameAsFull(t, Frame{Data: []byte(data)})
	}
	good := []byte(in(text))
	for name, f := range map[string]Frame{
		"event error": {Event: []byte("error"), Data: good},
		"error field": {Error: []byte("x"), Data: good},
	} {
		if fast(t, f) {
			t.Errorf("%s: taken", name)
		}
	}
}

// Values that nothing is wanted of are read as strictly as the rest.
func TestSkippedValues(t *testing.T) {
	// The last bytes are looked at one by one, the others by eight.
	inside := func(v string) Frame {
		return Frame{Data: []byte(`{"choices":[{"delta":{"content":"a"},"logprobs":` + v + `}]}`)}
	}
	last := func(v string) Frame {
		return Frame{Data: []byte(`{"choices":[{"delta":{"content":"a"}}],"extra":` + v + `}`)}
	}
	for _, value := range strings.Fields(`0 -0 10 1.5 -0.25e-3 1E+9 1e05 true false null "" "\u00e9\\" {} [] {"a":{"b":[1,"c",null]},"a":2} [[],{}]`) {
		if !fast(t, inside(value)) || !fast(t, last(value)) {
			t.Errorf("%s: declined", value)
		}
		sameAsFull(t, inside(value), last(value))
	}
	for _, value := range strings.Fields("\"\x01\" \"\x1flonger\" " + `01 +1 1. .5 1e 1e+ - 1-2 NaN Infinity -inf 0x1 tru truth nul nulls None 'a' a "\x" "\u12" {a:1} {"a"} {"a":} {"a":1,} {,} [1,] [,1] [1;2] {"a":1] [1} ] }`) {
		if fast(t, inside(value)) || fast(t, last(value)) {
			t.Errorf("%s: taken", value)
		}
		sameAsFull(t, inside(value), last(value))
	}
}

// streamFrames are the frames of a recorded stream.
func streamFrames(tb testing.TB, name string) [][]byte {
	stream, err := os.ReadFile(filepath.Join("testdata", "streams", name+".sse"))
	if err != nil {
		tb.Fatal(err)
	}
	return frames(stream)
}

// everyFrame holds the frames of all streams, of the tables here, and of the
// transcripts that the wire is tested with.
func everyFrame(tb testing.TB) []string {
	var all []string
	for _, c := range frameCases {
		all = append(all, c.data)
	}
	for _, data := range ordinaryFrames {
		all = append(all, data)
	}
	streams, _ := filepath.Glob("testdata/streams/*.sse")
	for _, path := range streams {
		for _, data := range streamFrames(tb, strings.TrimSuffix(filepath.Base(path), ".sse")) {
			all = append(all, string(data))
		}
	}
	quoted := regexp.MustCompile("`[^`]*`")
	scripts, _ := filepath.Glob("../testdata/cases/*.txt")
	for _, path := range scripts {
		script, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		for _, data := range quoted.FindAllString(string(script), -1) {
			all = append(all, strings.Trim(data, "`"))
		}
	}
	if len(streams) == 0 || len(scripts) == 0 {
		tb.Fatal("no streams, or no transcripts")
	}
	return all
}

// zeroUsage comes last: whether its zero is believed depends on what the
// decoder remembers of the frames before.
const zeroUsage = `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":0}}`

func TestEveryFrameIsTheSame(t *testing.T) {
	for _, data := range everyFrame(t) {
		sameAsFull(t, Frame{Data: []byte(data)}, Frame{Data: []byte(zeroUsage)})
	}
}

func TestCutFramesAreTheSame(t *testing.T) {
	for _, data := range ordinaryFrames {
		for n := range len(data) {
			cut := Frame{Data: []byte(data[:n])}
			fast(t, cut)
			sameAsFull(t, cut)
		}
	}
}

func FuzzFastEqualsFull(f *testing.F) {
	for _, data := range everyFrame(f) {
		f.Add([]byte(data), []byte(ordinaryFrames["openai"]), []byte(nil))
	}
	f.Add([]byte(`{"code":429,"message":"busy"}`), []byte(ordinaryFrames["sglang"]), []byte("error"))
	f.Fuzz(func(t *testing.T, data, before, event []byte) {
		fast(t, Frame{Data: data, Event: event})
		sameAsFull(t, Frame{Data: before}, Frame{Data: data, Event: event}, Frame{Data: data}, Frame{Data: []byte(zeroUsage)})
	})
}

func TestFastEqualsFull(t *testing.T) {
	taken, all := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var stream []Frame
		for _, data := range rapid.SliceOfN(rapid.Custom(drawChunk), 1, 30).Draw(t, "stream") {
			f := Frame{Data: []byte(data)}
			stream = append(stream, f)
			all++
			if fast(t, f) {
				taken++
			}
		}
		sameAsFull(t, append(stream, Frame{Data: []byte(zeroUsage)})...)
	})
	if taken*10 < all || taken*10 > all*9 {
		t.Errorf("%d of %d were taken: too few or too many to tell", taken, all)
	}
}
