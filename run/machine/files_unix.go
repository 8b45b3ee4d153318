//go:build unix

package machine

import "golang.org/x/sys/unix"

// fileLimit is how many descriptors the process may have open, raised to what
// it may be.
func fileLimit() (limit uint64, known bool) {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return 0, false
	}
	if l.Cur < l.Max {
		raised := l
		raised.Cur = raised.Max
		if unix.Setrlimit(unix.RLIMIT_NOFILE, &raised) == nil {
			l = raised
		}
	}
	return uint64(l.Cur), true
}
