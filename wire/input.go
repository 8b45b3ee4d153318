package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"sync"

	"tidemark/wire/stamp"
)

// inputSize is the read buffer of a connection, in bytes. It holds some
// fifteen frames, and every line that must be whole to be understood.
const inputSize = 4 << 10

// inputs lends the buffers that connections are read into. A connection has
// one while bytes of it are to be looked at, and none while it waits: most of
// many streams do nothing else.
var inputs = sync.Pool{New: func() any { return new([inputSize]byte) }}

// input reads a connection through one buffer and keeps the arrival of what
// it read last.
type input struct {
	conn    net.Conn   // the stamping connection, or TLS over it
	stamps  stamp.Conn // beneath it
	bare    bool       // the same: nothing is between
	limits  *limits
	buf     *[inputSize]byte // nil: none is needed
	r, w    int
	arrival stamp.Arrival
	touched bool // something was read since it was last set false
}

// fill reads more. It returns io.EOF where the peer closed, a *fault where a
// limit passed or the connection failed.
func (in *input) fill() error {
	in.makeRoom()
	for {
		in.limits.arm()
		n, err := in.read()
		if n > 0 {
			in.w += n
			in.arrival = in.stamps.Arrival()
			in.touched = true
			if in.limits.gone(in.arrival.At) {
				return left()
			}
			return nil
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			if f := in.limits.passed(); f != nil {
				return f
			}
		case errors.Is(err, io.EOF):
			return io.EOF
		case err != nil:
			return broken(err)
		}
	}
}

// makeRoom gives the buffer back where all of it was looked at.
func (in *input) makeRoom() {
	if in.r == in.w {
		in.drop()
	} else if in.w == len(in.buf) {
		in.w = copy(in.buf[:], in.buf[in.r:in.w])
		in.r = 0
	}
}

// read is one read, into a buffer that is had when there are bytes for it.
// TLS, and whatever else is no socket, waits with one.
func (in *input) read() (int, error) {
	if !in.bare || in.buf != nil {
		return in.conn.Read(in.Lend())
	}
	return in.stamps.ReadLent(in)
}

// Lend gives a read room to fill.
func (in *input) Lend() []byte {
	if in.buf == nil {
		in.buf = inputs.Get().(*[inputSize]byte)
	}
	return in.buf[in.w:]
}

// Return takes back what was lent for nothing.
func (in *input) Return() {
	if in.r == in.w {
		in.drop()
	}
}

// drop lets go of the buffer, and of what may be in it.
func (in *input) drop() {
	if in.buf != nil {
		inputs.Put(in.buf)
	}
	in.buf, in.r, in.w = nil, 0, 0
}

// some returns at most n bytes, at least one, without waiting for more than
// the first. They are valid until the next call.
func (in *input) some(n int64) ([]byte, error) {
	if in.r == in.w {
		if err := in.fill(); err != nil {
			return nil, err
		}
	}
	end := in.w
	if int64(end-in.r) > n {
		end = in.r + int(n)
	}
	p := in.buf[in.r:end]
	in.r = end
	return p, nil
}

// line returns the next line without its end, LF or CR LF. One that is longer
// than limit, which is less than the buffer, is a flaw. It is valid until the
// next call.
func (in *input) line(limit int) ([]byte, error) {
	for {
		if in.r == in.w {
			if err := in.fill(); err != nil {
				return nil, err
			}
		}
		if i := bytes.IndexByte(in.buf[in.r:in.w], '\n'); i >= 0 && i <= limit {
			l := in.buf[in.r : in.r+i]
			in.r += i + 1
			return bytes.TrimSuffix(l, []byte{'\r'}), nil
		} else if i > limit || in.w-in.r > limit {
			return nil, flaw("a line of the body's framing is longer than %d bytes", limit)
		}
		if err := in.fill(); err != nil {
			return nil, err
		}
	}
}
