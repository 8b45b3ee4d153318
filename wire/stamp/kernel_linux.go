//go:build linux && (amd64 || arm64)

package stamp

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// kernel stamps by the kernel's receive time. All that a read needs lives
// here, so that a read allocates nothing.
type kernel struct {
	net.Conn
	raw     syscall.RawConn
	receive func(fd uintptr) bool // the method values, made once
	sample  func(fd uintptr)
	look    func(fd uintptr)

	lender Lender // of the read that waits; nil: it has a buffer

	msg   unix.Msghdr
	iov   unix.Iovec
	oob   [4]uint64 // one control message that holds a timespec
	n     int
	errno syscall.Errno

	info    unix.TCPInfo
	segs    segments
	last    Arrival
	emptied time.Time
	source  Source
	closed  bool // as Closed last found
	known   bool // unsplit tells of the last read
	unsplit bool
}

// newKernel returns nil where the kernel gives no stamps or doesn't count
// segments.
func newKernel(c net.Conn) Conn {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	keepStamping()
	k := &kernel{Conn: c, raw: raw, source: Kernel}
	k.receive, k.sample, k.look = k.recvmsg, k.settle, k.peek
	k.iov.SetLen(0)
	k.msg.Iov, k.msg.Iovlen = &k.iov, 1
	k.msg.Control = (*byte)(unsafe.Pointer(&k.oob))
	able := false
	err = raw.Control(func(fd uintptr) {
		able = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) == nil && k.begin(fd)
	})
	if err != nil || !able {
		return nil
	}
	return k
}

// keepStamping holds one socket that asks for stamps, from the first
// connection to the end of the program. The kernel switches stamping on a
// moment after the first socket asks and off when the last is closed: without
// this, the first answer of each fresh set of connections might go unstamped.
// The moment is waited for once.
var keepStamping = sync.OnceFunc(func() {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) == nil {
		time.Sleep(5 * time.Millisecond)
	}
})

// begin takes the first census. Bytes may be waiting already, where the peer
// speaks first: they count as one write if they are the connection's first.
func (k *kernel) begin(fd uintptr) bool {
	if !k.count(fd) {
		return false
	}
	waiting, err := unix.IoctlGetInt(int(fd), unix.SIOCINQ)
	if err != nil || uint64(waiting) > k.info.Bytes_received {
		return false
	}
	k.segs.read, k.segs.mss = k.info.Bytes_received-uint64(waiting), k.info.Snd_mss
	if waiting == 0 {
		k.segs.base = k.info.Data_segs_in
		k.emptied = time.Now()
	}
	return true
}

// Read is one recvmsg.
func (k *kernel) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	k.room(p)
	n, err := k.wait()
	k.iov.Base = nil
	return n, err
}

// ReadLent has a buffer during each recvmsg, and none between two.
func (k *kernel) ReadLent(l Lender) (int, error) {
	k.lender = l
	n, err := k.wait()
	k.lender, k.iov.Base = nil, nil
	if n == 0 {
		l.Return()
	}
	return n, err
}

func (k *kernel) room(p []byte) {
	k.iov.Base = &p[0]
	k.iov.SetLen(len(p))
}

func (k *kernel) wait() (int, error) {
	err := k.raw.Read(k.receive)
	switch {
	case err != nil:
		return 0, err
	case k.errno != 0:
		return 0, &net.OpError{
			Op: "read", Net: "tcp", Source: k.LocalAddr(), Addr: k.RemoteAddr(),
			Err: os.NewSyscallError("recvmsg", k.errno),
		}
	case k.n == 0:
		return 0, io.EOF
	}
	return k.n, nil
}

// recvmsg is called by the runtime's poller until it returns true. The socket
// is non-blocking, so the raw calls need not tell the scheduler.
func (k *kernel) recvmsg(fd uintptr) bool {
	if k.lender != nil {
		k.room(k.lender.Lend())
	}
	k.msg.SetControllen(int(unsafe.Sizeof(k.oob)))
	n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&k.msg)), 0)
	for errno == unix.EINTR {
		n, _, errno = unix.RawSyscall(unix.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&k.msg)), 0)
	}
	if errno == unix.EAGAIN {
		if k.lender != nil {
			k.iov.Base = nil
			k.lender.Return()
		}
		return false
	}
	k.n, k.errno = int(n), errno
	if errno == 0 && n > 0 {
		k.stamp(fd, time.Now())
	}
	return true
}

// stamp notes the arrival of a read that returned now.
func (k *kernel) stamp(fd uintptr, now time.Time) {
	filled := k.n == int(k.iov.Len)
	k.segs.took(k.n, filled)
	empty := !filled
	if k.known = filled || k.segs.eager; k.known {
		empty = k.ask(fd) || empty
	}
	at, ok := place(now, k.stamped(), k.emptied)
	k.source = Read
	if ok {
		k.source = Kernel
	}
	// Before the socket was last empty nothing of this can have come, but for
	// what came between that read and the reading of the clocks after it.
	if at.Before(k.emptied) {
		at = k.emptied
	}
	k.last = Arrival{At: at, Read: now, Emptied: k.emptied}
	if empty {
		k.emptied = now
	}
}

// Unsplit takes a census, unless one was taken for the last read.
func (k *kernel) Unsplit() bool {
	if !k.known {
		k.known, k.unsplit = true, false
		_ = k.raw.Control(func(fd uintptr) { k.ask(fd) })
	}
	return k.unsplit
}

// ask takes a census of the last read, and reports whether the socket was
// found empty.
func (k *kernel) ask(fd uintptr) (empty bool) {
	k.unsplit = false
	if k.count(fd) {
		k.unsplit, empty = k.segs.unsplit(k.counted())
	}
	return empty
}

func (k *kernel) settle(fd uintptr) {
	if k.count(fd) {
		k.segs.settle(k.counted())
	}
}

// counted is what the last count found.
func (k *kernel) counted() census {
	return census{segs: k.info.Data_segs_in, bytes: k.stream(), mss: k.info.Snd_mss}
}

// stamped is the control message's receive time, in nanoseconds of the wall
// clock; 0: there is none.
func (k *kernel) stamped() int64 {
	const whole = unix.SizeofCmsghdr + 16
	h := (*unix.Cmsghdr)(unsafe.Pointer(&k.oob))
	if k.msg.Controllen < whole || h.Len < whole || h.Level != unix.SOL_SOCKET || h.Type != unix.SCM_TIMESTAMPNS {
		return 0
	}
	return int64(k.oob[2])*1e9 + int64(k.oob[3])
}

// count fills info; false where the kernel is too old to count segments.
func (k *kernel) count(fd uintptr) bool {
	const enough = unsafe.Offsetof(k.info.Data_segs_out)
	size := uint32(enough)
	_, _, errno := unix.RawSyscall6(unix.SYS_GETSOCKOPT, fd, unix.IPPROTO_TCP, unix.TCP_INFO,
		uintptr(unsafe.Pointer(&k.info)), uintptr(unsafe.Pointer(&size)), 0)
	return errno == 0 && size == uint32(enough)
}

// stream is the number of bytes the peer sent. The kernel counts its FIN as
// one.
func (k *kernel) stream() uint64 {
	const closeWait, lastAck, closing, timeWait = 8, 9, 11, 6
	switch k.info.State {
	case closeWait, lastAck, closing, timeWait:
		return k.info.Bytes_received - 1
	}
	return k.info.Bytes_received
}

// RTT asks the kernel anew, for the least and not the smoothed one: a server
// that says nothing for a while acknowledges a request when it answers, or
// after 40 ms, and the smoothed one would take that for distance.
func (k *kernel) RTT() time.Duration {
	const none = 1<<32 - 1
	_ = k.raw.Control(k.sample)
	if k.info.Min_rtt == none {
		return 0
	}
	return time.Duration(k.info.Min_rtt) * time.Microsecond
}

func (k *kernel) Arrival() Arrival { return k.last }
func (k *kernel) Source() Source   { return k.source }

// Closed is one recv that takes nothing.
func (k *kernel) Closed() bool {
	return k.raw.Control(k.look) != nil || k.closed
}

func (k *kernel) peek(fd uintptr) { k.closed = heard(fd) }
