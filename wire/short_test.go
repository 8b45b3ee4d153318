package wire

import (
	"bufio"
	"bytes"
	"net"
	"net/url"
	"testing"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
)

// answers is a server of one connection that answers every request with the
// same writes. It allocates nothing for a request, so that what a benchmark
// counts is the client's.
func answers(c net.Conn, writes [][]byte) {
	in := bufio.NewReader(c)
	for {
		length := 0
		for {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			if line = bytes.TrimSpace(line); len(line) == 0 {
				break
			}
			if digits, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
				for _, d := range digits {
					length = length*10 + int(d-'0')
				}
			}
		}
		if _, err := in.Discard(length); err != nil {
			return
		}
		for _, w := range writes {
			if _, err := c.Write(w); err != nil {
				return
			}
		}
	}
}

// BenchmarkShortAnswer is a request with an answer of eight tokens on a
// connection that is kept. The server is counted in the time.
func BenchmarkShortAnswer(b *testing.B) {
	writes := [][]byte{[]byte(chunkedHead)}
	for range 8 {
		writes = append(writes, []byte(ev(frameText)))
	}
	writes = append(writes, []byte(ev(`{"id":"cc-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)+
		ev(`{"id":"cc-1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":8,"total_tokens":15}}`)+ev("[DONE]")+lastChunk))
	c := loopback(b, func(c *net.TCPConn) { answers(c, writes) })
	c.client.Target.Base, _ = url.Parse(c.client.Target.Base.String() + "/v1")
	c.client.Timeouts = Timeouts{TTFT: time.Minute, Idle: time.Minute, Total: 10 * time.Minute}
	q := chatAsk(b)
	b.ReportAllocs()
	for b.Loop() {
		var a record.Attempt
		if c.Stale() {
			b.Fatal("stale")
		}
		c.Do(b.Context(), q, &a)
		if a.Outcome != outcome.OK || a.Frames.Output != 8 {
			b.Fatal(a.Outcome, a.Message)
		}
	}
}
