//go:build unix

package main

import "golang.org/x/sys/unix"

// openFiles is how many files and connections this process may have open; 0:
// not known. (The Go runtime has raised the limit to what it may be.)
func openFiles() uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	return uint64(l.Cur)
}
