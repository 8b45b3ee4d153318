package sim

import (
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"tidemark/text"
	"tidemark/wire/stamp"
)

// Listen opens a TCP listener on addr ("127.0.0.1:8080"; port 0: any free
// one). An address that other machines can reach is refused unless exposed
// says that this is meant. An error is a *text.Fault.
func Listen(addr string, exposed bool) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, text.Wrong(text.Msg("sim.bad_address", addr), text.Msg("sim.bad_address_hint"))
	}
	if !exposed && !loopback(host) {
		return nil, text.Wrong(text.Msg("sim.exposed", addr), text.Msg("sim.exposed_hint"))
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &text.Fault{
			What: text.Msg("sim.listen", addr, err.Error()), Hint: text.Msg("sim.listen_hint"), Err: err,
		}
	}
	return l, nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

type listener struct {
	net.Listener
	server *Server
}

func (l *listener) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.server.truth.connections.Add(1)
	return &conn{Conn: stamp.New(raw), raw: raw, epoch: l.server.started}, nil
}

type connKey struct{}

// A write that its reader takes nothing of is given up after patience, or
// twice that: the deadline is moved once in a patience, not at every write.
const patience = 30 * time.Second

// conn remembers when the last bytes reached this machine. net/http reads
// from a goroutine of its own, hence the atomic.
type conn struct {
	stamp.Conn
	raw     net.Conn
	epoch   time.Time
	arrived atomic.Int64 // ns since epoch
	renewed time.Time    // when the write deadline was moved

	// ending is the stream whose last bytes are in net/http's buffer: they
	// leave in one write with the body's end, after the handler returned. Who
	// takes it out owns it.
	ending atomic.Pointer[answer]
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.arrived.Store(int64(c.Arrival().At.Sub(c.epoch)))
	}
	return n, err
}

func (c *conn) Write(b []byte) (int, error) {
	if now := time.Now(); now.Sub(c.renewed) > patience {
		c.renewed = now
		if err := c.SetWriteDeadline(now.Add(2 * patience)); err != nil {
			return 0, err
		}
	}
	n, err := c.Conn.Write(b)
	c.ended(err)
	return n, err
}

// SetDeadline is net/http's way to clear the deadlines of a connection that it
// hands over: the next write sets its own again.
func (c *conn) SetDeadline(t time.Time) error {
	c.renewed = time.Time{}
	return c.Conn.SetDeadline(t)
}

func (c *conn) Close() error {
	c.ended(net.ErrClosed)
	return c.Conn.Close()
}

func (c *conn) ended(err error) {
	if c.ending.Load() == nil {
		return // spares all writes but one the exchange
	}
	if a := c.ending.Swap(nil); a != nil {
		a.sent(1, err)
		a.over()
		a.server.truth.ending.Add(-1)
	}
}

// arrival is when the last bytes of the request that was just read arrived.
func (c *conn) arrival() time.Time { return c.epoch.Add(time.Duration(c.arrived.Load())) }

// SetLinger is the TCP connection's own; another has none and needs none.
func (c *conn) SetLinger(seconds int) error {
	if t, ok := c.raw.(interface{ SetLinger(int) error }); ok {
		return t.SetLinger(seconds)
	}
	return nil
}
