package wire

import "sync/atomic"

// Whole answers are gathered in memory. Each has a limit, and all together
// have one: a thousand connections that each bring the most allowed would be
// more than a machine has.
const (
	freely   = 1 << 20   // bytes of an answer that need no share
	together = 256 << 20 // bytes of all shares
)

// shared is what all shares hold.
var shared atomic.Int64

// share is what one answer holds of the room for all.
type share struct{ held int64 }

// has reports whether there is room for an answer of n bytes, and takes it. A
// buffer that grows is twice as large as what it holds, at most.
func (s *share) has(n int) bool {
	more := 2*int64(n) - freely - s.held
	if more <= 0 {
		return true
	}
	if shared.Add(more) > together {
		shared.Add(-more)
		return false
	}
	s.held += more
	return true
}

// giveBack ends the share.
func (s *share) giveBack() {
	shared.Add(-s.held)
	s.held = 0
}
