package run

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"testing"
	"time"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// canned is an answer as one byte string a write: headers, then a chunk for
// each frame.
func canned(frames int) [][]byte {
	chunk := func(data string) []byte {
		data = "data: " + data + "\n\n"
		return fmt.Appendf(nil, "%x\r\n%s\r\n", len(data), data)
	}
	all := [][]byte{[]byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")}
	for range frames {
		all = append(all, chunk(`{"id":"cc-1","object":"chat.completion.chunk","created":1700000000,"model":"toy-1","choices":[{"index":0,"delta":{"content":"alpha"},"finish_reason":null}]}`))
	}
	return append(all,
		chunk(`{"id":"cc-1","model":"toy-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`),
		chunk(fmt.Sprintf(`{"id":"cc-1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":%d,"total_tokens":%d}}`, frames, frames+7)),
		chunk(`[DONE]`), []byte("0\r\n\r\n"))
}

// echo answers every request on a connection with the canned writes. It
// allocates nothing for a request, so that what a benchmark counts is the
// client's.
func echo(c net.Conn, answer [][]byte) {
	defer c.Close()
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
			if name, value, ok := bytes.Cut(line, []byte(":")); ok && bytes.EqualFold(name, []byte("content-length")) {
				for _, d := range bytes.TrimSpace(value) {
					length = length*10 + int(d-'0')
				}
			}
		}
		if _, err := in.Discard(length); err != nil {
			return
		}
		for _, w := range answer {
			if _, err := c.Write(w); err != nil {
				return
			}
		}
	}
}

// One operation is one frame, all of the way: slots, connection, stamps,
// framing, decoding, the record. The server, on the same cores, is counted in
// the time and not in the allocations.
func BenchmarkFrames(b *testing.B) {
	const frames = 100
	for _, slots := range []int{1, 64} {
		b.Run(fmt.Sprintf("slots=%d", slots), func(b *testing.B) { benchmark(b, slots, frames) })
	}
}

// One operation is one request with an answer of a single token.
func BenchmarkRequests(b *testing.B) { benchmark(b, 16, 1) }

func benchmark(b *testing.B, slots, frames int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	answer := canned(frames)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go echo(c, answer)
		}
	}()
	chat, _ := dialect.Named("chat")
	client := &wire.Client{
		Target:   wire.Target{Base: &url.URL{Scheme: "http", Host: listener.Addr().String(), Path: "/v1"}},
		Timeouts: wire.Timeouts{Connect: time.Second, TTFT: time.Minute, Idle: time.Minute, Total: 10 * time.Minute},
		Epoch:    time.Now(),
	}
	requests := max(b.N/frames, 1)
	c := Config{
		Targets: []Target{{Name: "toy", Model: "toy-1", Client: client, Dialect: chat}},
		Prompts: &prompt.Set{Groups: []prompt.Group{prompts("default", 7)}},
		Ask:     prompt.Request{Stream: true, MaxTokens: frames},
		Unique:  true, Concurrency: []int{slots}, Requests: requests,
		Emit: func(r record.Record) error {
			if a, ok := r.(*record.Attempt); ok && a.Outcome != outcome.OK {
				return fmt.Errorf("%s: %s", a.Outcome, a.Message)
			}
			return nil
		},
	}
	b.ReportAllocs()
	b.ResetTimer()
	if why, err := Run(context.Background(), c); err != nil || why != record.Done {
		b.Fatal(why, err)
	}
}
