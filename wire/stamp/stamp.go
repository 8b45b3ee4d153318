// Package stamp answers when bytes arrived. On Linux it asks the kernel,
// elsewhere it takes the moment the read returned, and it says which. It
// knows nothing of what the bytes mean.
package stamp

import (
	"net"
	"time"
)

// Source is where arrival stamps come from.
type Source string

const (
	Kernel Source = "kernel" // the kernel's receive time
	Read   Source = "read"   // the moment the read returned
)

// Arrival is what is known of the bytes of the last read that returned any.
// The zero Arrival says that there was none yet.
type Arrival struct {
	At      time.Time // when the last of them reached this machine; carries a monotonic reading
	Read    time.Time // when the read returned them
	Emptied time.Time // when a read last left the socket empty, before this one; zero: not known
}

// Conn is a connection whose reads are stamped. Read and what tells of the
// last Read are for one goroutine.
type Conn interface {
	net.Conn
	// ReadLent is Read into a buffer that is lent when there may be bytes for
	// it: a connection that waits has none, where the platform allows.
	ReadLent(l Lender) (int, error)
	// Arrival tells of the last Read.
	Arrival() Arrival
	// Unsplit reports whether the bytes of the last Read came in as one write
	// of the peer, so that Arrival.At is the arrival of them all. Where it is
	// false and Source is Kernel, all but the last bytes may have come at any
	// time after Arrival.Emptied. It costs a system call, and is asked only
	// where it matters: when one read brought several frames.
	Unsplit() bool
	// Source is where Arrival.At comes from: of the last read, since a kernel
	// may leave one unstamped and a clock may step.
	Source() Source
	// RTT is the connection's least round-trip time of the last minutes, from
	// its opening on: how far the peer is. 0: not known. It is asked between
	// answers: Unsplit looks back no further than that.
	RTT() time.Duration
	// Closed reports, without blocking and without taking a byte, whether the
	// peer has closed the connection or sent what nobody asked for.
	Closed() bool
}

// Lender lends the buffer of a read.
type Lender interface {
	// Lend returns room for what was read: the same until it is returned.
	Lend() []byte
	// Return says that nothing was.
	Return()
}

// New stamps what is read from c. It takes the kernel's stamps where c is a
// TCP connection and the platform gives them, else the moment of the read. c
// must not be read by anything else from here on.
func New(c net.Conn) Conn {
	if k := newKernel(c); k != nil {
		return k
	}
	return &plain{Conn: c}
}
