// Package wire answers how one attempt crosses the network: connections,
// arrival stamps, HTTP/1.1, framing and deadlines. It fills in the record of
// the attempt. It knows nothing of levels or of statistics, and nothing of
// any API but what a dialect tells it.
package wire

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"

	"tidemark/wire/dialect"
)

// Target is where requests go.
type Target struct {
	Base   *url.URL    // calls' paths are appended to its path; its query is kept
	Header http.Header // sent with every call, credentials included
	// Secrets are struck out of everything that is recorded.
	Secrets []string
}

// Timeouts bound every wait. Zero is off.
type Timeouts struct {
	Connect    time.Duration // name, connection and handshake together
	TTFT       time.Duration // sent to the first output of a stream; comments don't extend it
	Idle       time.Duration // between bytes of the body; from the sending on where a stream has no TTFT
	OutputIdle time.Duration // between outputs, until a stream is finished
	Total      time.Duration // sent to the end
}

// Client opens connections to one target and carries calls over them.
type Client struct {
	Target   Target
	Timeouts Timeouts
	Epoch    time.Time   // of the run; offsets count from it
	TLS      *tls.Config // nil: the system's roots
	// Dial opens a connection; nil: the network's own. In virtual time it
	// gives one end of a net.Pipe.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Ask is one attempt's worth of work.
type Ask struct {
	Call       dialect.Call
	Dialect    dialect.Dialect
	KeepAnswer bool // put the answer's text into the record
	Leave      Leave
}

// Leave is when the client goes away before the answer is over, as users do:
// after so many output frames, or so long after the send. The zero Leave
// stays. Such an attempt is outcome.CancelledByPlan; one that was over before
// is what it was.
type Leave struct {
	Frames int           // 0: however many
	After  time.Duration // 0: however long
}
