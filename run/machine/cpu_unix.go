//go:build unix

package machine

import (
	"syscall"
	"time"
)

// processTime is the CPU time the process has used, user and system.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// virtual reports whether the time that Go shows is not the machine's, as in
// a test of package testing/synctest.
func virtual() bool {
	var now syscall.Timeval
	if err := syscall.Gettimeofday(&now); err != nil {
		return false
	}
	return time.Since(time.Unix(0, now.Nano())).Abs() > time.Hour
}
