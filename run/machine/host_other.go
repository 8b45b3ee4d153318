//go:build !linux

package machine

// host has no files that tell of the machine.
type host struct{}

var here host
