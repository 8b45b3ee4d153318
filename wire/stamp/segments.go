package stamp

// census is what the kernel counts of a connection's incoming side.
type census struct {
	segs  uint32 // segments that carried data; wraps
	bytes uint64 // of the stream, read or not
	mss   uint32 // of what we send; the peer's is the same on ordinary paths
}

// segments tells one write of the peer from several, by counting: the bytes
// of one write come in no more segments than they need. Two writes that
// together need as many segments as they are pass for one; frames, small
// beside a segment, do not.
type segments struct {
	read uint64 // bytes taken from the socket so far
	base uint32 // segments when the socket was last known empty
	need uint32 // segments that the reads since then need at least
	open uint64 // bytes since then that are not yet in need: the reads filled their buffers
}

// took notes a read of n bytes and the census right after it. It reports
// whether they came as one write, and whether the socket was then empty.
// filled says that the read filled its buffer: what follows may belong to the
// same write.
func (s *segments) took(n int, filled bool, c census) (unsplit, empty bool) {
	s.read += uint64(n)
	s.open += uint64(n)
	if c.bytes < s.read || c.mss == 0 {
		return false, false // somebody else reads, or the kernel doesn't count
	}
	unread := c.bytes - s.read
	need := s.need
	if filled {
		need += over(s.open+unread, c.mss)
	} else {
		// The read found the socket empty, so the unread bytes came later:
		// they are segments of their own.
		need += over(s.open, c.mss) + over(unread, c.mss)
	}
	unsplit = c.segs-s.base <= need
	switch {
	case unread == 0:
		s.base, s.need, s.open = c.segs, 0, 0
	case !filled:
		s.need += over(s.open, c.mss)
		s.open = 0
	}
	return unsplit, unread == 0
}

// over is bytes / mss, rounded up.
func over(bytes uint64, mss uint32) uint32 {
	return uint32((bytes + uint64(mss) - 1) / uint64(mss))
}
