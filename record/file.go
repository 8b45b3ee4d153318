package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// FileName is what a run's directory calls its records.
const FileName = "records.jsonl.zst"

// flushEvery bounds what a killed run loses.
const flushEvery = time.Second

// Writer keeps a stream in a file as it happens: a line of JSON a record, in
// zstd frames that are closed every second, so that whatever was written a
// second ago can be read whatever happens next. It is safe for use by several
// goroutines. After an error every call returns it.
type Writer struct {
	mu   sync.Mutex
	out  io.Writer
	enc  *zstd.Encoder
	open bool // a frame holds lines
	line []byte
	err  error
	stop chan struct{}
	done chan struct{}
}

// NewWriter writes to w. Close must be called.
func NewWriter(w io.Writer) (*Writer, error) {
	enc, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(128<<10), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	wr := &Writer{out: w, enc: enc, stop: make(chan struct{}), done: make(chan struct{})}
	go wr.closeFrames()
	return wr, nil
}

// Write adds a record.
func (w *Writer) Write(r Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	line, err := appendRecord(w.line[:0], r)
	if err != nil {
		return err // a mistake of ours, and no reason to lose the rest
	}
	if w.open = true; cap(line) <= keptLine {
		w.line = line
	}
	_, w.err = w.enc.Write(line)
	return w.err
}

// keptLine bounds the buffer that is kept for the next line: a few hold whole
// answers.
const keptLine = 1 << 20

// appendRecord writes a record's line: its kind, then its fields.
func appendRecord(dst []byte, r Record) ([]byte, error) {
	dst = append(append(append(dst, `{"kind":"`...), r.kind()...), `",`...)
	behind := len(dst)
	if a, ok := r.(*Attempt); ok {
		dst = appendAttempt(dst, a)
	} else {
		body, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		dst = append(dst, body...)
	}
	dst = slices.Delete(dst, behind, behind+1) // the fields' own opening brace
	return append(dst, '\n'), nil
}

// Flush puts what was written so far where a killed run leaves it.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closeFrame()
	return w.err
}

// closeFrames ends the open frame every second.
func (w *Writer) closeFrames() {
	defer close(w.done)
	t := time.NewTicker(flushEvery)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			w.mu.Lock()
			w.closeFrame()
			w.mu.Unlock()
		case <-w.stop:
			return
		}
	}
}

func (w *Writer) closeFrame() {
	if w.err != nil || !w.open {
		return
	}
	w.open = false
	if w.err = w.enc.Close(); w.err == nil {
		w.enc.Reset(w.out)
	}
}

// Close ends the stream. It does not close what it writes to.
func (w *Writer) Close() error {
	close(w.stop)
	<-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closeFrame()
	return w.err
}

// ErrTruncated is yielded last by [Read] where the stream ends in the middle
// of a frame or a line, as a killed run leaves it. All that came before it
// stands.
var ErrTruncated = errors.New("the records end in the middle")

// Read yields the records of a stream in order. An error is yielded once, and
// last. Records of a kind that this version does not know are passed over.
func Read(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		dec, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err != nil {
			yield(nil, err)
			return
		}
		defer dec.Close()
		lines := bufio.NewReaderSize(dec, 64<<10)
		var attempts attemptReader
		for n := 1; ; n++ {
			line, err := readLine(lines)
			if errors.Is(err, errLong) {
				yield(nil, fmt.Errorf("record %d: %w", n, err))
				return
			}
			if err != nil {
				// A cut frame still gives the blocks that were whole; what is
				// left over is a part of a line.
				switch {
				case n == 1 && errors.Is(err, zstd.ErrMagicMismatch):
					yield(nil, errors.New("this is no file of records"))
				case err != io.EOF, len(line) > 0, n == 1: // not even a run's first second
					yield(nil, cut(err))
				}
				return
			}
			rec, err := decode(line, &attempts)
			if err != nil {
				yield(nil, fmt.Errorf("record %d: %w", n, err))
				return
			}
			if rec != nil && !yield(rec, nil) {
				return
			}
		}
	}
}

// cut names the error of a stream that ends where it should not.
func cut(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, zstd.ErrMagicMismatch) {
		return ErrTruncated
	}
	return err
}

// lineLimit bounds a record, in bytes. The largest there are hold an answer
// and a gap for each of its frames.
const lineLimit = 32 << 20

var errLong = errors.New("it is too long to be one")

// readLine returns a line without its end. At an error it returns what there
// was of the line.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if err == nil {
		return line[:len(line)-1], nil
	}
	if err != bufio.ErrBufferFull {
		return line, err
	}
	long := bytes.Clone(line)
	for {
		line, err = r.ReadSlice('\n')
		long = append(long, line...)
		if err == nil {
			return long[:len(long)-1], nil
		}
		if len(long) > lineLimit {
			return nil, errLong
		}
		if err != bufio.ErrBufferFull {
			return long, err
		}
	}
}

// decode returns nil for a kind it doesn't know.
func decode(line []byte, attempts *attemptReader) (Record, error) {
	var rec Record
	switch kind(line) {
	case "run":
		rec = new(Run)
	case "level":
		rec = new(Level)
	case "attempt":
		a := new(Attempt)
		if attempts.read(line, a) {
			return a, nil
		}
		rec = new(Attempt)
	case "sample":
		rec = new(Sample)
	case "note":
		rec = new(Note)
	case "end":
		rec = new(End)
	case "":
		return nil, errors.New("no record")
	default:
		return nil, nil
	}
	if err := json.Unmarshal(line, rec); err != nil {
		return nil, err
	}
	if run, ok := rec.(*Run); ok && run.Format > Format {
		return nil, fmt.Errorf("records of format %d; this version reads up to %d", run.Format, Format)
	}
	return rec, nil
}

// kind returns the record's kind, which every line begins with; "" for a line
// that doesn't.
func kind(line []byte) string {
	rest, ok := bytes.CutPrefix(line, []byte(`{"kind":"`))
	if !ok {
		return ""
	}
	k, _, ok := bytes.Cut(rest, []byte{'"'})
	if !ok {
		return ""
	}
	return string(k)
}
