package wire

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/wire/dialect"
	"tidemark/wire/stamp"
)

// endless is a stamped connection in memory: a head, then one event a read.
type endless struct {
	net.Conn
	head, event []byte
	left        int
	now         time.Time
	last        stamp.Arrival
}

func (e *endless) Read(p []byte) (int, error) {
	e.now = e.now.Add(10 * time.Millisecond)
	e.last = stamp.Arrival{At: e.now, Read: e.now.Add(time.Microsecond), Emptied: e.last.Read}
	if len(e.head) > 0 {
		n := copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	}
	if e.left--; e.left < 0 {
		return copy(p, ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)+ev("[DONE]")+lastChunk), nil
	}
	return copy(p, e.event), nil
}

func (e *endless) ReadLent(l stamp.Lender) (int, error) { return e.Read(l.Lend()) }
func (e *endless) Write(p []byte) (int, error)          { return len(p), nil }
func (e *endless) Close() error                         { return nil }
func (e *endless) SetDeadline(time.Time) error          { return nil }
func (e *endless) SetReadDeadline(time.Time) error      { return nil }
func (e *endless) SetWriteDeadline(time.Time) error     { return nil }
func (e *endless) Unsplit() bool                        { return true }
func (e *endless) Arrival() stamp.Arrival               { return e.last }
func (e *endless) Source() stamp.Source                 { return stamp.Kernel }
func (e *endless) RTT() time.Duration                   { return 0 }
func (e *endless) Closed() bool                         { return false }

// frameText is an ordinary frame of some 230 bytes.
const frameText = `{"id":"chatcmpl-0123456789abcdef","object":"chat.completion.chunk","created":1700000000,"model":"toy-1",` +
	`"system_fingerprint":"fp_0123","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}`

func chatAsk(b testing.TB) Ask {
	d, ok := dialect.Named("chat")
	if !ok {
		b.Skip("no dialect to decode with")
	}
	call, err := d.Encode(prompt.Request{Model: "m", Messages: []prompt.Message{{Role: "user", Text: "hi"}}, Stream: true})
	if err != nil {
		b.Fatal(err)
	}
	return Ask{Call: call, Dialect: d}
}

// BenchmarkFrame is the whole path of one frame, but for the kernel's part.
func BenchmarkFrame(b *testing.B) {
	e := &endless{head: []byte(chunkedHead), event: []byte(ev(frameText)), left: b.N, now: time.Now().Add(time.Second)}
	client := toyClient(nil)
	client.Epoch = time.Now()
	c := newConn(client, 1, e)
	q := chatAsk(b)
	b.ReportAllocs()
	b.ResetTimer()
	var a record.Attempt
	c.Do(b.Context(), q, &a)
	if a.Outcome != "ok" || a.Frames.Output != b.N {
		b.Fatalf("%s %q, %d frames", a.Outcome, a.Message, a.Frames.Output)
	}
}

// BenchmarkFrameSocket is the same over loopback, the server's writes and the
// goroutines' switches included.
func BenchmarkFrameSocket(b *testing.B) {
	event := []byte(ev(frameText))
	turn := make(chan struct{})
	c := loopback(b, func(c *net.TCPConn) {
		readRequest(c)
		io.WriteString(c, chunkedHead)
		for range b.N {
			c.Write(event)
		}
		io.WriteString(c, ev(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)+ev("[DONE]")+lastChunk)
		<-turn
	})
	c.client.Timeouts = Timeouts{}
	q := chatAsk(b)
	b.ReportAllocs()
	b.ResetTimer()
	var a record.Attempt
	c.Do(b.Context(), q, &a)
	close(turn)
	if a.Outcome != "ok" || a.Frames.Output != b.N {
		b.Fatalf("%s %q, %d frames", a.Outcome, a.Message, a.Frames.Output)
	}
}

// BenchmarkAttempt is what an attempt costs besides its frames.
func BenchmarkAttempt(b *testing.B) {
	e := &endless{event: []byte(ev(frameText)), now: time.Now().Add(time.Second)}
	client := toyClient(nil)
	client.Epoch = time.Now()
	c := newConn(client, 1, e)
	q := chatAsk(b)
	head := []byte(chunkedHead)
	b.ReportAllocs()
	for b.Loop() {
		e.head, e.left = head, 0
		var a record.Attempt
		c.Do(b.Context(), q, &a)
		if a.Outcome != "empty_output" || !c.Usable() {
			b.Fatal(a.Outcome, a.Message)
		}
	}
}

func BenchmarkSSE(b *testing.B) {
	event := []byte("data: " + frameText + "\n\n")
	f := &sse{}
	b.SetBytes(int64(len(event)))
	b.ReportAllocs()
	for b.Loop() {
		if _, whole, err := f.scan(event); !whole || err != nil {
			b.Fatal(err)
		}
	}
}

// An ordinary frame allocates nothing. (A pool may lose its buffer: a few more
// an attempt are no frame's.)
func TestFrameAllocatesNothing(t *testing.T) {
	if racing {
		t.Skip("pools lose what they hold")
	}
	q := chatAsk(t)
	cost := func(frames int) float64 {
		e := &endless{event: []byte(ev(frameText)), now: time.Now().Add(time.Second)}
		client := toyClient(nil)
		client.Epoch = time.Now()
		c := newConn(client, 1, e)
		return testing.AllocsPerRun(5, func() {
			e.head, e.left = bytes.Clone([]byte(chunkedHead)), frames
			var a record.Attempt
			c.Do(t.Context(), q, &a)
			if a.Frames.Output != frames {
				t.Fatalf("%s %q", a.Outcome, a.Message)
			}
		})
	}
	few, many := cost(10), cost(1000)
	if many > few+5 {
		t.Errorf("%v allocations for 10 frames, %v for 1,000", few, many)
	}
}
