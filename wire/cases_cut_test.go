package wire_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/sim/transcript"
)

// Transcripts that send more than this are neither cut nor re-chunked.
const small = 1 << 20

// fully are those that are cut at every byte, the others at some.
var fully = []string{
	"chat-base", "sse-final-json-unterminated-at-eof", "done-but-no-finish-reason", "compressed-sse",
	"json-body-although-stream-asked",
}

// onWire is all bytes that a transcript sends.
func onWire(tr *transcript.Transcript) []byte {
	var all []byte
	for _, w := range tr.Writes() {
		all = append(all, w.Bytes...)
	}
	return all
}

// large reports whether a transcript sends more than small.
func large(tr *transcript.Transcript) bool {
	n := 0
	for _, s := range tr.Steps {
		for _, p := range s.Parts {
			n += len(p.Bytes)
		}
	}
	return n > small
}

// rewrite is tr with other writes.
func rewrite(tr *transcript.Transcript, writes []transcript.Write) *transcript.Transcript {
	out := &transcript.Transcript{Name: tr.Name, Variant: tr.Variant, Ask: tr.Ask}
	for _, w := range writes {
		out.Steps = append(out.Steps, transcript.Step{
			At: w.At, End: w.End, Parts: []transcript.Part{{Kind: transcript.Wire, Bytes: w.Bytes}},
		})
	}
	return out
}

// cut is tr, ended behind its first n bytes.
func cut(tr *transcript.Transcript, n int, end transcript.End) *transcript.Transcript {
	var kept []transcript.Write
	for _, w := range tr.Writes() {
		b := w.Bytes[:min(len(w.Bytes), n)]
		n -= len(b)
		kept = append(kept, transcript.Write{At: w.At, Bytes: b})
		if n == 0 {
			break
		}
	}
	kept[len(kept)-1].End = end
	return rewrite(tr, kept)
}

// ended reports whether what is on the wire holds a whole terminal signal. It
// reads with the standard library, so that it shares no mistake with us.
func ended(sent []byte) bool {
	r := bufio.NewReader(bytes.NewReader(sent))
	resp, err := http.ReadResponse(r, nil)
	for err == nil && resp.StatusCode/100 == 1 {
		resp, err = http.ReadResponse(r, nil)
	}
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	body, cutShort := io.ReadAll(resp.Body)
	if resp.Header.Get("Content-Encoding") == "gzip" {
		if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, _ = io.ReadAll(z)
		}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return json.Valid(body)
	}
	lines := strings.FieldsFunc(string(body), func(r rune) bool { return r == '\n' || r == '\r' })
	return slices.ContainsFunc(lines, func(line string) bool {
		data, is := strings.CutPrefix(line, "data:")
		data = strings.TrimSpace(data)
		var chunk struct {
			Choices []struct {
				Finish string `json:"finish_reason"`
			} `json:"choices"`
		}
		switch {
		case !is:
			return false
		case strings.EqualFold(data, "[DONE]"):
			return cutShort == nil // alone and cut short it is no end
		case json.Unmarshal([]byte(data), &chunk) != nil:
			return false
		}
		return len(chunk.Choices) > 0 && chunk.Choices[0].Finish != ""
	})
}

// TestTranscriptsEnd holds the transcripts themselves to what they want: one
// that is to come to ok has an end, an incomplete one has none.
func TestTranscriptsEnd(t *testing.T) {
	for _, tr := range loaded(t) {
		want := ""
		if large(tr) {
			continue
		}
		for _, w := range tr.Wants {
			if w.Name == "outcome" {
				want = w.Args[0]
			}
		}
		if got := ended(onWire(tr)); got != (want == "ok") && (want == "ok" || want == "incomplete_stream") {
			t.Errorf("%s is to come to %s, and has an end: %v", tr.Title(), want, got)
		}
	}
}

func TestCutAtEveryByte(t *testing.T) {
	var runs, ok atomic.Int64
	t.Run("cases", func(t *testing.T) {
		for _, tr := range loaded(t) {
			if large(tr) || tr.Ask.Reused {
				continue
			}
			t.Run(tr.Title(), func(t *testing.T) {
				t.Parallel()
				all := onWire(tr)
				step := max(len(all)/8, 1)
				if slices.Contains(fully, tr.Title()) {
					step = 1
				}
				for n := 0; n <= len(all); n += step {
					runs.Add(1)
					if judgeCut(t, tr, n, all) == outcome.OK {
						ok.Add(1)
					}
				}
			})
		}
	})
	if ok.Load() == 0 {
		t.Error("none came to ok: nothing was shown")
	}
	t.Logf("%d cuts, of which %d behind the end", runs.Load(), ok.Load())
}

// judgeCut plays the first n bytes of a transcript and holds their outcome to
// what they say.
func judgeCut(t *testing.T, tr *transcript.Transcript, n int, all []byte) outcome.Class {
	end := transcript.Close
	if n%3 == 0 {
		end = transcript.Reset
	}
	a := play(t, cut(tr, n, end)).Attempt
	switch {
	case a == nil:
		t.Fatalf("cut at %d: not opened", n)
	case a.Outcome == "":
		t.Errorf("cut at %d: no outcome", n)
	case a.Outcome == outcome.OK && !ended(all[:n]):
		t.Errorf("cut at %d of %d: ok, behind %q", n, len(all), all[max(0, n-60):n])
	}
	return a.Outcome
}

// essence is what must not depend on where reads and chunks end.
type essence struct {
	Outcome       outcome.Class
	Finish, Text  string
	Code, Message string
	Tokens        record.Tokens
	Events        record.Frames
	Warnings      map[string]int
}

func essenceOf(a *record.Attempt) essence {
	e := essence{a.Outcome, a.Finish, a.Answer, a.Code, a.Message, a.Tokens, a.Frames, a.Warnings}
	e.Events.FirstRead = 0 // it is about reads
	if a.Outcome != outcome.OK {
		e.Events.Bytes = 0 // of the read that settled it
	}
	if a.Outcome == outcome.NotAnAPIResponse {
		e.Message = "" // as much of a page as its first read brought
	}
	return e
}

// TestRechunkedWrites cuts each moment's bytes into writes of any size. Since
// no moment changes, no time may.
func TestRechunkedWrites(t *testing.T) {
	type timed struct {
		Essence essence
		Clocks  record.Clocks
		Gaps    record.Packed
	}
	rechunked(t, func(rt *rapid.T, tr *transcript.Transcript) *transcript.Transcript {
		var writes []transcript.Write
		for _, w := range tr.Writes() {
			for _, b := range pieces(rt, w.Bytes) {
				writes = append(writes, transcript.Write{At: w.At, Bytes: b})
			}
			writes = append(writes, transcript.Write{At: w.At, End: w.End})
		}
		return rewrite(tr, writes)
	}, func(a *record.Attempt) any { return timed{essenceOf(a), a.Clocks, a.Gaps} })
}

// TestRechunkedBody cuts the body into HTTP chunks of any size, which all come
// at the last moment.
func TestRechunkedBody(t *testing.T) {
	rechunked(t, func(rt *rapid.T, tr *transcript.Transcript) *transcript.Transcript {
		var body []byte
		if tr.Name == "done-then-connection-stays-open" {
			return nil // its point is that not all of it is awaited
		}
		last := tr.Steps[len(tr.Steps)-1]
		last.Parts = nil
		out := *tr
		out.Steps = []transcript.Step{{At: last.At, Parts: []transcript.Part{{Kind: transcript.Head}}}}
		for _, s := range tr.Steps {
			for _, p := range s.Parts {
				switch p.Kind {
				case transcript.Wire:
					return nil
				case transcript.Body:
					body = append(body, p.Bytes...)
				case transcript.Last:
					last.Parts = append(last.Parts, p)
				}
			}
		}
		if body == nil {
			return nil
		}
		for _, b := range pieces(rt, body) {
			out.Steps = append(out.Steps, transcript.Step{At: last.At, Parts: []transcript.Part{{Bytes: b}}})
		}
		out.Steps = append(out.Steps, last)
		return &out
	}, func(a *record.Attempt) any {
		e := essenceOf(a)
		for _, ofTiming := range []string{"burst", "clumped", "lingering_body"} {
			delete(e.Warnings, ofTiming)
		}
		if len(e.Warnings) == 0 {
			e.Warnings = nil
		}
		return e
	})
}

// pieces cuts b at up to eight places.
func pieces(rt *rapid.T, b []byte) [][]byte {
	if len(b) < 2 {
		return [][]byte{b}
	}
	at := rapid.SliceOfN(rapid.IntRange(1, len(b)-1), 0, 8).Draw(rt, "at")
	slices.Sort(at)
	var out [][]byte
	from := 0
	for _, to := range append(slices.Compact(at), len(b)) {
		out = append(out, b[from:to])
		from = to
	}
	return out
}

// rechunked holds what see sees of every transcript against the same of what
// change makes of it; nil is left out.
func rechunked(t *testing.T, change func(*rapid.T, *transcript.Transcript) *transcript.Transcript, see func(*record.Attempt) any) {
	var some []*transcript.Transcript
	want := map[*transcript.Transcript]any{}
	for _, tr := range loaded(t) {
		// What a limit of the client ends, ends at a moment that the bodies'
		// test moves; a slow decoder takes as long as there are frames.
		if large(tr) || tr.Ask.Limits != (transcript.Limits{}) || tr.Ask.Decode > 0 {
			continue
		}
		some = append(some, tr)
		if a := play(t, tr).Attempt; a != nil {
			want[tr] = see(a)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		tr := some[rapid.IntRange(0, len(some)-1).Draw(rt, "case")]
		for range 12 {
			changed := change(rt, tr)
			if changed == nil {
				return
			}
			if a := play(t, changed).Attempt; a != nil {
				if diff := cmp.Diff(want[tr], see(a)); diff != "" {
					rt.Fatalf("%s (-as it was +re-chunked):\n%s", tr.Title(), diff)
				}
			}
		}
	})
	t.Logf("%d transcripts", len(some))
}
