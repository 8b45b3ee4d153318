package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/stamp"
)

// Conn is one connection to the target. It carries one attempt at a time and
// belongs to one goroutine, but for Frames.
type Conn struct {
	client *Client
	number int
	sock   *quiet        // the stamping connection
	conn   net.Conn      // what is read and written: sock, or TLS over it
	opened record.Clocks // the moments of opening it
	used   bool          // it carried an attempt
	dead   bool          // it must not carry another

	stopped atomic.Bool  // the run ended during an attempt
	frames  atomic.Int64 // output frames so far
	watch   watch

	lead   lead
	out    sending
	in     input
	limits limits
	head   head
	body   body
	events sse
	lines  ndjson
	s      stream
}

func newConn(c *Client, number int, sock stamp.Conn) *Conn {
	conn := &Conn{client: c, number: number, sock: &quiet{Conn: sock}}
	conn.over(conn.sock)
	return conn
}

// over sets what is read and written.
func (c *Conn) over(conn net.Conn) {
	c.conn = conn
	c.limits.conn, c.limits.stopped = conn, &c.stopped
	c.in.conn, c.in.stamps, c.in.limits = conn, c.sock, &c.limits
	c.in.bare = conn == net.Conn(c.sock)
}

// Stale reports whether the peer closed the connection while it was idle, or
// sent what nobody asked for. It is looked at before each send.
func (c *Conn) Stale() bool {
	if c.dead || c.in.r < c.in.w {
		return true
	}
	if !c.sock.Closed() {
		return false
	}
	secure, ok := c.conn.(*tls.Conn)
	if !ok {
		return true
	}
	// Under TLS what came may be the protocol's own, such as tickets for
	// later sessions. Reading takes these, and waits for nothing.
	var b [1]byte
	c.conn.SetReadDeadline(time.Time{})
	c.sock.noWait = true
	n, err := secure.Read(b[:])
	c.sock.noWait = false
	c.sock.RTT() // so that what was taken casts no doubt on the answer
	return n > 0 || !errors.Is(err, os.ErrDeadlineExceeded)
}

// quiet is the stamping connection, which can be told not to wait.
type quiet struct {
	stamp.Conn
	noWait bool
}

func (q *quiet) Read(p []byte) (int, error) {
	if q.noWait && !q.Closed() {
		return 0, os.ErrDeadlineExceeded
	}
	return q.Conn.Read(p)
}

// Do carries one attempt and fills the clocks from Sent on, the counts, the
// outcome and who served it. It returns when nothing more is awaited: at the
// terminal signal after a short drain, at the end of the body, at a failure,
// when ctx ends (outcome.CutByRunEnd), or when the client leaves: then the
// connection is closed too (outcome.CancelledByPlan). It never retries.
func (c *Conn) Do(ctx context.Context, ask Ask, a *record.Attempt) {
	c.introduce(a)
	c.body = body{}
	c.s.begin(a, c.client.Epoch, c.sock, &c.limits, &ask)
	c.attend(ctx)
	err := c.carry(ctx, &ask)
	c.rest(ctx)
	c.conclude(err)
	c.in.drop()
	if a.Outcome == outcome.CancelledByPlan {
		c.Close()
	}
}

// introduce tells of the connection, and of its opening the first time.
func (c *Conn) introduce(a *record.Attempt) {
	a.Conn, a.Reused = c.number, c.used
	if !c.used {
		a.Dial, a.DNS, a.Connected, a.TLS = c.opened.Dial, c.opened.DNS, c.opened.Connected, c.opened.TLS
	}
}

// Usable reports whether the connection may carry another attempt.
func (c *Conn) Usable() bool { return !c.dead }

// Frames is the number of output frames so far. Any goroutine may ask.
func (c *Conn) Frames() int64 { return c.frames.Load() }

// Close closes the connection.
func (c *Conn) Close() error {
	c.dead = true
	c.unwatch()
	return c.sock.Close()
}
