package wire

import (
	"context"
	"errors"

	"tidemark/record"
)

// Conn is one connection to the target. It carries one attempt at a time and
// belongs to one goroutine, but for Frames.
type Conn struct{}

// Open resolves, connects and shakes hands within Timeouts.Connect. number is
// the connection's in the run. The moments of each step are kept and told by
// the first attempt's record. A failure is an *OpenError.
func (c *Client) Open(ctx context.Context, number int) (*Conn, error) {
	return nil, errors.New("wire: skeleton")
}

// Stale reports whether the peer closed the connection while it was idle, or
// sent what nobody asked for. It is looked at before each send.
func (c *Conn) Stale() bool { return false }

// Do carries one attempt and fills the clocks from Sent on, the counts, the
// outcome and who served it. It returns when nothing more is awaited: at the
// terminal signal after a short drain, at the end of the body, at a failure,
// or when ctx ends (outcome.CutByRunEnd). It never retries.
func (c *Conn) Do(ctx context.Context, ask Ask, a *record.Attempt) {}

// Usable reports whether the connection may carry another attempt.
func (c *Conn) Usable() bool { return false }

// Frames is the number of output frames so far. Any goroutine may ask.
func (c *Conn) Frames() int64 { return 0 }

// Close closes the connection.
func (c *Conn) Close() error { return nil }

// Reply is a whole answer to a plain question.
type Reply struct {
	Status int
	Header map[string][]string
	Body   []byte
}

// Fetch asks a plain question over a connection of its own: a GET of path
// below the target's base. It is bounded by Timeouts.Connect and Total.
func (c *Client) Fetch(ctx context.Context, path string) (Reply, error) {
	return Reply{}, errors.New("wire: skeleton")
}
