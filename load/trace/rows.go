package trace

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

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

// newRows tells the file's kind from its first character.
func newRows(f io.Reader, own map[string]string) (rows, *trouble) {
	in := bufio.NewReaderSize(f, 64<<10)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		in.Discard(3)
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
			return newCSV(in, own)
		}
	}
}

type nothing struct{}

func (nothing) next() (arrival.Request, int64, *trouble) { return arrival.Request{}, 0, end }
func (nothing) line() int                                { return 0 }

// csvRows is a CSV file with a line of names.
type csvRows struct {
	csv    *csv.Reader
	at     [columns]int
	ns     float64
	number int
}

func newCSV(in *bufio.Reader, own map[string]string) (rows, *trouble) {
	r := &csvRows{csv: csv.NewReader(&bounded{in: in})}
	r.csv.ReuseRecord = true
	r.csv.TrimLeadingSpace = true
	names, err := r.csv.Read()
	if err != nil {
		return nil, r.bad(err)
	}
	var bad *trouble
	if r.at, bad = find(names, own); bad == nil {
		r.ns = unit(names[r.at[timeColumn]], false)
	}
	return r, bad
}

func (r *csvRows) line() int { return r.number }

func (r *csvRows) next() (q arrival.Request, at int64, bad *trouble) {
	fields, err := r.csv.Read()
	if err == io.EOF {
		return q, 0, end
	}
	if err != nil {
		return q, 0, r.bad(err)
	}
	r.number, _ = r.csv.FieldPos(0)
	var ok bool
	if at, ok = moment(fields[r.at[timeColumn]], r.ns); !ok {
		return q, 0, wrong(r.number, text.Msg("trace.time", shortened(fields[r.at[timeColumn]])), text.Msg("trace.time.hint"))
	}
	for c, into := range map[column]*int{inputColumn: &q.Input, outputColumn: &q.Output} {
		if *into, ok = whole(fields[r.at[c]]); !ok {
			return q, 0, wrong(r.number, text.Msg("trace.number", known[c].key, shortened(fields[r.at[c]])), text.Msg("trace.number.hint"))
		}
	}
	if i := r.at[sessionColumn]; i >= 0 {
		q.Session = strings.Clone(fields[i])
	}
	if i := r.at[blocksColumn]; i >= 0 {
		for word := range strings.FieldsFuncSeq(fields[i], func(r rune) bool { return strings.ContainsRune(" ,;[]", r) }) {
			id, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return q, 0, wrong(r.number, text.Msg("trace.number", known[blocksColumn].key, shortened(word)), text.Msg("trace.number.hint"))
			}
			q.Blocks = append(q.Blocks, id)
		}
	}
	return q, at, nil
}

// bad says in our words what the reader of CSV refuses.
func (r *csvRows) bad(err error) *trouble {
	line := r.number + 1
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount):
		return wrong(parse.Line, text.Msg("trace.fields"), text.Msg("trace.csv.hint"))
	case errors.As(err, &parse):
		return wrong(parse.Line, text.Msg("trace.csv", parse.Err.Error()), text.Msg("trace.csv.hint"))
	case errors.Is(err, errLongLine):
		return wrong(line, text.Msg("trace.long", longestLine>>20), text.Msg("trace.csv.hint"))
	}
	return wrong(line, text.Msg("trace.read", err.Error()), text.Msg("trace.open.hint"))
}

// whole reads a length. A fraction of zero is none.
func whole(s string) (int, bool) {
	s = strings.TrimSpace(s)
	if n, err := strconv.Atoi(s); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return int(f), err == nil && f == float64(int(f)) && f < 1e15 && f > -1e15
}

func shortened(s string) string {
	if runes := []rune(s); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return s
}

// jsonRows is JSON lines: one object a line.
type jsonRows struct {
	in     *bufio.Reader
	own    map[string]string
	parser fastjson.Parser
	names  [columns]string // of the file; "": not there
	ns     float64
	number int
	long   []byte // a line longer than the reader's buffer
}

func (r *jsonRows) line() int { return r.number }

func (r *jsonRows) next() (q arrival.Request, at int64, bad *trouble) {
	var object *fastjson.Object
	for object == nil {
		line, err := r.readLine()
		switch {
		case errors.Is(err, errLongLine):
			return q, 0, wrong(r.number, text.Msg("trace.long", longestLine>>20), text.Msg("trace.json.hint"))
		case err != nil && err != io.EOF:
			return q, 0, wrong(r.number, text.Msg("trace.read", err.Error()), text.Msg("trace.open.hint"))
		case err == io.EOF && len(line) == 0:
			return q, 0, end
		}
		if len(strings.TrimSpace(string(line))) == 0 {
			continue
		}
		v, err := r.parser.ParseBytes(line)
		if err == nil {
			object, err = v.Object()
		}
		if err != nil {
			return q, 0, wrong(r.number, text.Msg("trace.json"), text.Msg("trace.json.hint"))
		}
	}
	if r.ns == 0 {
		if bad := r.look(object); bad != nil {
			return q, 0, bad
		}
	}
	return r.request(object)
}

// look finds the columns in the first object.
func (r *jsonRows) look(o *fastjson.Object) *trouble {
	var names []string
	o.Visit(func(key []byte, _ *fastjson.Value) { names = append(names, string(key)) })
	at, bad := find(names, r.own)
	if bad != nil {
		bad.line = r.number
		return bad
	}
	for c, i := range at {
		if i >= 0 {
			r.names[c] = names[i]
		}
	}
	r.ns = unit(r.names[timeColumn], true)
	return nil
}

func (r *jsonRows) request(o *fastjson.Object) (q arrival.Request, at int64, bad *trouble) {
	when := o.Get(r.names[timeColumn])
	at, ok := moment(plain(when), r.ns)
	if !ok {
		return q, 0, wrong(r.number, text.Msg("trace.time", shortened(plain(when))), text.Msg("trace.time.hint"))
	}
	for c, into := range map[column]*int{inputColumn: &q.Input, outputColumn: &q.Output} {
		v := o.Get(r.names[c])
		if *into, ok = whole(plain(v)); !ok {
			return q, 0, wrong(r.number, text.Msg("trace.number", known[c].key, shortened(plain(v))), text.Msg("trace.number.hint"))
		}
	}
	if name := r.names[sessionColumn]; name != "" {
		q.Session = plain(o.Get(name))
	}
	list := o.Get(r.names[blocksColumn])
	if r.names[blocksColumn] == "" || list == nil {
		return q, at, nil
	}
	ids, err := list.Array()
	for _, v := range ids {
		id, bad := v.Int64()
		if err = errors.Join(err, bad); err != nil {
			break
		}
		q.Blocks = append(q.Blocks, id)
	}
	if err != nil {
		return q, 0, wrong(r.number, text.Msg("trace.number", known[blocksColumn].key, shortened(plain(list))), text.Msg("trace.number.hint"))
	}
	return q, at, nil
}

// plain is a value as a CSV file would have it.
func plain(v *fastjson.Value) string {
	if v == nil {
		return ""
	}
	if b, err := v.StringBytes(); err == nil {
		return string(b)
	}
	return v.String()
}

var errLongLine = errors.New("line too long")

// readLine reads one line, which is valid until the next.
func (r *jsonRows) readLine() ([]byte, error) {
	r.number++
	line, err := r.in.ReadSlice('\n')
	if err != bufio.ErrBufferFull {
		return line, err
	}
	r.long = append(r.long[:0], line...)
	for err == bufio.ErrBufferFull {
		if len(r.long) > longestLine {
			return nil, errLongLine
		}
		line, err = r.in.ReadSlice('\n')
		r.long = append(r.long, line...)
	}
	return r.long, err
}

// bounded refuses lines that are too long, which the reader of CSV would hold
// whole.
type bounded struct {
	in   io.Reader
	line int // bytes since the last line break
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	for _, c := range p[:n] {
		if b.line++; c == '\n' {
			b.line = 0
		}
	}
	if b.line > longestLine {
		return 0, errLongLine
	}
	return n, err
}
