//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps a run's directory to one process, until that ends, however it
// ends. It reports whether nobody else had it.
func lock(dir string) (release func(), free bool) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}, true // whatever is wrong with it will be said where it is written to
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == unix.EWOULDBLOCK {
		f.Close()
		return func() {}, false
	}
	return func() { f.Close() }, true
}
