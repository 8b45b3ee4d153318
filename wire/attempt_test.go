package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

// base is the plain stream: four pieces from 300 to 360 ms.
func base(end ...step) []step {
	return append([]step{
		{at: 0, bytes: chunkedHead},
		{at: 100, bytes: ev("{n:|m:toy-1}")},
		{at: 300, bytes: ev("{a:al}")}, {at: 320, bytes: ev("{a:pha}")}, {at: 340, bytes: ev("{a: be}")},
	}, end...)
}

var proper = step{at: 360, bytes: ev("{a:ta}") + ev("{f:stop}") + ev("{u:7,4}") + ev("[DONE]") + lastChunk}

func TestClocks(t *testing.T) {
	virtual(t, Timeouts{}, [][]step{base(proper)}, func(t *testing.T, c *Conn) {
		var a record.Attempt
		c.Do(t.Context(), ask(), &a)
		for _, w := range []struct {
			name string
			at   record.Offset
			want int
		}{
			{"headers", a.Headers, 0}, {"first byte", a.FirstByte, 100}, {"first event", a.FirstEvent, 100},
			{"first output", a.FirstOut, 300}, {"first answer", a.FirstAns, 300}, {"last output", a.LastOut, 360},
			{"terminal", a.Terminal, 360}, {"end", a.End, 360}, {"written", a.Written, 0}, {"TLS", a.TLS, -1},
		} {
			if got := ms(&a, w.at); got != w.want {
				t.Errorf("%s at %d, want %d", w.name, got, w.want)
			}
		}
		if got := gapsOf(&a); !slices.Equal(got, []int{20, 20, 20}) {
			t.Errorf("gaps %v", got)
		}
		want := record.Frames{Events: 8, Output: 4, FirstRead: 1, Bytes: a.Frames.Bytes}
		if a.Frames != want {
			t.Errorf("frames %+v, want %+v", a.Frames, want)
		}
		if a.Outcome != outcome.OK || a.Finish != "stop" || a.Answer != "alpha beta" || a.Characters != 10 ||
			a.ServedModel != "toy-1" || a.Tokens.Output.N != 4 || a.Tokens.Input.N != 7 || a.Stamps != "read" ||
			a.OutputEstimated != 0 || a.Lags != nil || len(a.Warnings) != 0 || a.Conn != 7 || a.Dial == 0 {
			t.Errorf("attempt %+v", a)
		}
		if !c.Usable() || c.Stale() || c.Frames() != 4 {
			t.Errorf("usable %v, stale %v, frames %d", c.Usable(), c.Stale(), c.Frames())
		}
	})
}

func TestReuse(t *testing.T) {
	virtual(t, Timeouts{Total: time.Minute}, [][]step{base(proper), base(proper), {{close: true}}}, func(t *testing.T, c *Conn) {
		for i, want := range []outcome.Class{outcome.OK, outcome.OK, outcome.StaleConnection, outcome.StaleConnection} {
			var a record.Attempt
			c.Do(t.Context(), ask(), &a)
			if a.Outcome != want || a.Reused != (i > 0) || (a.Dial == 0) != (i > 0) {
				t.Errorf("attempt %d: %s, reused %v, dial %v", i, a.Outcome, a.Reused, a.Dial)
			}
			if want == outcome.OK && len(gapsOf(&a)) != 3 {
				t.Errorf("attempt %d has gaps %v", i, gapsOf(&a))
			}
		}
		if c.Usable() || !c.Stale() {
			t.Error("a dead connection is usable")
		}
	})
}

// TestOutcomes is the story of R6 and R7: how a stream ends, and what it is
// then called.
func TestOutcomes(t *testing.T) {
	limits := Timeouts{TTFT: 2 * time.Second, Idle: 5 * time.Second, OutputIdle: 8 * time.Second, Total: 60 * time.Second}
	open := step{}
	sse := func(s string) []step { return []step{{bytes: chunkedHead + s}} }
	closed := step{at: 360, close: true}
	jsonHead := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	var trickle []step
	for i := range 100 {
		trickle = append(trickle, step{at: 1000 * (i + 1), bytes: chunk(": alive\n\n")})
	}
	for _, tt := range []struct {
		name     string
		script   []step
		outcome  outcome.Class
		warnings string
		end      int // ms
		usable   bool
	}{
		{"proper", base(proper), "ok", "", 360, true},
		{"finish without sentinel", base(step{at: 360, bytes: ev("{a:ta|f:stop}") + lastChunk}), "ok", "", 360, true},
		{"sentinel without finish", base(step{at: 360, bytes: ev("[DONE]") + lastChunk}), "ok", "done_without_finish", 360, true},
		{"no terminal signal", base(step{at: 360, bytes: lastChunk}), "incomplete_stream", "", 360, true},
		{"cut", base(closed), "incomplete_stream", "", 360, false},
		{"finish, then cut", base(step{at: 350, bytes: ev("{f:stop}")}, closed), "ok", "unclean_close", 360, false},
		{"sentinel and finish, then cut", base(step{at: 350, bytes: ev("{f:stop}") + ev("[DONE]")}, closed), "ok", "unclean_close", 360, false},
		{"two weak ends", base(step{at: 350, bytes: ev("[DONE]")}, closed), "incomplete_stream", "", 360, false},
		{"finish, then bad framing", base(step{at: 350, bytes: ev("{f:stop}") + "zz\r\n"}), "ok", "unclean_close", 350, false},
		{"sentinel, body stays open", base(step{at: 350, bytes: ev("{f:stop}") + ev("[DONE]")}, open), "ok", "lingering_body", 450, false},
		{"finish, then silence", base(step{at: 350, bytes: ev("{f:stop}")}, open), "ok", "lingering_body", 5350, false},
		{"finish without output, then silence", []step{{bytes: chunkedHead + ev("{f:stop}")}, open}, "empty_output", "lingering_body", 5000, false},
		{"no output", sse(ev("{n:}") + ev("{f:stop}") + ev("[DONE]") + lastChunk), "empty_output", "", 0, true},
		{"only the sentinel", sse(ev("[DONE]") + lastChunk), "empty_output", "", 0, true},
		{"nothing", sse(lastChunk), "empty_body", "", 0, true},
		{"only comments", sse(chunk(": hi\n\n") + lastChunk), "incomplete_stream", "", 0, true},
		{"plain words", sse(chunk("welcome\n") + lastChunk), "not_an_api_response", "", 0, true},
		{"a page", sse(chunk("<html>") + lastChunk), "not_an_api_response", "", 0, false},
		{"an error", base(step{at: 350, bytes: ev("{e:engine gone}") + ev("[DONE]") + lastChunk}), "inband_error", "", 350, true},
		{"an error, then cut", base(step{at: 350, bytes: ev("{e:engine gone}")}, closed), "inband_error", "", 360, false},
		{"an error field", sse(chunk("error: {\"code\":400}\n\n") + ev("[DONE]") + lastChunk), "inband_error", "", 0, true},
		{"a frame that can't be read", base(step{at: 350, bytes: ev("{\"del")}, open), "protocol_error", "", 350, false},
		{"bad chunk", base(step{at: 350, bytes: "5\r\nabcdefg"}), "protocol_error", "", 350, false},
		{"output after finish", base(step{at: 350, bytes: ev("{f:stop}")}, step{at: 360, bytes: ev("{a:x}") + lastChunk}), "ok", "output_after_finish", 360, true},
		{"no empty line", base(step{at: 360, bytes: chunk("data: {a:x}\ndata: {f:stop}\n\n") + lastChunk}), "ok", "missing_event_separator", 360, true},
		{"unterminated", base(step{at: 360, bytes: ev("{f:stop}") + chunk("data: {u:7,4}") + lastChunk}), "ok", "unterminated_tail", 360, true},
		{"a fragment", base(step{at: 360, bytes: ev("{f:stop}") + chunk("data: {u:7,") + lastChunk}), "ok", "", 360, true},
		{"no first output", append([]step{{bytes: chunkedHead}}, trickle...), "ttft_timeout", "", 2000, false},
		{"no headers", []step{open}, "ttft_timeout", "", 2000, false},
		{"no bytes", base(open), "idle_timeout", "", 5340, false},
		{"no output any more", append(base(), trickle...), "output_idle_timeout", "", 8340, false},
		{"for ever", append([]step{{bytes: chunkedHead}}, forever()...), "total_timeout", "", 60_000, false},
		{"a whole body", []step{{at: 360, bytes: sized(jsonHead, "{a:alpha beta|f:stop|u:7,4}")}}, "ok", "not_streamed", 360, true},
		{"a broken whole body", []step{{at: 360, bytes: sized(jsonHead, "{\"a")}}, "protocol_error", "not_streamed", 360, false},
		{"a cut whole body", []step{{at: 350, bytes: jsonHead + "Content-Length: 99\r\n\r\n{a:al"}, closed}, "incomplete_stream", "not_streamed", 360, false},
		{"no content", []step{{bytes: "HTTP/1.1 204 No Content\r\n\r\n"}}, "unexpected_status", "", 0, true},
		{"moved", []step{{bytes: "HTTP/1.1 307 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"}}, "redirected", "", 0, true},
		{"refused", []step{{bytes: sized("HTTP/1.1 502 Bad\r\n", "gone")}}, "http_502", "", 0, true},
		{"refused, cut", []step{{bytes: "HTTP/1.1 502 Bad\r\nContent-Length: 9\r\n\r\ngone"}, closed}, "http_502", "", 360, false},
		{"closed at once", []step{{close: true}}, "connection_reset", "", 0, false},
		{"closed in the headers", []step{{bytes: "HTTP/1.1 200"}, closed}, "connection_reset", "", 360, false},
		{"not HTTP", []step{{bytes: "SSH-2.0-x\r\n"}, open}, "protocol_error", "", 0, false},
		{"brotli", []step{{bytes: "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nabc"}}, "unsupported_encoding", "", 0, false},
		{"two lengths", []step{{bytes: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"}, open}, "protocol_error", "", 0, false},
		{"ends with the connection", []step{{bytes: closeHead + "data: {a:x|f:stop}\n\n"}, closed}, "ok", "", 360, false},
		{"server closes after", []step{{bytes: strings.Replace(chunkedHead, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1) + ev("{a:x|f:stop}") + lastChunk}}, "ok", "", 0, false},
		{"interim", []step{{bytes: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + chunkedHead + ev("{a:x|f:stop}") + lastChunk}}, "ok", "", 0, true},
		{"interim for ever", []step{{bytes: strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 10)}}, "protocol_error", "", 0, false},
		{"hidden reasoning", base(step{at: 360, bytes: ev("{f:stop|u:7,9|k:5}") + lastChunk}), "ok", "hidden_reasoning", 360, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			virtual(t, limits, [][]step{tt.script}, func(t *testing.T, c *Conn) {
				var a record.Attempt
				c.Do(t.Context(), ask(), &a)
				if a.Outcome != tt.outcome || warningsOf(&a) != tt.warnings {
					t.Errorf("%s [%s] %q; want %s [%s]", a.Outcome, warningsOf(&a), a.Message, tt.outcome, tt.warnings)
				}
				if end := ms(&a, a.End); end != tt.end || c.Usable() != tt.usable {
					t.Errorf("end at %d, usable %v; want %d, %v", end, c.Usable(), tt.end, tt.usable)
				}
				if a.Outcome != outcome.OK && a.Outcome != outcome.EmptyOutput && a.Outcome != outcome.EmptyBody &&
					a.Message == "" && tt.name != "no content" {
					t.Error("no message")
				}
			})
		})
	}
}

// What is no answer is shown as far as it came, up to the limit, however its
// reads were cut.
func TestWordsOfNoAnswer(t *testing.T) {
	long := strings.Repeat("y", 600)
	for _, tt := range []struct {
		name   string
		script []step
		said   string
		end    int
	}{
		{"a page", []step{{bytes: chunkedHead}, {at: 10, bytes: chunk("<p>wel")}, {at: 20, bytes: chunk("come</p>") + lastChunk}}, "<p>welcome</p>", 20},
		{"a page that stays open", []step{{bytes: chunkedHead}, {at: 10, bytes: chunk("<p>wel")}, {at: 20, bytes: chunk("come</p>")}, {}}, "<p>welcome</p>", 5020},
		{"a page that is cut", []step{{bytes: chunkedHead}, {at: 10, bytes: chunk("<p>wel")}, {at: 20, close: true}}, "<p>wel", 20},
		{"a long page", []step{{bytes: chunkedHead}, {at: 10, bytes: chunk("<p>")}, {at: 20, bytes: chunk(long)}, {}}, "<p>" + long[:494] + "…", 20},
		{"plain words", []step{{bytes: chunkedHead}, {at: 10, bytes: chunk("wel")}, {at: 20, bytes: chunk("come\n") + lastChunk}}, "welcome", 20},
		{"long words", []step{{bytes: chunkedHead}, {at: 10, bytes: chunk("x")}, {at: 20, bytes: chunk(long+"\n") + lastChunk}}, "x" + long[:496] + "…", 20},
	} {
		virtual(t, Timeouts{TTFT: 2 * time.Second, Idle: 5 * time.Second, Total: time.Minute}, [][]step{tt.script}, func(t *testing.T, c *Conn) {
			var a record.Attempt
			c.Do(t.Context(), ask(), &a)
			if a.Outcome != outcome.NotAnAPIResponse || a.Message != tt.said || ms(&a, a.End) != tt.end {
				t.Errorf("%s: %s at %d: %q", tt.name, a.Outcome, ms(&a, a.End), a.Message)
			}
		})
	}
}

// The end is when Do returns, by the clock, and no arrival. Each frame takes
// 30 ms: those that come at 300, 320 and 340 are done at 330, 360 and 390, and
// then the last four, to the sentinel, take 120.
func TestEndIsTheReturn(t *testing.T) {
	virtual(t, Timeouts{}, [][]step{base(proper)}, func(t *testing.T, c *Conn) {
		q := ask()
		q.Dialect = slow{}
		var a record.Attempt
		c.Do(t.Context(), q, &a)
		if now := c.s.offset(time.Now()); a.Outcome != outcome.OK || a.End != now || ms(&a, a.End) != 510 {
			t.Errorf("%s: end at %d, and now %v, not %v", a.Outcome, ms(&a, a.End), now, a.End)
		}
	})
}

// forever is a stream of pieces, one a second, that never ends.
func forever() []step {
	var s []step
	for i := range 150 {
		s = append(s, step{at: 1000*i + 500, bytes: ev("{a:x}")})
	}
	return s
}

func TestNotStreamed(t *testing.T) {
	script := []step{
		{at: 5, bytes: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 27\r\n\r\n"},
		{at: 200, bytes: "{a:alpha beta"}, {at: 360, bytes: "|f:stop|u:7,4}"},
	}
	for _, framing := range []dialect.Framing{dialect.SSE, dialect.NDJSON, dialect.Whole} {
		virtual(t, Timeouts{TTFT: 100 * time.Second}, [][]step{script}, func(t *testing.T, c *Conn) {
			q := ask()
			q.Call.Framing = framing
			var a record.Attempt
			c.Do(t.Context(), q, &a)
			if a.Outcome != outcome.OK || !a.NotStreamed || a.FirstOut != 0 || a.FirstAns != 0 || a.Gaps != nil {
				t.Errorf("%+v", a)
			}
			if ms(&a, a.FirstByte) != 200 || ms(&a, a.LastOut) != 360 || ms(&a, a.Terminal) != 360 || a.Answer != "alpha beta" {
				t.Errorf("first byte %d, last output %d, %q", ms(&a, a.FirstByte), ms(&a, a.LastOut), a.Answer)
			}
		})
	}
}

func TestWrongFraming(t *testing.T) {
	for _, tt := range []struct {
		asked dialect.Framing
		media string
		body  string
		want  outcome.Class
	}{
		{dialect.Whole, "text/event-stream", "data: {a:x|f:stop}\n\n", outcome.WrongProtocol},
		{dialect.Whole, "text/event-stream", "{a:x|f:stop}", outcome.OK},
		{dialect.Whole, "application/json", "\n\n {a:x|f:stop}\n", outcome.ProtocolError}, // the toy trims nothing
		{dialect.Whole, "text/plain", "hello", outcome.NotAnAPIResponse},
		{dialect.SSE, "application/x-ndjson", "{a:x}\n{f:stop}\n", outcome.WrongProtocol},
		{dialect.SSE, "application/json", "data: {a:x|f:stop}\n\n", outcome.OK},
		{dialect.SSE, "", "\n\n: hello\n\ndata: {a:x|f:stop}\n\n", outcome.OK},
		{dialect.NDJSON, "text/event-stream", "data: {a:x|f:stop}\n\n", outcome.WrongProtocol},
		{dialect.NDJSON, "text/plain", "data: {a:x|f:stop}\n\n", outcome.WrongProtocol},
		{dialect.NDJSON, "application/x-ndjson", "{a:x}\r\n\n{f:stop}", outcome.OK},
		{dialect.NDJSON, "text/html", "<p>", outcome.NotAnAPIResponse},
		{dialect.NDJSON, "text/plain", "running\n", outcome.NotAnAPIResponse},
	} {
		script := []step{{bytes: sized("HTTP/1.1 200 OK\r\nContent-Type: "+tt.media+"\r\n", tt.body)}}
		virtual(t, Timeouts{}, [][]step{script}, func(t *testing.T, c *Conn) {
			q := ask()
			q.Call.Framing = tt.asked
			var a record.Attempt
			c.Do(t.Context(), q, &a)
			if a.Outcome != tt.want {
				t.Errorf("%v asked, %s, %q: %s %q, want %s", tt.asked, tt.media, tt.body, a.Outcome, a.Message, tt.want)
			}
		})
	}
}

func TestShape(t *testing.T) {
	piece := func(from, n int) []step {
		var s []step
		for i := range n {
			s = append(s, step{at: from + 10*i, bytes: ev("{a:w}")})
		}
		return s
	}
	end := func(at int) step { return step{at: at, bytes: ev("{f:stop|u:7,40}") + lastChunk} }
	head := step{bytes: chunkedHead}
	clump := step{at: 500, bytes: strings.Repeat(ev("{a:w}"), 12)}
	texts := func(all ...string) []step {
		s := []step{head}
		for i, text := range all {
			s = append(s, step{at: 300 + 20*i, bytes: ev("{a:" + text + "}")})
		}
		return append(s, end(1000))
	}
	for _, tt := range []struct {
		name     string
		script   []step
		warnings string
		answer   string
	}{
		{"burst", []step{head, {at: 300, bytes: ev("{a:a}") + ev("{a:b}")}, end(301)}, "burst", "ab"},
		{"one frame of many tokens", []step{head, {at: 300, bytes: ev("{a:a}")}, end(301)}, "burst", "a"},
		{"clumped", append(append([]step{head}, piece(300, 10)...), clump, end(600)), "clumped", strings.Repeat("w", 22)},
		{"even", append(append([]step{head}, piece(300, 22)...), end(600)), "", strings.Repeat("w", 22)},
		{"cumulative", texts("al", "alpha", "alpha be", "alpha beta"), "cumulative_text", "alpha beta"},
		{"three that grow", texts("ha", "haha", "hahahaha"), "", "hahahahahahaha"},
		{"grew, then not", texts("a", "ab", "abc", "abcd", "x"), "", "aababcabcdx"},
		{"the whole again", texts("al", "pha", " be", "ta", "alpha beta"), "duplicate_final_text", "alpha betaalpha beta"},
		{"twice the same", texts("ha", "ha"), "", "haha"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			virtual(t, Timeouts{}, [][]step{tt.script}, func(t *testing.T, c *Conn) {
				var a record.Attempt
				c.Do(t.Context(), ask(), &a)
				if a.Outcome != outcome.OK || warningsOf(&a) != tt.warnings || a.Answer != tt.answer || a.Characters != len(tt.answer) {
					t.Errorf("%s [%s] %q of %d characters", a.Outcome, warningsOf(&a), a.Answer, a.Characters)
				}
			})
		})
	}
}

func TestCutByRunEnd(t *testing.T) {
	for _, tt := range []struct {
		after   time.Duration
		script  []step
		outcome outcome.Class
	}{
		{200 * time.Millisecond, base(step{}), outcome.CutByRunEnd},
		{0, base(step{}), outcome.CutByRunEnd},
		{330 * time.Millisecond, base(step{}), outcome.CutByRunEnd},
		{400 * time.Millisecond, base(step{at: 360, bytes: ev("{f:stop}") + ev("[DONE]")}, step{}), outcome.OK},
	} {
		virtual(t, Timeouts{Total: time.Minute}, [][]step{tt.script}, func(t *testing.T, c *Conn) {
			ctx, cancel := context.WithTimeout(t.Context(), tt.after)
			defer cancel()
			var a record.Attempt
			c.Do(ctx, ask(), &a)
			if a.Outcome != tt.outcome || c.Usable() {
				t.Errorf("after %v: %s, usable %v", tt.after, a.Outcome, c.Usable())
			}
			if tt.after > 0 && ms(&a, a.End) != int(tt.after.Milliseconds()) {
				t.Errorf("after %v: end at %d", tt.after, ms(&a, a.End))
			}
		})
	}
}

func TestGzip(t *testing.T) {
	compress := func(flush bool, events ...string) []string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		var out []string
		for _, e := range events {
			z.Write([]byte("data: " + e + "\n\n"))
			if flush {
				z.Flush()
			}
			out = append(out, chunk(b.String()))
			if b.Len() == 0 {
				out[len(out)-1] = ""
			}
			b.Reset()
		}
		z.Close()
		return append(out, chunk(b.String())+lastChunk)
	}
	head := strings.Replace(chunkedHead, "\r\n\r\n", "\r\nContent-Encoding: gzip\r\n\r\n", 1)
	for _, tt := range []struct {
		flush    bool
		ttft     int
		warnings string
	}{{true, 300, "compressed"}, {false, 320, "burst compressed"}} {
		parts := compress(tt.flush, "{a:é}", "{a:木}", "{f:stop}")
		script := []step{{bytes: head}, {at: 300, bytes: parts[0]}, {at: 310, bytes: parts[1]}, {at: 320, bytes: parts[2] + parts[3]}}
		script = slices.DeleteFunc(script, func(s step) bool { return s.bytes == "" })
		virtual(t, Timeouts{}, [][]step{script}, func(t *testing.T, c *Conn) {
			var a record.Attempt
			c.Do(t.Context(), ask(), &a)
			if a.Outcome != outcome.OK || ms(&a, a.FirstOut) != tt.ttft || warningsOf(&a) != tt.warnings || a.Answer != "é木" || !c.Usable() {
				t.Errorf("flush %v: %s %q, TTFT %d [%s]", tt.flush, a.Outcome, a.Message, ms(&a, a.FirstOut), warningsOf(&a))
			}
			if a.Characters != 2 || a.OutputEstimated == 0 {
				t.Errorf("%d characters, about %d tokens", a.Characters, a.OutputEstimated)
			}
		})
	}
	for name, body := range map[string]string{"garbage": chunk("this is no gzip at all") + lastChunk, "cut": parts0(compress(true, "{a:x}")) + lastChunk} {
		virtual(t, Timeouts{}, [][]step{{{bytes: head + body}}}, func(t *testing.T, c *Conn) {
			var a record.Attempt
			c.Do(t.Context(), ask(), &a)
			if want := map[string]outcome.Class{"garbage": outcome.ProtocolError, "cut": outcome.IncompleteStream}[name]; a.Outcome != want {
				t.Errorf("%s: %s %q", name, a.Outcome, a.Message)
			}
		})
	}
}

func parts0(p []string) string { return p[0] }

func TestTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("17 MiB through a pipe")
	}
	script := []step{{bytes: chunkedHead}, {bytes: chunk("data: {a:" + strings.Repeat("x", frameLimit) + "}\n\n")}}
	virtual(t, Timeouts{}, [][]step{script}, func(t *testing.T, c *Conn) {
		var a record.Attempt
		c.Do(t.Context(), ask(), &a)
		if a.Outcome != outcome.ResponseTooLarge || !strings.Contains(a.Message, "16 MiB") || c.Usable() {
			t.Errorf("%s %q", a.Outcome, a.Message)
		}
	})
	script[1].bytes = chunk("data: {a:"+strings.Repeat("x", 4<<20)+"}\n\n") + ev("{f:stop}") + lastChunk
	virtual(t, Timeouts{}, [][]step{script}, func(t *testing.T, c *Conn) {
		var a record.Attempt
		c.Do(t.Context(), ask(), &a)
		if a.Outcome != outcome.OK || len(a.Answer) != answerLimit || a.Characters != 4<<20 {
			t.Errorf("%s %q, %d characters, %d kept", a.Outcome, a.Message, a.Characters, len(a.Answer))
		}
	})
}

func TestSecrets(t *testing.T) {
	const key = "sk-secret-0123456789"
	for _, script := range [][]step{
		{{bytes: sized("HTTP/1.1 401 No\r\nX-Request-Id: "+key+"\r\n", "bad key "+key)}},
		{{bytes: chunkedHead + ev("{a:"+key+"|m:"+key+"|f:"+key+"}") + lastChunk}},
		{{bytes: chunkedHead + ev("{e:"+strings.Repeat("x", 490)+key[:10]+"}") + lastChunk}},
		{{bytes: chunkedHead + ev("oops "+key) + lastChunk}},
		{{bytes: chunkedHead + chunk("welcome "+key+"\n") + lastChunk}},
		{{bytes: "oops " + key + "\r\n"}},
	} {
		virtual(t, Timeouts{}, [][]step{script}, func(t *testing.T, c *Conn) {
			c.client.Target.Secrets = []string{"", key}
			var a record.Attempt
			c.Do(t.Context(), ask(), &a)
			all := strings.Join([]string{a.Message, a.Code, a.RequestID, a.Answer, a.ServedModel, a.Finish}, "\n")
			if strings.Contains(all, key[:4]) || !strings.Contains(all, struckOut) {
				t.Errorf("%s told %q", a.Outcome, all)
			}
		})
	}
}

func TestStrikeWhereWordsWereCut(t *testing.T) {
	const key = "sk-secret-0123456789"
	target := Target{Secrets: []string{"", key}}
	for in, want := range map[string]string{
		"all " + key + " of it":                  "all ••• of it",
		"ends sk-secret-01":                      "ends •••",
		"(cut sk-secret-0…): and more":           "(cut •••…): and more",
		`tail: "{sk-sec...3456789}" and more`:    `tail: "{•••...•••}" and more`,
		"sk-… is too little to tell, as is …789": "sk-… is too little to tell, as is …789",
		"6789 stands where nothing was cut":      "6789 stands where nothing was cut",
		"":                                       "",
	} {
		if got := target.strike(in); got != want {
			t.Errorf("%q = %q, want %q", in, got, want)
		}
	}
}
