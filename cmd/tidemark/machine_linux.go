package main

import "golang.org/x/sys/unix"

// kernel is the kernel's release.
func kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Release[:])
}
