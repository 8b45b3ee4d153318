//go:build unix

package run

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
