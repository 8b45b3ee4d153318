package trace

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/valyala/fastjson"

	"tidemark/load/arrival"
	"tidemark/text"
)

// jsonRows is JSON lines: one object a line.
type jsonRows struct {
	in     *bufio.Reader
	own    map[string]string
	parser fastjson.Parser
	keys   []string        // of the last object
	names  [columns]string // of these; "": not there
	ns     int64
	number int
	long   []byte // a line longer than the reader's buffer
}

func (r *jsonRows) line() int { return r.number }

func (r *jsonRows) next() (q arrival.Request, at int64, bad *trouble) {
	line, err := r.readLine()
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		line, err = r.readLine()
	}
	switch {
	case errors.Is(err, errLongLine):
		return q, 0, tooLong(r.number)
	case err != nil && err != io.EOF:
		return q, 0, unreadable(r.number, err)
	case err == io.EOF && len(bytes.TrimSpace(line)) == 0:
		return q, 0, end
	}
	var object *fastjson.Object
	v, err := r.parser.ParseBytes(line)
	if err == nil {
		object, err = v.Object()
	}
	if err != nil {
		return q, 0, wrong(r.number, text.Msg("trace.json"), text.Msg("trace.json.hint"))
	}
	if bad := r.look(object); bad != nil {
		return q, 0, bad
	}
	return r.request(object)
}

// look finds the columns among an object's keys. Most have those of the one
// before; but what not every request has, such as a session, may come late.
// What was named must be in the first.
func (r *jsonRows) look(o *fastjson.Object) *trouble {
	if r.same(o) {
		return nil
	}
	must := r.own
	if r.keys != nil {
		must = nil
	}
	r.keys = r.keys[:0]
	o.Visit(func(key []byte, _ *fastjson.Value) { r.keys = append(r.keys, string(key)) })
	at := find(r.keys, r.own)
	if bad := at.refuse(r.number, r.keys, must); bad != nil {
		return bad
	}
	for c, i := range at {
		if r.names[c] = ""; i >= 0 {
			r.names[c] = r.keys[i]
		}
	}
	r.ns = unit(r.names[timeColumn], true)
	return nil
}

// same says whether an object has the keys of the one before.
func (r *jsonRows) same(o *fastjson.Object) bool {
	if r.keys == nil || o.Len() != len(r.keys) {
		return false
	}
	i, same := 0, true
	o.Visit(func(key []byte, _ *fastjson.Value) {
		same = same && string(key) == r.keys[i]
		i++
	})
	return same
}

func (r *jsonRows) request(o *fastjson.Object) (q arrival.Request, at int64, bad *trouble) {
	when := plain(o.Get(r.names[timeColumn]))
	at, ok := moment(when, r.ns)
	if !ok {
		return q, 0, notTime(r.number, when)
	}
	input, output := plain(o.Get(r.names[inputColumn])), plain(o.Get(r.names[outputColumn]))
	if q.Input, ok = whole(input); !ok {
		return q, 0, notNumber(r.number, inputColumn, input)
	}
	if q.Output, ok = whole(output); !ok {
		return q, 0, notNumber(r.number, outputColumn, output)
	}
	if name := r.names[sessionColumn]; name != "" {
		q.Session = plain(o.Get(name))
	}
	if name := r.names[blocksColumn]; name != "" {
		q.Blocks, bad = r.blocks(o.Get(name))
	}
	return q, at, bad
}

func (r *jsonRows) blocks(list *fastjson.Value) (ids []int64, bad *trouble) {
	if list.Type() == fastjson.TypeNull {
		return nil, nil
	}
	values, err := list.Array()
	if err != nil {
		return nil, notNumber(r.number, blocksColumn, plain(list))
	}
	for _, v := range values {
		id, err := v.Int64()
		if err != nil {
			return nil, notNumber(r.number, blocksColumn, plain(v))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// plain is a value as a CSV file would have it; null is nothing.
func plain(v *fastjson.Value) string {
	if v == nil || v.Type() == fastjson.TypeNull {
		return ""
	}
	if b, err := v.StringBytes(); err == nil {
		return string(b)
	}
	return v.String()
}

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
