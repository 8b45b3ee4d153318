//go:build linux && (amd64 || arm64)

package stamp

import (
	"net"
	"testing"
)

func (k *kernel) plain() net.Conn { return k.Conn }

// BenchmarkCensus is the price of the getsockopt that follows each read.
func BenchmarkCensus(b *testing.B) {
	_, c := stamped(b)
	k := c.(*kernel)
	k.raw.Control(func(fd uintptr) {
		for b.Loop() {
			k.count(fd)
		}
	})
}
