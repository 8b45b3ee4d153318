package trace

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"tidemark/load/arrival"
	"tidemark/text"
)

// rows reads a file's requests one after the other. next gives the moment in
// nanoseconds on the file's clock, and end behind the last.
type rows interface {
	next() (r arrival.Request, at int64, bad *trouble)
	line() int // of the last request, from 1
}

// longestLine bounds one request's line, in bytes.
const longestLine = 16 << 20

var errLongLine = errors.New("line too long")

// newRows tells the file's kind from its first character.
func newRows(f io.Reader, own map[string]string) (rows, *trouble) {
	in := bufio.NewReaderSize(f, 64<<10)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3)
	}
	if head, _ := in.Peek(512); bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }) {
		return nil, wrong(1, text.Msg("trace.binary"), text.Msg("trace.binary.hint"))
	}
	blank := 0 // lines before the first
	for {
		b, err := in.Peek(1)
		switch {
		case err == io.EOF:
			return nothing{}, nil
		case err != nil:
			return nil, wrong(0, text.Msg("trace.read", err.Error()), text.Msg("trace.open.hint"))
		case b[0] == '{':
			return &jsonRows{in: in, own: own, number: blank}, nil
		case b[0] == '\n' || b[0] == '\r' || b[0] == ' ' || b[0] == '\t':
			if b[0] == '\n' {
				blank++
			}
			in.Discard(1)
		default:
			return newCSV(in, own, blank)
		}
	}
}

type nothing struct{}

func (nothing) next() (arrival.Request, int64, *trouble) { return arrival.Request{}, 0, end }
func (nothing) line() int                                { return 0 }

// whole reads a length. A fraction of zero is none.
func whole(s string) (int, bool) {
	s = strings.TrimSpace(s)
	if n, err := strconv.Atoi(s); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return int(f), err == nil && f == float64(int(f)) && f < 1e15 && f > -1e15
}

// notTime, notNumber, tooLong and unreadable refuse what a line holds.

func notTime(line int, s string) *trouble {
	return wrong(line, text.Msg("trace.time", clipped(s, 40)), text.Msg("trace.time.hint"))
}

func notNumber(line int, c column, s string) *trouble {
	return wrong(line, text.Msg("trace.number", known[c].key, clipped(s, 40)), text.Msg("trace.number.hint"))
}

func tooLong(line int) *trouble {
	return wrong(line, text.Msg("trace.long", longestLine>>20), text.Msg("trace.long.hint"))
}

func unreadable(line int, err error) *trouble {
	return wrong(line, text.Msg("trace.read", err.Error()), text.Msg("trace.open.hint"))
}
