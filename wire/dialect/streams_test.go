package dialect

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
)

// frames cuts a stream into the data of its events; the streams here have one
// data line an event.
func frames(stream []byte) [][]byte {
	var all [][]byte
	for line := range bytes.Lines(stream) {
		if data, is := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); is {
			all = append(all, data)
		}
	}
	return all
}

// What real servers sent, and what must be seen in it.
func TestRealStreams(t *testing.T) {
	type result struct {
		Frames  int
		In, Out int64
		Finish  string
		Done    bool
		Class   outcome.Class
	}
	for name, want := range map[string]result{
		"llamacpp_chat_stream_usage":        {6, 33, 6, "length", true, ""},
		"llamacpp_emoji_multi_token_chunk":  {4, 38, 12, "length", true, ""},
		"llamacpp_killed_midstream":         {60, 0, 0, "", false, ""},
		"vllm_chat_stream_contusage":        {3, 14, 3, "length", true, ""},
		"vllm_worker_killed_midstream":      {39, 0, 0, "", true, outcome.InbandError},
		"litellm_chat_stream_usage":         {4, 33, 4, "length", true, ""},
		"litellm_upstream_killed_midstream": {59, 0, 0, "", false, outcome.InbandError},
		"llamacpppython_chat_stream":        {4, 0, 0, "length", true, ""},
		"llamacpppython_interrupted":        {54, 0, 0, "", true, ""},
	} {
		stream, err := os.ReadFile(filepath.Join("testdata", "streams", name+".sse"))
		if err != nil {
			t.Fatal(err)
		}
		var got result
		var o Observation
		d := chat{}.NewDecoder()
		for _, data := range frames(stream) {
			o.Reset()
			if err := d.Frame(Frame{Data: data}, &o); err != nil {
				t.Fatalf("%s: %v in %q", name, err, data)
			}
			if o.Output() {
				got.Frames++
			}
			if o.Usage.Input.Known() {
				got.In = o.Usage.Input.N
			}
			if o.Usage.Output.Known() {
				got.Out = o.Usage.Output.N
			}
			if o.Finish != "" {
				got.Finish = o.Finish
			}
			got.Done = got.Done || o.Done
			if o.Failure != nil {
				got.Class = o.Failure.Class
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func ordinary(tb testing.TB) [][]byte {
	stream, err := os.ReadFile(filepath.Join("testdata", "streams", "llamacpp_chat_stream_usage.sse"))
	if err != nil {
		tb.Fatal(err)
	}
	return frames(stream)
}

func TestOrdinaryFramesAllocateNothing(t *testing.T) {
	if racing {
		t.Skip("pools lose what they hold")
	}
	all := ordinary(t)
	var o Observation
	d := chat{}.NewDecoder()
	read := func() {
		for _, data := range all {
			o.Reset()
			if err := d.Frame(Frame{Data: data}, &o); err != nil {
				t.Fatal(err)
			}
		}
	}
	read() // the buffers grow once
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("%v allocations for %d frames", n, len(all))
	}
}

// A large frame must not keep its memory in a parser that is used again.
func TestLargeFrame(t *testing.T) {
	text := bytes.Repeat([]byte("x"), 4<<20)
	d := new(chatDecoder)
	var o Observation
	last := choice(`"delta":{"content":"` + string(text) + `"},"finish_reason":"stop"`) // not ordinary: it is parsed
	if err := d.Frame(Frame{Data: []byte(last)}, &o); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(o.Answer, text) {
		t.Errorf("%d bytes", len(o.Answer))
	}
	// A parser keeps its copy of the bytes.
	if size := reflect.ValueOf(*parsers.Get()).FieldByName("b").Cap(); size > bigFrame {
		t.Errorf("a parser of %d bytes was kept", size)
	}
}

// BenchmarkFrame reads an ordinary frame of 244 bytes.
func BenchmarkFrame(b *testing.B) { benchmark(b, (*chatDecoder).Frame) }

// BenchmarkFrameFull is the same frame where the full decoder reads it.
func BenchmarkFrameFull(b *testing.B) { benchmark(b, (*chatDecoder).full) }

func benchmark(b *testing.B, read func(*chatDecoder, Frame, *Observation) error) {
	data := ordinary(b)[1]
	var o Observation
	d := new(chatDecoder)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		o.Reset()
		if err := read(d, Frame{Data: data}, &o); err != nil {
			b.Fatal(err)
		}
	}
}

// The same frame into a struct of the standard library's decoder, to compare.
func BenchmarkFrameStandardLibrary(b *testing.B) {
	data := ordinary(b)[1]
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		var v struct {
			ID, Model         string
			SystemFingerprint string `json:"system_fingerprint"`
			Choices           []struct {
				Delta struct {
					Content   *string
					Reasoning string
				}
				FinishReason *string `json:"finish_reason"`
			}
			Usage *struct {
				PromptTokens     int64 `json:"prompt_tokens"`
				CompletionTokens int64 `json:"completion_tokens"`
			}
			Error json.RawMessage
		}
		if err := json.Unmarshal(data, &v); err != nil {
			b.Fatal(err)
		}
	}
}

// Frame never panics, is the same for the same bytes whatever was decoded
// before, and keeps its promises.
func FuzzFrame(f *testing.F) {
	for _, data := range ordinary(f) {
		f.Add(data, []byte(nil), []byte(nil))
	}
	f.Add([]byte(`{"error":{"message":"x","code":"429"}}`), []byte("error"), []byte(nil))
	f.Add([]byte(`{"choices":[{"delta":{"content":[{"text":"a"}],"tool_calls":[{"function":{"arguments":{}}}]},"usage":{"prompt_tokens":0}}]}`), []byte(nil), []byte(nil))
	f.Add([]byte("[Done]"), []byte(nil), []byte(`{"code":400}`))
	f.Fuzz(func(t *testing.T, data, event, failure []byte) {
		frame := Frame{Event: event, Data: data, Error: failure}
		before := slices.Clone(data)
		used := new(chatDecoder)
		_ = used.Frame(Frame{Data: []byte(`{"id":"other","choices":[{"delta":{"role":"assistant"},"finish_reason":null}]}`)}, new(Observation))
		var a, b Observation
		errA, errB := new(chatDecoder).Frame(frame, &a), used.Frame(frame, &b)
		if (errA == nil) != (errB == nil) || !cmp.Equal(look(&a), look(&b)) {
			t.Errorf("differs: %+v %v, %+v %v", look(&a), errA, look(&b), errB)
		}
		if !bytes.Equal(before, data) {
			t.Error("the frame's bytes were changed")
		}
		if a.Empty && (a.Output() || a.Failure != nil || a.Usage != record.Tokens{}) {
			t.Errorf("empty, and holds %+v", look(&a))
		}
		if a.Failure != nil && (a.Failure.Class == "" || len(a.Failure.Message) > record.MessageLimit) {
			t.Errorf("%+v", a.Failure)
		}
		_ = new(chatDecoder).Body(data, new(Observation))
		_ = chat{}.Error(500, nil, data)
	})
}
