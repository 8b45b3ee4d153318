package wire

// echo finds an answer that repeats itself: pieces that each hold all the
// text so far, or a last one that does. It keeps hashes, not text.
type echo struct {
	pieces int
	size   int // bytes of all pieces
	all    uint64
	last   uint64
	width  int  // bytes of the last piece
	grown  int  // pieces that began with the whole one before and went on
	broken bool // one did not
	again  bool // the last piece is the text before it, whole
}

// basis and prime are FNV-1a's of 64 bits.
const (
	basis = 0xcbf29ce484222325
	prime = 0x100000001b3
)

func hash(h uint64, p []byte) uint64 {
	for _, c := range p {
		h = (h ^ uint64(c)) * prime
	}
	return h
}

func (e *echo) add(p []byte) {
	if e.pieces == 0 {
		e.all = basis
	}
	e.again = e.pieces > 1 && len(p) == e.size && hash(basis, p) == e.all
	if !e.broken {
		grows := e.pieces == 0 || len(p) > e.width && hash(basis, p[:e.width]) == e.last
		e.broken = !grows
		if grows && e.pieces > 0 {
			e.grown++
		}
		e.last, e.width = hash(basis, p), len(p)
	}
	e.all = hash(e.all, p)
	e.size += len(p)
	e.pieces++
}

// cumulative: three times or more, and without exception, a piece began with
// the one before.
func (e *echo) cumulative() bool { return !e.broken && e.grown >= 3 }
