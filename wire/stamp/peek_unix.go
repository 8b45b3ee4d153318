//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package stamp

import (
	"net"
	"syscall"
)

// peek reports whether the peer closed c or sent something, taking no byte.
// A connection that has no socket is taken as open.
func peek(c net.Conn) bool {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return true
	}
	closed := false
	err = raw.Control(func(fd uintptr) { closed = heard(fd) })
	return closed || err != nil
}

// heard reports whether there is anything to read on a socket, an end too.
func heard(fd uintptr) bool {
	var b [1]byte
	_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return err != syscall.EAGAIN && err != syscall.EINTR
}
