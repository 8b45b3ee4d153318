package wire_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/sim/transcript"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// cases are the odd streams that must be among the transcripts.
//
// Not here, since they are about statistics, a run or another API:
// ttft-zero-as-missing, tokenizer-disagrees-with-usage,
// short-output-despite-ignore-eos, client-concurrency-cap, client-saturated,
// proxy-environment, all about a run's accounting (report, stat, run);
// http2-goaway (HTTP/1.1 is what this client speaks); ndjson-*, cold-load-in-ttft.
var cases = strings.Fields(`
	chat-base
	sse-no-space-after-colon sse-crlf-lines sse-comment-keepalive-before-first-token sse-comment-frame-under-load
	sse-metadata-comments-glued-to-done sse-empty-data-and-fieldless-frames sse-multiline-data
	sse-single-newline-between-events sse-final-json-unterminated-at-eof sse-done-spelling sse-utf8-split
	sse-many-events-in-one-read sse-line-several-mib sse-read-error-flattened-to-eof sse-malformed-json-mid-stream
	sse-unicode-line-separators-in-payload

	role-chunk-with-null-content headers-long-before-body choice-without-delta reasoning-only-stream
	reasoning-then-content reasoning-hidden-by-server tool-call-bookkeeping-frame refusal-only whitespace-first-token
	invisible-tokens-mid-stream ttft-negative-from-missing-stamp timestamp-after-parse e2e-ends-at-trailing-usage
	gateway-releases-in-clumps compressed-sse json-body-although-stream-asked non-stream-mode-has-no-ttft

	usage-chunk-with-empty-choices usage-chunk-not-requested usage-null-then-real usage-cumulative-then-cut
	usage-before-last-chunk usage-inside-the-choice usage-in-vendor-object usage-placeholder-zero-prompt
	usage-explicit-zero-output usage-total-not-the-sum usage-reasoning-counted-twice several-tokens-per-chunk
	many-tokens-in-first-chunk zero-output-token-division zero-decode-window itl-list-contains-ttft
	cumulative-text-instead-of-delta full-text-repeated-at-end logprobs-without-text

	no-finish-no-done done-but-no-finish-reason zero-byte-200 finish-length finish-reason-empty-string-everywhere
	finish-reason-twice done-then-connection-stays-open missing-chunked-terminator-after-complete-answer

	error-object-then-done error-object-after-partial-output error-null-is-no-error
	error-beside-choices-with-finish-error nonstandard-error-field json-error-with-200

	429-plain-text-with-retry-after-seconds retry-after-http-date-and-odd-values 529-overloaded
	502-504-html-from-proxy 404-model-vs-404-path doubled-version-path 400-max-tokens-name 400-temperature

	reused-connection-already-closed stall-with-keepalives

	llamacpp-chat-stream-usage llamacpp-emoji-multi-token-chunk llamacpp-killed-midstream vllm-chat-stream-contusage
	vllm-worker-killed-midstream litellm-chat-stream-usage litellm-upstream-killed-midstream
	llamacpppython-chat-stream llamacpppython-interrupted
`)

// load reads every transcript.
var load = sync.OnceValues(func() ([]*transcript.Transcript, error) {
	names, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil {
		return nil, err
	}
	var all []*transcript.Transcript
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		ts, err := transcript.Parse(name, src, os.DirFS("testdata/bodies"))
		if err != nil {
			return nil, err
		}
		all = append(all, ts...)
	}
	return all, nil
})

func loaded(t *testing.T) []*transcript.Transcript {
	t.Helper()
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// pipe is a net.Pipe that can be reset, as a TCP connection can. ends gives
// the client's end and the server's.
type pipe struct {
	net.Conn
	reset *atomic.Bool
}

func ends() (client, server *pipe) {
	c, s := net.Pipe()
	reset := new(atomic.Bool)
	return &pipe{c, reset}, &pipe{s, reset}
}

func (p *pipe) SetLinger(sec int) error { p.reset.Store(sec == 0); return nil }

func (p *pipe) Read(b []byte) (int, error) {
	n, err := p.Conn.Read(b)
	if err == io.EOF && p.reset.Load() {
		err = &net.OpError{Op: "read", Net: "pipe", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}
	return n, err
}

func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.Conn.Write(b)
	if err == io.ErrClosedPipe {
		err = &net.OpError{Op: "write", Net: "pipe", Err: os.NewSyscallError("write", syscall.EPIPE)}
	}
	return n, err
}

// greeting is what a reused connection carried before.
const greeting = `case greeting
0 HEAD C "hi" FIN stop DONE EOF`

// serve answers requests on conn with the transcripts, and then takes no more.
func serve(ctx context.Context, t *testing.T, conn net.Conn, answers []*transcript.Transcript, path *string) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for _, tr := range answers {
		req, err := http.ReadRequest(r)
		if err != nil {
			t.Errorf("%s: no request: %v", tr.Title(), err)
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Errorf("%s: no body: %v", tr.Title(), err)
			return
		}
		asked(t, tr, req, body)
		*path = req.URL.Path
		if tr.Play(ctx, conn) != nil || !tr.KeepsAlive() {
			<-ctx.Done()
			return
		}
	}
	if b, err := r.ReadByte(); err == nil {
		t.Errorf("%s: asked again, beginning with %q", answers[len(answers)-1].Title(), b)
	}
}

// asked holds every request to what the cases say of requests.
func asked(t *testing.T, tr *transcript.Transcript, req *http.Request, body []byte) {
	if got := req.Header.Get("Accept-Encoding"); got != "identity" { // compressed-sse
		t.Errorf("%s: Accept-Encoding is %q", tr.Title(), got)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		t.Errorf("%s: the request's body: %v", tr.Title(), err)
	}
	for name := range fields { // 400-temperature: nothing that was not set
		switch name {
		case "model", "messages", "stream", "stream_options", "max_tokens":
		default:
			t.Errorf("%s: %s was sent", tr.Title(), name)
		}
	}
	if tr.Name == "usage-chunk-not-requested" && strings.Contains(string(body), "include_usage") {
		t.Errorf("%s: usage was asked for", tr.Title())
	}
}

// slow is a dialect whose decoders take their time.
type slow struct {
	dialect.Dialect
	each time.Duration
}

type slowDecoder struct {
	dialect.Decoder
	each time.Duration
}

func (s slow) NewDecoder() dialect.Decoder { return slowDecoder{s.Dialect.NewDecoder(), s.each} }

func (s slowDecoder) Frame(f dialect.Frame, o *dialect.Observation) error {
	time.Sleep(s.each)
	return s.Decoder.Frame(f, o)
}

// question is what is asked of a transcript.
func question(t *testing.T, tr *transcript.Transcript) wire.Ask {
	chat, ok := dialect.Named("chat")
	if !ok {
		t.Fatal("no chat")
	}
	req := prompt.Request{
		Model: "toy-1", Stream: tr.Ask.Stream, MaxTokens: 64,
		Messages: []prompt.Message{{Role: "user", Text: "say the Greek letters"}},
	}
	if tr.Name == "usage-chunk-not-requested" {
		req.Extra = map[string]json.RawMessage{"stream_options": json.RawMessage("null")}
	}
	call, err := chat.Encode(req)
	if err != nil {
		t.Fatal(err)
	}
	ask := wire.Ask{Call: call, Dialect: chat, KeepAnswer: true}
	if tr.Ask.Decode > 0 {
		ask.Dialect = slow{chat, tr.Ask.Decode}
	}
	return ask
}

// limits are the transcript's, and an end to everything.
func limits(tr *transcript.Transcript) wire.Timeouts {
	l := tr.Ask.Limits
	if l.Total == 0 {
		l.Total = 10 * time.Minute
	}
	return wire.Timeouts{Connect: time.Second, TTFT: l.TTFT, Idle: l.Idle, OutputIdle: l.OutputIdle, Total: l.Total}
}

// attempt carries one call over conn, behind a greeting where the connection
// is to be a used one.
func attempt(ctx context.Context, t *testing.T, conn *wire.Conn, tr *transcript.Transcript) transcript.Result {
	ask := question(t, tr)
	if tr.Ask.Reused {
		var before record.Attempt
		conn.Do(ctx, ask, &before)
		if before.Outcome != outcome.OK || !conn.Usable() {
			t.Errorf("%s: the greeting came to %q, usable %v", tr.Title(), before.Outcome, conn.Usable())
		}
	}
	a := &record.Attempt{}
	conn.Do(ctx, ask, a)
	return transcript.Result{Attempt: a, Usable: conn.Usable()}
}

// answers are what the server of a transcript plays.
func answers(t *testing.T, tr *transcript.Transcript) []*transcript.Transcript {
	if !tr.Ask.Reused {
		return []*transcript.Transcript{tr}
	}
	first, err := transcript.Parse("greeting", []byte(greeting), nil)
	if err != nil {
		t.Fatal(err)
	}
	return append(first, tr)
}

// play runs a transcript through the client in virtual time.
func play(t *testing.T, tr *transcript.Transcript) (got transcript.Result) {
	base, err := url.Parse(tr.Ask.Base)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		near, far := ends()
		var path string
		var served sync.WaitGroup
		served.Go(func() { serve(ctx, t, far, answers(t, tr), &path) })
		client := &wire.Client{
			Target: wire.Target{Base: base}, Timeouts: limits(tr), Epoch: time.Now().Add(-time.Second),
			Dial: func(context.Context, string, string) (net.Conn, error) { return near, nil },
		}
		conn, err := client.Open(ctx, 1)
		if err == nil {
			got = attempt(ctx, t, conn, tr)
			conn.Close()
		} else {
			t.Errorf("%s: %v", tr.Title(), err)
			near.Close()
		}
		cancel()
		served.Wait()
		got.Path = path
	})
	return got
}

func TestCases(t *testing.T) {
	missing := map[string]bool{}
	for _, name := range cases {
		missing[name] = true
	}
	all := loaded(t)
	for _, tr := range all {
		delete(missing, tr.Name)
		t.Run(tr.Title(), func(t *testing.T) {
			got := play(t, tr)
			if got.Attempt == nil {
				return
			}
			for _, m := range tr.Check(got) {
				t.Errorf("line %d: %s is %q, want %q", m.Line, m.Name, brief(m.Got), brief(m.Want))
			}
			holds(t, got.Attempt)
			if t.Failed() {
				t.Logf("%s: outcome %s, message %q, warnings %v", tr.Note, got.Attempt.Outcome, got.Attempt.Message, got.Attempt.Warnings)
			}
		})
	}
	for name := range missing {
		t.Errorf("no transcript of %s", name)
	}
	t.Logf("%d cases, %d transcripts", len(cases), len(all))
}

func brief(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// holds checks what is true of every attempt: clocks in their order, one short
// line of words, and for an ok stream TTFT + Σ gaps = E2E with one gap less
// than outputs.
func holds(t *testing.T, a *record.Attempt) {
	t.Helper()
	last := record.Offset(0)
	for i, c := range []record.Offset{a.Sent, a.Headers, a.FirstByte, a.FirstEvent, a.FirstOut, a.LastOut, a.Terminal, a.End} {
		if c != 0 && c < last {
			t.Errorf("clock %d is before the one before it: %+v", i, a.Clocks)
		}
		last = max(last, c)
	}
	if len(a.Message) > 500 || strings.ContainsAny(a.Message, "\r\n") {
		t.Errorf("the message is %d bytes: %q", len(a.Message), a.Message)
	}
	if a.Outcome != outcome.OK || a.NotStreamed {
		return
	}
	n, sum := 0, int64(0)
	for gap := range a.Gaps.All() {
		n, sum = n+1, sum+gap
	}
	if n != a.Frames.Output-1 || int64(a.FirstOut)+sum != int64(a.LastOut) {
		t.Errorf("%d gaps of %d ns in all for %d outputs: %+v", n, sum, a.Frames.Output, a.Clocks)
	}
}
