package stamp

import (
	"net"
	"time"
)

// plain stamps by the moment the read returned. It can't tell when bytes that
// came in one read arrived apart, so it never says that they did.
type plain struct {
	net.Conn
	last    Arrival
	emptied time.Time
}

func (c *plain) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		now := time.Now()
		c.last = Arrival{At: now, Read: now, Emptied: c.emptied}
		if n < len(p) {
			c.emptied = now
		}
	}
	return n, err
}

func (c *plain) ReadLent(l Lender) (int, error) {
	n, err := c.Read(l.Lend())
	if n <= 0 {
		l.Return()
	}
	return n, err
}

func (c *plain) Arrival() Arrival   { return c.last }
func (c *plain) Unsplit() bool      { return true }
func (c *plain) Source() Source     { return Read }
func (c *plain) RTT() time.Duration { return 0 }
func (c *plain) Closed() bool       { return peek(c.Conn) }
