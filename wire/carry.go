package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

const (
	drainTime  = 100 * time.Millisecond // for the end of a body after its answer's
	drainBytes = 64 << 10
	errorLimit = 64 << 10 // bytes kept of a refusal
	wholeLimit = 16 << 20 // bytes of an answer that is no stream
)

// carry sends and reads one attempt. It returns nil where the body came to
// its end, a *fault otherwise.
func (c *Conn) carry(ctx context.Context, ask *Ask) error {
	switch {
	case ctx.Err() != nil:
		return stopped()
	case c.dead:
		return refuse(outcome.StaleConnection, "the connection was not open")
	}
	reused := c.used
	c.used, c.dead = true, true // until the answer's proper end
	c.in.drop()
	c.in.touched = false
	if err := c.send(&ask.Call, ask.Leave.After, c.s.a); err != nil {
		return err
	}
	keeps, err := c.receive(ask)
	if f := asFault(err); f != nil && reused && !c.in.touched && f.class == outcome.ConnectionReset {
		f.class = outcome.StaleConnection
	}
	written := c.settle(c.s.a)
	clean := err == nil && written && c.body.ended && c.body.kind != untilClose && c.in.r == c.in.w
	c.dead = !clean || !keeps
	c.head.text = ""
	return err
}

// receive reads the answer. It reports whether the server keeps the
// connection open after it.
func (c *Conn) receive(ask *Ask) (keeps bool, err error) {
	if c.out.timedOut() {
		if f := c.limits.passed(); f != nil {
			return false, f
		}
	}
	h := &c.head
	if err := c.in.readHead(h); err != nil {
		return false, err
	}
	c.arrived()
	a := c.s.a
	a.Headers, a.HTTPStatus = c.s.now, h.status
	a.RequestID = dialect.RequestID(h.get)
	a.Node = h.node()
	length, err := h.length()
	if err != nil {
		return false, err
	}
	c.body = newBody(&c.in, length)
	coding, _ := h.joined("Content-Encoding")
	content, err := newContent(&c.body, coding)
	if h.status != http.StatusOK {
		c.refused(ask, content)
		return h.keepsAlive(), nil
	}
	if err != nil {
		return false, err
	}
	if content.unzip != nil {
		c.s.warn(record.WarnCompressed)
	}
	return h.keepsAlive(), c.answer(ask, content)
}

// node names the machine behind a gateway, where a header plainly does.
func (h *head) node() string {
	for _, name := range [...]string{"X-Node", "X-Node-Id", "X-Served-By", "X-Backend", "X-Worker-Id"} {
		if v := h.get(name); v != "" {
			return v
		}
	}
	return ""
}

// arrived notes the arrival of what was read last.
func (c *Conn) arrived() {
	c.s.arrived(c.in.arrival)
	if c.body.bytes > 0 {
		c.limits.gotByte(c.in.arrival.Read)
		if c.s.a.FirstByte == 0 {
			c.s.a.FirstByte = c.s.now
		}
	}
}

// refused reads what came with a status other than 200. Whatever cut it
// short, the refusal stands.
func (c *Conn) refused(ask *Ask, body content) {
	c.limits.noMoreOutput()
	c.limits.stay()
	var said []byte
	for body.body != nil && len(said) < errorLimit {
		p, err := body.next()
		if err != nil {
			break
		}
		c.arrived()
		said = append(said, p[:min(len(p), errorLimit-len(said))]...)
	}
	said = []byte(c.client.Target.strike(string(said)))
	f := ask.Dialect.Error(c.head.status, c.head.header(), said)
	c.s.failure = &f
}

// answer reads the body of a 200.
func (c *Conn) answer(ask *Ask, body content) error {
	var p []byte
	for firstMark(p) == 0 { // white space before JSON keeps connections alive
		var err error
		if p, err = body.next(); err != nil {
			return end(err)
		}
		c.arrived()
	}
	form, err := formOf(ask.Call.Framing, c.head.get("Content-Type"), p)
	if f := asFault(err); f != nil && f.class == outcome.NotAnAPIResponse {
		f.said = c.words(body, p)
	}
	if err != nil {
		return err
	}
	switch form {
	case dialect.SSE:
		c.events.reset()
		return c.stream(&c.events, body, p)
	case dialect.NDJSON:
		c.lines.reset()
		return c.stream(&c.lines, body, p)
	}
	if ask.Call.Framing != dialect.Whole {
		c.s.warn(record.WarnNotStreamed)
	}
	return c.whole(body, p)
}

// words is what a body that is no answer begins with: p, and as much more as
// is shown of it. What cut it short doesn't matter.
func (c *Conn) words(body content, p []byte) string {
	c.limits.noMoreOutput()
	c.limits.stay()
	said := bytes.Clone(p)
	for len(said) < record.MessageLimit {
		p, err := body.next()
		if err != nil {
			break
		}
		c.arrived()
		said = append(said, p...)
	}
	return record.OneLine(said, record.MessageLimit)
}

// end is nil for a body's proper end.
func end(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// stream reads frames until nothing more is awaited. p is the body's
// beginning.
func (c *Conn) stream(f framer, body content, p []byte) error {
	defer func() {
		bytes, alive := f.passed()
		c.s.a.Frames.Bytes = bytes
		c.s.a.Frames.KeepAlives += alive
	}()
	for {
		c.s.preface(p)
		if err := c.feed(f, p); err != nil {
			return err
		}
		if c.s.done || c.s.failure != nil {
			return c.drain()
		}
		var err error
		if p, err = body.next(); err != nil {
			return c.tail(f, err)
		}
		c.arrived()
	}
}

// feed takes the frames that p completes.
func (c *Conn) feed(f framer, p []byte) error {
	before := c.s.a.Frames.Output
	defer func() {
		if n := c.s.a.Frames.Output - before; n > 0 {
			c.frames.Add(int64(n))
		}
	}()
	for len(p) > 0 && !c.s.done && c.s.failure == nil {
		n, whole, err := f.scan(p)
		if err != nil {
			return err
		}
		p = p[n:]
		if whole {
			if err := c.s.frame(f.frame()); err != nil {
				return err
			}
			if c.s.leaves() {
				return left()
			}
		}
	}
	return nil
}

// tail tries what is left where the body ended: a value that is whole counts,
// anything else is dropped.
func (c *Conn) tail(f framer, err error) error {
	if err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) || !f.tail() {
		return end(err)
	}
	before := c.s.a.Frames.Output
	if c.s.frame(f.frame()) == nil {
		c.s.warn(record.WarnTail)
		c.frames.Add(int64(c.s.a.Frames.Output - before))
	}
	return end(err)
}

// drain waits a little for the body's end, so that the connection can be used
// again.
func (c *Conn) drain() error {
	c.limits.drain(time.Now().Add(drainTime))
	for total := 0; total <= drainBytes; {
		p, err := c.body.next()
		if err != nil {
			if f := asFault(err); f != nil && f.class == outcome.CutByRunEnd {
				break
			}
			return end(err)
		}
		total += len(p)
	}
	return late("", drainTime)
}

// whole reads an answer that is no stream.
func (c *Conn) whole(body content, p []byte) error {
	c.limits.noMoreOutput()
	var all bytes.Buffer
	var room share
	defer room.giveBack()
	for {
		if all.Len()+len(p) > wholeLimit {
			return tooLarge("the answer", wholeLimit)
		}
		if !room.has(all.Len() + len(p)) {
			return refuse(outcome.ClientResource, "answers of more than %d MiB are being received at once", together>>20)
		}
		all.Write(p)
		var err error
		p, err = body.next()
		c.arrived()
		if err == io.EOF {
			c.s.a.Frames.Bytes = int64(all.Len())
			return c.s.body(all.Bytes())
		}
		if err != nil {
			return err
		}
	}
}
