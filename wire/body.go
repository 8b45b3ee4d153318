package wire

import (
	"bytes"
	"io"

	"tidemark/record"
)

const (
	chunkLineLimit = 1 << 10 // bytes of a chunk's size and extensions
	trailerLimit   = 8 << 10 // bytes of all trailers
)

// body is what follows a head, freed from its transfer framing.
type body struct {
	in    *input
	left  int64 // bytes of the body, or of its current chunk, to come; untilClose: all
	kind  bodyKind
	open  bool // chunked: a chunk's closing line is to come
	ended bool // its proper end was seen
	bytes int64
}

type bodyKind int

const (
	counted bodyKind = iota
	chunked
	untilClose
)

func newBody(in *input, length int64) body {
	switch {
	case length >= 0:
		return body{in: in, kind: counted, left: length}
	case length == -1:
		return body{in: in, kind: chunked}
	}
	return body{in: in, kind: untilClose, left: 1<<63 - 1}
}

// next returns the next bytes as soon as there are any, valid until the next
// call; io.EOF after the body's proper end, a *fault at any other.
func (b *body) next() ([]byte, error) {
	if b.ended {
		return nil, io.EOF
	}
	if b.left == 0 {
		if err := b.edge(); err != nil {
			return nil, err
		}
	}
	p, err := b.in.some(b.left)
	if err != nil {
		return nil, b.end(err)
	}
	b.left -= int64(len(p))
	b.bytes += int64(len(p))
	return p, nil
}

// edge is where a counted body or a chunk has no more bytes: it finds the
// next chunk, or the end.
func (b *body) edge() error {
	if b.kind == counted {
		b.ended = true
		return io.EOF
	}
	if b.open {
		if err := b.closeChunk(); err != nil {
			return err
		}
	}
	l, err := b.in.line(chunkLineLimit)
	if err != nil {
		return b.end(err)
	}
	size, ok := parseChunkSize(l)
	if !ok {
		return flaw("a chunk's size can't be read: %s", record.OneLine(l, 60))
	}
	if size > 0 {
		b.left, b.open = size, true
		return nil
	}
	return b.trailers()
}

// closeChunk reads the line break behind a chunk.
func (b *body) closeChunk() error {
	for _, want := range []byte("\r\n") {
		p, err := b.in.some(1)
		if err != nil {
			return b.end(err)
		}
		if p[0] != want {
			return flaw("a chunk is longer than its size")
		}
	}
	b.open = false
	return nil
}

// trailers reads what may follow the last chunk, and drops it.
func (b *body) trailers() error {
	for total := 0; total <= trailerLimit; {
		l, err := b.in.line(chunkLineLimit)
		if err != nil {
			return b.end(err)
		}
		if len(l) == 0 {
			b.ended = true
			return io.EOF
		}
		total += len(l)
	}
	return flaw("trailers are larger than %d KiB", trailerLimit>>10)
}

// end is what the end of the connection means here.
func (b *body) end(err error) error {
	if err != io.EOF {
		return err
	}
	if b.kind == untilClose {
		b.ended = true
		return io.EOF
	}
	return cut()
}

// parseChunkSize reads a size in hexadecimal and skips its extensions.
func parseChunkSize(line []byte) (int64, bool) {
	digits, _, _ := bytes.Cut(line, []byte{';'})
	digits = bytes.TrimRight(digits, " \t")
	if len(digits) == 0 || len(digits) > 15 {
		return 0, false
	}
	size := int64(0)
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		size = size<<4 | int64(c)
	}
	return size, true
}
