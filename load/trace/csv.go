package trace

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"tidemark/load/arrival"
	"tidemark/text"
)

// csvRows is a CSV file with a line of names.
type csvRows struct {
	in     *bounded
	csv    *csv.Reader
	blank  int // lines before the names, which the reader doesn't know of
	at     places
	ns     int64
	number int
}

func newCSV(in *bufio.Reader, own map[string]string, blank int) (rows, *trouble) {
	r := &csvRows{in: &bounded{in: in}, blank: blank, number: blank}
	r.csv = csv.NewReader(r.in)
	r.csv.ReuseRecord = true
	r.csv.TrimLeadingSpace = true
	names, err := r.csv.Read()
	if err != nil {
		return nil, r.bad(err)
	}
	r.number++
	r.at = find(names, own)
	if bad := r.at.refuse(r.number, names, own); bad != nil {
		return nil, bad
	}
	r.ns = unit(names[r.at[timeColumn]], false)
	return r, nil
}

func (r *csvRows) line() int { return r.number }

func (r *csvRows) next() (q arrival.Request, at int64, bad *trouble) {
	r.in.since = 0
	fields, err := r.csv.Read()
	if err == io.EOF {
		return q, 0, end
	}
	if err != nil {
		return q, 0, r.bad(err)
	}
	r.number, _ = r.csv.FieldPos(0)
	r.number += r.blank
	var ok bool
	if at, ok = moment(fields[r.at[timeColumn]], r.ns); !ok {
		return q, 0, notTime(r.number, fields[r.at[timeColumn]])
	}
	if q.Input, ok = whole(fields[r.at[inputColumn]]); !ok {
		return q, 0, notNumber(r.number, inputColumn, fields[r.at[inputColumn]])
	}
	if q.Output, ok = whole(fields[r.at[outputColumn]]); !ok {
		return q, 0, notNumber(r.number, outputColumn, fields[r.at[outputColumn]])
	}
	if i := r.at[sessionColumn]; i >= 0 {
		q.Session = strings.Clone(fields[i]) // else the whole line is held with it
	}
	if i := r.at[blocksColumn]; i >= 0 {
		q.Blocks, bad = r.blocks(fields[i])
	}
	return q, at, bad
}

// blocks reads a list such as "[1, 2, 3]" or "1 2 3".
func (r *csvRows) blocks(field string) (ids []int64, bad *trouble) {
	for word := range strings.FieldsFuncSeq(field, func(r rune) bool { return strings.ContainsRune(" ,;[]", r) }) {
		id, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, notNumber(r.number, blocksColumn, word)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// bad says in our words what the reader of CSV refuses.
func (r *csvRows) bad(err error) *trouble {
	var parse *csv.ParseError
	switch {
	case r.in.since > longestLine: // the reader of CSV may see an open quote in it
		return tooLong(r.number + 1)
	case errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount):
		return wrong(parse.StartLine+r.blank, text.Msg("trace.fields"), text.Msg("trace.csv.hint"))
	case errors.As(err, &parse):
		return wrong(parse.StartLine+r.blank, text.Msg("trace.csv", parse.Err.Error()), text.Msg("trace.csv.hint"))
	}
	return unreadable(r.number+1, err)
}

// bounded refuses a row that is too long, which the reader of CSV would hold
// whole: behind a quote that is left open that is the rest of the file.
type bounded struct {
	in    io.Reader
	since int // bytes read since the last row
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	if b.since += n; b.since > longestLine {
		return 0, errLongLine
	}
	return n, err
}
