package wire

import (
	"bytes"

	"tidemark/wire/dialect"
)

// sse cuts a body into the events of WHATWG's text/event-stream, with two
// liberties: an event may have a field named error, and one whose data is
// white space is a keep-alive. Field values stay where they were read until
// an event spans two reads.
type sse struct {
	carry
	skipLF bool // the last line ended in CR: an LF that follows belongs to it
	spent  bool // the event was handed out

	event, failure []byte // own buffers
	data           []byte // in the read's buffer, in own, or nil
	own            []byte
	borrowed       bool // data lies in the read's buffer
	some           bool // a field was seen
	hasData        bool
	start          int64
	alive          int
}

// reset makes f ready for another body and keeps its buffers.
func (f *sse) reset() {
	f.clear()
	*f = sse{carry: carry{part: f.part}, event: f.event, failure: f.failure, own: f.own}
}

func (f *sse) scan(p []byte) (n int, whole bool, err error) {
	if f.spent {
		f.clear()
	}
	for n < len(p) {
		if f.skipLF {
			f.skipLF = false
			if p[n] == '\n' {
				n++
				f.offset++
				continue
			}
		}
		begin := f.offset - int64(len(f.part))
		k, ok, err := f.next(p[n:], lineEnd)
		n += k
		if err != nil {
			return n, false, err
		}
		if !ok {
			break
		}
		f.skipLF = p[n-1] == '\r'
		if len(f.line) == 0 && f.ended() {
			return n, true, nil
		} else if len(f.line) > 0 {
			if err := f.take(f.line, begin); err != nil {
				return n, false, err
			}
		}
		if f.held {
			f.used()
		}
	}
	f.settle()
	return n, false, nil
}

// lineEnd finds the first LF or CR.
func lineEnd(p []byte) int {
	lf := bytes.IndexByte(p, '\n')
	if lf < 0 {
		return bytes.IndexByte(p, '\r')
	}
	if cr := bytes.IndexByte(p[:lf], '\r'); cr >= 0 {
		return cr
	}
	return lf
}

// take reads one line that isn't empty.
func (f *sse) take(line []byte, begin int64) error {
	name, value, _ := bytes.Cut(line, colon)
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(name) {
	case "":
		f.alive++ // a comment
		return nil
	case "data":
		if len(f.data)+len(value) > frameLimit {
			return tooLarge("a frame", frameLimit)
		}
		f.addData(value)
	case "event":
		f.event = append(f.event[:0], value...)
	case "error":
		f.failure = append(f.failure[:0], value...)
	case "id", "retry":
	default:
		return nil
	}
	if !f.some {
		f.some, f.start = true, begin
	}
	return nil
}

func (f *sse) addData(value []byte) {
	switch {
	case f.hasData: // one more line: both go to our own buffer
		if f.borrowed || len(f.data) != len(f.own) {
			f.own = append(f.own[:0], f.data...)
		}
		f.own = append(append(f.own, '\n'), value...)
		f.data, f.borrowed = f.own, false
	case f.held: // the carried line's buffer becomes our own, uncopied
		f.own, f.part = f.part, f.own[:0]
		f.data, f.borrowed = value, false
	default:
		f.data, f.borrowed = value, true
	}
	f.hasData = true
}

// settle moves what lies in the read's buffer to our own.
func (f *sse) settle() {
	if f.borrowed {
		f.own = append(f.own[:0], f.data...)
		f.data, f.borrowed = f.own, false
	}
}

// ended is an empty line: it reports whether there is an event to hand out.
func (f *sse) ended() bool {
	if len(f.failure) > 0 || len(bytes.TrimSpace(f.data)) > 0 {
		f.spent = true
		return true
	}
	if f.some {
		f.alive++
	}
	f.clear()
	return false
}

func (f *sse) clear() {
	f.event, f.failure, f.own = emptied(f.event), emptied(f.failure), emptied(f.own)
	f.data = nil
	f.borrowed, f.some, f.hasData, f.spent = false, false, false, false
}

func (f *sse) tail() bool {
	if f.spent {
		f.clear()
	}
	f.held = true
	if line := f.first(f.part); len(line) > 0 && f.take(line, f.offset-int64(len(line))) != nil {
		return false
	}
	return f.ended()
}

func (f *sse) frame() (dialect.Frame, int64) {
	fr := dialect.Frame{Data: f.data}
	if len(f.event) > 0 {
		fr.Event = f.event
	}
	if len(f.failure) > 0 {
		fr.Error = f.failure
	}
	return fr, f.start
}

func (f *sse) passed() (int64, int) { return f.offset, f.alive }
