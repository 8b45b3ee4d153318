package transcript

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

// documented is the example of the package comment.
func documented(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile("transcript.go")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(src)) {
		line, indented := strings.CutPrefix(line, "//\t")
		switch {
		case strings.HasPrefix(line, "// A word that begins with #"):
			return b.String()
		case indented:
			b.WriteString(line)
		}
	}
	t.Fatal("the package comment has lost its example")
	return ""
}

func one(t *testing.T, src string) *Transcript {
	t.Helper()
	ts, err := Parse("x.txt", []byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	return ts[0]
}

// wire is all bytes that a transcript sends.
func wire(t *Transcript) string {
	var b strings.Builder
	for _, w := range t.Writes() {
		b.Write(w.Bytes)
	}
	return b.String()
}

func TestDocumentedExample(t *testing.T) {
	ts, err := Parse("doc", []byte(documented(t)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(ts) != 2 || ts[0].Title() != "sse-comment-between-pieces" || ts[1].Title() != "sse-comment-between-pieces/reset" {
		t.Fatalf("got %d transcripts", len(ts))
	}
	if len(ts[0].Steps) != 7 || len(ts[0].Wants) != 8 {
		t.Errorf("got %d steps and %d wants, want 7 and 8", len(ts[0].Steps), len(ts[0].Wants))
	}
	if last := ts[1].Steps[3]; last.At != 325*time.Millisecond || last.End != Reset {
		t.Errorf("the variant ends with %v", last)
	}
}

func TestWrites(t *testing.T) {
	const chunk = `data: {"id":"cc-1","object":"chat.completion.chunk","created":1700000000,"model":"toy-1","choices":[`
	head := func(more string) string {
		return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + more + "\r\n"
	}
	for _, c := range []struct{ name, src, want string }{
		{"chunked", "case a\n0 HEAD RAW `12` RAW `3456789abcdefghij`\n1 EOF",
			head("Transfer-Encoding: chunked\r\n") + "13\r\n123456789abcdefghij\r\n0\r\n\r\n"},
		{"counted", "case a\nbody counted\n0 HEAD RAW `12` SPLIT RAW `3` EOF", head("Content-Length: 3\r\n") + "123"},
		{"counted falsely", "case a\nbody counted 500\n0 HEAD RAW `12` CLOSE", head("Content-Length: 500\r\n") + "12"},
		{"until close", "case a\nbody until-close\n0 HEAD RAW `12` EOF", head("Connection: close\r\n") + "12"},
		{"none", "case a\nstatus 204\ntype none\nbody none\n0 HEAD", "HTTP/1.1 204 No Content\r\n\r\n"},
		{"unframed", "case a\n0 WIRE \"HTTP/1.0 200 OK\\r\\n\\r\\n\" WIRE `x`", "HTTP/1.0 200 OK\r\n\r\nx"},
		{"garbage behind", "case a\nheader A: \"b # c\n0 HEAD EOF WIRE `x`",
			head("A: \"b # c\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\nx"},
		{"frames", "case a\nbody none\n0 HEAD ROLE C `\"a\\`\nalso \"error\":null\n1 FIN stop\n2 USE 7 4 DONE\n",
			head("") + chunk + `{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n" +
				chunk + `{"index":0,"delta":{"content":"\"a\\"},"finish_reason":null}]}` + "\n\n" +
				chunk + `{"index":0,"delta":{},"finish_reason":"stop"}],"error":null}` + "\n\n" +
				chunk + `],"usage":{"prompt_tokens":7,"completion_tokens":4,"total_tokens":11},"error":null}` + "\n\n" +
				"data: [DONE]\n\n"},
		{"styles", "case a\nbody none\nstyle crlf\n0 HEAD 2*DATA `x`\nstyle cr\nstyle tight\n1 DATA `y`\nstyle lf\nstyle spaced\n2 COMMENT ``*3 COMMENT `z`*3",
			head("") + "data: x\r\n\r\ndata: x\r\n\r\ndata:y\r\r:\n\n: zzz\n\n"},
		{"every", "case a\nbody none\n0 HEAD\n1.5 every 10 until 21.5 RAW `x`", head("") + "xxx"},
		{"variant", "case a\nbody none\nheader A: b\n0 HEAD\nvariant b\nheader C: d\n0 HEAD", head("A: b\r\n")},
	} {
		if diff := cmp.Diff(c.want, wire(one(t, c.src))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestVariantInheritsSettingsOnly(t *testing.T) {
	ts, err := Parse("x", []byte("case a\nheader A: b\nlimit ttft 9\n0 HEAD\nwant ttft 1\nvariant b\nheader C: d\n1 HEAD\nvariant c\nheader E: f\n2 HEAD"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, more := range []string{"A: b\r\n", "A: b\r\nC: d\r\n", "A: b\r\nE: f\r\n"} {
		if !strings.Contains(wire(ts[i]), "event-stream\r\n"+more+"Transfer") {
			t.Errorf("%s sends %q", ts[i].Title(), wire(ts[i]))
		}
		if ts[i].Ask.Limits.TTFT != 9*time.Millisecond {
			t.Errorf("%s has no limit", ts[i].Title())
		}
	}
	if len(ts[1].Wants) != 0 || len(ts[1].Steps) != 1 {
		t.Errorf("the variant took over %v and %v", ts[1].Wants, ts[1].Steps)
	}
}

func TestFile(t *testing.T) {
	files := fstest.MapFS{"b.sse": {Data: []byte("data: x\n\n")}}
	ts, err := Parse("x", []byte("case a\nbody none\n0 HEAD FILE b.sse"), files)
	if err != nil || !strings.HasSuffix(wire(ts[0]), "\r\n\r\ndata: x\n\n") {
		t.Errorf("got %v, %v", ts, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "x:0: a file begins with a case"},
		{"note a", "x:1: a file begins with a case"},
		{"variant a", "x:1: a file begins with a case"},
		{"case a\n\n# c\nfoo 1", `x:4: no line begins with "foo"`},
		{"case a\n0 HEAD\n1 FOO", `x:3: nothing is sent by the name "FOO"`},
		{"case a\n0 HEAD\nwant foo 1", `x:3: nothing is reported by the name "foo"`},
		{"case a\n0 HEAD\nwant ttft", "x:3: want ttft takes 1 more words"},
		{"case a\n0 HEAD USE 7", "x:2: USE takes 2 more words"},
		{"case a\n0 HEAD USE 7 x", `x:2: "x" is not a number that fits here`},
		{"case a\n0 HEAD C \"x", "x:2: a string does not end, or has an unknown escape"},
		{"case a\n0 C \"x\"", "x:2: C comes before HEAD"},
		{"case a\n0 HEAD EOF C \"x\"", "x:2: C can't follow EOF"},
		{"case a\n0 HEAD CLOSE WIRE \"x\"", "x:2: WIRE can't follow CLOSE"},
		{"case a\n5 HEAD\n4 EOF", "x:3: this moment lies before the last one"},
		{"case a\n5", "x:2: a moment at which nothing is sent"},
		{"case a\n1e99 HEAD", `x:2: "1e99" is not a number that fits here`},
		{"case a\ncase b\n0 HEAD", "x:2: a sends nothing"},
		{"case a\n0 HEAD\ncase a\n0 HEAD", "x:3: the name a is taken"},
		{"case a\nbody foo", `x:2: body can't be "foo"`},
		{"case a\nlimit foo 1", `x:2: limit can't be "foo"`},
		{"case a\n0 HEAD FILE b", "x:2: the file b can't be read"},
		{"case a\n0 HEAD 99999999*C \"x\"*99", "x:2: the transcript sends too much"},
		{"case a\n0 HEAD C \"x\"*999999999", "x:2: the transcript sends too much"},
		{"case a\n0 every 1 until 86400000 HEAD", `x:2: every can't be "1"`},
		{"case a\n0 2*HEAD", `x:2: nothing is sent by the name "*HEAD"`},
	} {
		_, err := Parse("x", []byte(c.src), nil)
		if _, ok := err.(*text.Fault); !ok || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.src, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("case a\n0 HEAD\n100 every 5 until 200 3*C \"x\"*3 FIN stop USE 7 4 DONE EOF\nwant CHAT-BASE\nwant gaps 3*20 1\n")
	f.Add("case a\ncoding gzip\nwrites bytes\nbody counted 7\nstyle cr\nalso \"a\":1\n0 HEAD SPLIT R `x` RST\nvariant b\n1 WIRE \"\\xff\" CLOSE")
	f.Fuzz(func(t *testing.T, src string) {
		ts, err := parse("x", []byte(src), nil, 1<<16)
		if err != nil {
			if _, ok := err.(*text.Fault); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, tr := range ts {
			at := time.Duration(0)
			for _, w := range tr.Writes() {
				if w.At < at {
					t.Fatalf("%s goes back to %v", tr.Title(), w.At)
				}
				at = w.At
			}
			tr.Check(Result{Attempt: &record.Attempt{}})
		}
	})
}

func TestPlayInTime(t *testing.T) {
	tr := one(t, "case a\nbody until-close\n10 HEAD\n20 RAW `one`\n20 RAW `two`\n35.5 RAW `three` EOF")
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		start := time.Now()
		go func() {
			if err := tr.Play(t.Context(), server); err != nil {
				t.Error(err)
			}
		}()
		var got []string
		buf := make([]byte, 1000)
		for {
			n, err := client.Read(buf)
			if err == io.EOF {
				break
			}
			if s := string(buf[:n]); !strings.HasPrefix(s, "HTTP") {
				got = append(got, s+" "+time.Since(start).String())
			}
		}
		if want := []string{"one 20ms", "two 20ms", "three 35.5ms"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestPlayEndsWithContext(t *testing.T) {
	for name, src := range map[string]string{
		"waiting": "case a\n0 HEAD\n5000 EOF",
		"writing": "case a\n0 HEAD RAW `x`*100000",
	} {
		synctest.Test(t, func(t *testing.T) {
			client, server := net.Pipe()
			defer client.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			go client.Read(make([]byte, 1000)) // and never again
			start := time.Now()
			if err := one(t, src).Play(ctx, server); err == nil {
				t.Errorf("%s: no error", name)
			}
			if took := time.Since(start); took != time.Second {
				t.Errorf("%s: took %v", name, took)
			}
		})
	}
}

// TestStandardClient lets Go's own client read what is played over TCP.
func TestStandardClient(t *testing.T) {
	for _, c := range []struct{ name, src, body, failure string }{
		{"chunked", "case a\n0 HEAD RAW `abc` SPLIT RAW `def` EOF", "abcdef", ""},
		{"gzip", "case a\ncoding gzip\n0 HEAD RAW `abc`\n1 RAW `def` EOF", "abcdef", ""},
		{"gzip counted bytewise", "case a\nbody counted\nwrites bytes\ncoding gzip\n0 HEAD RAW `abc` EOF", "abc", ""},
		{"cut", "case a\n0 HEAD RAW `abc` CLOSE", "abc", "unexpected EOF"},
		{"reset", "case a\n0 HEAD RAW `abc`\n20 RST", "abc", "connection reset by peer"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		tr, played := one(t, c.src), make(chan error, 1)
		go func() {
			conn, err := l.Accept()
			if err == nil {
				conn.Read(make([]byte, 4096))
				err = tr.Play(t.Context(), conn)
				defer conn.Close()
			}
			played <- err
		}()
		client := http.Client{Transport: &http.Transport{}, Timeout: 5 * time.Second}
		resp, err := client.Get("http://" + l.Addr().String())
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		body, err := io.ReadAll(resp.Body)
		if string(body) != c.body || (err == nil) != (c.failure == "") || err != nil && !strings.Contains(err.Error(), c.failure) {
			t.Errorf("%s: got %q, %v", c.name, body, err)
		}
		if err := <-played; err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		resp.Body.Close()
		client.CloseIdleConnections()
		l.Close()
	}
}

func TestKeepsAlive(t *testing.T) {
	for src, want := range map[string]bool{
		"case a\n0 HEAD EOF":                          true,
		"case a\nbody counted\n0 HEAD EOF":            true,
		"case a\nbody until-close\n0 HEAD EOF":        false,
		"case a\n0 HEAD":                              false,
		"case a\n0 HEAD EOF CLOSE":                    false,
		"case a\n0 HEAD RST":                          false,
		"case a\n0 HEAD EOF WIRE `what nobody asked`": false,
	} {
		if got := one(t, src).KeepsAlive(); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

func TestCheck(t *testing.T) {
	const at = record.Offset(time.Second)
	msec := func(n int) record.Offset { return at + record.Offset(n)*record.Offset(time.Millisecond) }
	good := func() Result {
		a := &record.Attempt{
			Outcome: outcome.OK, Finish: "stop", HTTPStatus: 200, Answer: "alpha beta", Message: "a longer sentence",
			Tokens: record.Tokens{Input: record.Count{N: 7, Source: record.FromUsage}, Output: record.Count{N: 4, Source: record.FromUsage}},
			Frames: record.Frames{Output: 4}, Warnings: map[string]int{"b": 1, "a": 2},
			Clocks: record.Clocks{Sent: at, FirstOut: msec(300), FirstAns: msec(300), LastOut: msec(360), Terminal: msec(360)},
		}
		for range 3 {
			a.Gaps = a.Gaps.Append(20e6)
		}
		return Result{Attempt: a, Usable: true}
	}
	tr := one(t, "case a\n0 HEAD\nwant CHAT-BASE\nwant message `longer`\nwant warnings b a\nwant headers none\nwant usable yes\nwant cached none")
	if bad := tr.Check(good()); bad != nil {
		t.Errorf("nothing is wrong, got %v", bad)
	}
	// Each change must be seen under these names, and no other.
	for _, c := range []struct {
		change func(*Result)
		names  string
	}{
		{func(r *Result) { r.Attempt.Outcome = outcome.EmptyBody }, "outcome"},
		{func(r *Result) { r.Attempt.FirstOut++ }, "ttft"},
		{func(r *Result) { r.Attempt.FirstOut = 0 }, "ttft tpot"},
		{func(r *Result) { r.Attempt.LastOut = 0 }, "e2e tpot"},
		{func(r *Result) { r.Attempt.Gaps = r.Attempt.Gaps.Append(0) }, "gaps"},
		{func(r *Result) { r.Attempt.Tokens.Output.N = 5 }, "tokens tpot"},
		{func(r *Result) { r.Attempt.Tokens.Input = record.Count{} }, "tokens"},
		{func(r *Result) { r.Attempt.Tokens.Cached.Source = record.FromUsage }, "cached"},
		{func(r *Result) { r.Attempt.Answer = "" }, "text"},
		{func(r *Result) { r.Attempt.Message = "no" }, "message"},
		{func(r *Result) { delete(r.Attempt.Warnings, "b") }, "warnings"},
		{func(r *Result) { r.Attempt.Headers = at }, "headers"},
		{func(r *Result) { r.Usable = false }, "usable"},
	} {
		r := good()
		c.change(&r)
		var names []string
		for _, m := range tr.Check(r) {
			names = append(names, m.Name)
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("got %q, want %q", got, c.names)
		}
	}
}

func TestWantWarnings(t *testing.T) {
	for _, c := range []struct {
		want string
		have map[string]int
		met  bool
	}{
		{"any", nil, false}, {"any", map[string]int{"a": 1}, true},
		{"none", nil, true}, {"none", map[string]int{"a": 1}, false},
		{"a", map[string]int{"a": 1}, true}, {"a", nil, false}, {"a b", map[string]int{"a": 1}, false},
	} {
		tr := one(t, "case a\n0 HEAD\nwant warnings "+c.want)
		if got := tr.Check(Result{Attempt: &record.Attempt{Warnings: c.have}}) == nil; got != c.met {
			t.Errorf("warnings %s of %v: %v", c.want, c.have, got)
		}
	}
}
