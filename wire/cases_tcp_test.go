package wire_test

import (
	"context"
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"tidemark/sim/transcript"
	"tidemark/wire"
)

// overTCP are the transcripts whose ending a pipe can only imitate.
var overTCP = []string{
	"chat-base", "sse-read-error-flattened-to-eof", "missing-chunked-terminator-after-complete-answer",
	"missing-chunked-terminator-after-complete-answer/no-end", "missing-chunked-terminator-after-complete-answer/weak-ends",
	"reused-connection-already-closed", "reused-connection-already-closed/reset", "zero-byte-200/until-close",
	"sse-utf8-split", "json-error-with-200",
}

// clocked are the figures that a real clock and a real buffer make their own.
var clocked = []string{
	"ttft", "ttfa", "e2e", "terminal", "end", "headers", "first_byte", "first_event", "gaps", "tpot", "first_read",
}

// TestCasesOverTCP plays a few transcripts over real sockets, in real time. A
// busy machine is late, so only what can't be is asked of the clocks: nothing
// is there before it was sent.
func TestCasesOverTCP(t *testing.T) {
	for _, tr := range loaded(t) {
		if !slices.Contains(overTCP, tr.Title()) {
			continue
		}
		t.Run(tr.Title(), func(t *testing.T) {
			t.Parallel()
			got := playTCP(t, tr)
			if got.Attempt == nil {
				return
			}
			// A reader that a busy machine wakes late sees what came apart at once.
			delete(got.Attempt.Warnings, "burst")
			delete(got.Attempt.Warnings, "clumped")
			for _, m := range tr.Check(got) {
				if !slices.Contains(clocked, m.Name) {
					t.Errorf("line %d: %s is %q, want %q", m.Line, m.Name, brief(m.Got), brief(m.Want))
				}
			}
			holds(t, got.Attempt)
			a := got.Attempt
			if ttft := time.Duration(a.FirstOut - a.Sent); a.FirstOut != 0 && (ttft < 300*time.Millisecond || ttft > 20*time.Second) {
				t.Errorf("the first piece, sent at 300ms, is seen at %v", ttft)
			}
		})
	}
}

func playTCP(t *testing.T, tr *transcript.Transcript) (got transcript.Result) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	base, err := url.Parse(tr.Ask.Base)
	if err != nil {
		t.Fatal(err)
	}
	base.Host = l.Addr().String()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var path string
	var served sync.WaitGroup
	served.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			t.Errorf("accept: %v", err)
			return
		}
		serve(ctx, t, conn, answers(t, tr), &path)
	})
	client := &wire.Client{
		Target: wire.Target{Base: base}, Timeouts: wire.Timeouts{Connect: 5 * time.Second, Total: 5 * time.Second},
		Epoch: time.Now().Add(-time.Second),
	}
	conn, err := client.Open(ctx, 1)
	if err != nil {
		t.Errorf("open: %v", err)
		return got
	}
	got = attempt(ctx, t, conn, tr)
	conn.Close()
	cancel()
	served.Wait()
	got.Path = path
	return got
}
