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
//
// Reads are only added up; a census is taken when somebody asks. It speaks of
// all the reads since the last one that found the socket empty, so that a
// peer which cuts each of its frames into several segments raises doubt where
// there is none. Such a connection is eager from the first doubt on: there, a
// census follows each read. One also follows each read that filled its buffer,
// which doesn't know whether the socket is empty.
type segments struct {
	read  uint64 // bytes taken from the socket so far
	base  uint32 // segments when a census last found the socket empty
	need  uint32 // segments that the reads since then need at least
	open  uint64 // bytes since then that are not yet in need: the reads filled their buffers
	mss   uint32 // as the last census had it
	eager bool
}

// took notes a read of n bytes. filled says that the read filled its buffer:
// what follows may belong to the same write. A read that did not found the
// socket empty, so that whatever comes later is segments of its own.
func (s *segments) took(n int, filled bool) {
	s.read += uint64(n)
	s.open += uint64(n)
	if !filled && s.mss > 0 {
		s.need += over(s.open, s.mss)
		s.open = 0
	}
}

// unsplit reports whether the bytes of the last read came as one write, given
// a census taken after it, and whether the socket was then empty.
func (s *segments) unsplit(c census) (one, empty bool) {
	if c.bytes < s.read || c.mss == 0 {
		return false, false // somebody else reads, or the kernel doesn't count
	}
	unread := c.bytes - s.read
	one = c.segs-s.base <= s.need+over(s.open+unread, c.mss)
	s.mss = c.mss
	if unread == 0 {
		s.base, s.need, s.open = c.segs, 0, 0
	}
	s.eager = s.eager || !one
	return one, unread == 0
}

// settle begins anew where a census finds the socket empty: whatever cut the
// bytes so far, such as a handshake's, casts no doubt on those to come.
func (s *segments) settle(c census) {
	if c.bytes == s.read {
		s.base, s.need, s.open, s.mss = c.segs, 0, 0, c.mss
	}
}

// over is bytes / mss, rounded up.
func over(bytes uint64, mss uint32) uint32 {
	return uint32((bytes + uint64(mss) - 1) / uint64(mss))
}
