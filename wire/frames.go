package wire

import (
	"bytes"

	"tidemark/wire/dialect"
)

const (
	frameLimit = 16 << 20 // bytes of one frame
	keptBuffer = 64 << 10 // a larger buffer is let go after its frame
)

var (
	bom   = []byte("\xef\xbb\xbf")
	colon = []byte{':'}
)

// framer cuts a body into frames, wherever its reads were cut.
type framer interface {
	// scan takes bytes up to the end of the next frame. It returns how many
	// it took, and whether they completed one; if not, it took all. The frame
	// is valid until the next call.
	scan(p []byte) (n int, whole bool, err error)
	// tail makes a frame of what is left at the end of the body.
	tail() bool
	// frame is the last frame, and the offset in the body that it began at.
	frame() (dialect.Frame, int64)
	// passed is how many bytes were taken, and how many comments and frames of
	// nothing were among them.
	passed() (bytes int64, keepAlives int)
}

// carry cuts lines, and collects one that a read didn't complete.
type carry struct {
	line   []byte // the last one that was completed
	held   bool   // it lies in part, not in what was read
	part   []byte // the line to come, as far as it came
	offset int64  // in the body, of the byte after those taken
	begun  bool   // a line was completed before
}

// next cuts a line off p at the first byte that end finds. It returns how
// many bytes it took, and whether they completed the line; if not, it took
// all.
func (c *carry) next(p []byte, end func([]byte) int) (n int, ok bool, err error) {
	i := end(p)
	if i < 0 {
		n, i = len(p), len(p)
	} else {
		n, ok = i+1, true
	}
	if len(c.part)+i > frameLimit {
		return 0, false, tooLarge("a frame", frameLimit)
	}
	c.offset += int64(n)
	c.line, c.held = p[:i], len(c.part) > 0
	if c.held || !ok {
		c.part = append(c.part, p[:i]...)
		c.line = c.part
	}
	if ok {
		c.line = c.first(c.line)
	}
	return n, ok, nil
}

// first strips the mark of byte order off the body's first line.
func (c *carry) first(line []byte) []byte {
	if !c.begun {
		c.begun = true
		line = bytes.TrimPrefix(line, bom)
	}
	return line
}

// used lets the carried line go, after what it held was taken.
func (c *carry) used() { c.part = emptied(c.part) }

// emptied keeps a buffer for the next frame, unless one grew it.
func emptied(b []byte) []byte {
	if cap(b) > keptBuffer {
		return nil
	}
	return b[:0]
}

// ndjson cuts a body into lines, one frame each.
type ndjson struct {
	carry
	spent bool // the carried line was handed out
	data  []byte
	start int64
}

// reset makes f ready for another body and keeps its buffer.
func (f *ndjson) reset() { *f = ndjson{carry: carry{part: emptied(f.part)}} }

func (f *ndjson) scan(p []byte) (n int, whole bool, err error) {
	if f.spent {
		f.used()
		f.spent = false
	}
	for n < len(p) {
		begin := f.offset - int64(len(f.part))
		k, ok, err := f.next(p[n:], lineFeed)
		n += k
		if err != nil || !ok {
			return n, false, err
		}
		f.data = bytes.TrimSpace(f.line)
		if len(f.data) > 0 {
			f.spent, f.start = f.held, begin
			return n, true, nil
		}
		f.used()
	}
	return n, false, nil
}

func (f *ndjson) tail() bool {
	if f.spent {
		f.used()
		f.spent = false
	}
	f.start = f.offset - int64(len(f.part))
	f.data = bytes.TrimSpace(f.first(f.part))
	return len(f.data) > 0
}

func (f *ndjson) frame() (dialect.Frame, int64) { return dialect.Frame{Data: f.data}, f.start }
func (f *ndjson) passed() (int64, int)          { return f.offset, 0 }

func lineFeed(p []byte) int { return bytes.IndexByte(p, '\n') }
