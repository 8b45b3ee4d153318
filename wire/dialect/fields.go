package dialect

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tidemark/load/prompt"
)

// fields writes a JSON object whose members are in the order they are put.
// What extra holds wins over what is put; a JSON null there removes it. The
// same request gives the same bytes.
type fields struct {
	buf   []byte
	extra map[string]json.RawMessage
	ours  []string // keys that were put
	err   error    // the first value that JSON has no form for
}

// put writes a member, unless extra has its own or removes it.
func (f *fields) put(key string, value any) {
	f.ours = append(f.ours, key)
	own, given := f.extra[key]
	if given && isNull(own) {
		return
	}
	f.key(key)
	if given {
		f.buf = append(f.buf, own...)
		return
	}
	f.value(value)
}

// close writes what extra holds besides, sorted, and returns the object.
func (f *fields) close() ([]byte, error) {
	for _, key := range slices.Sorted(maps.Keys(f.extra)) {
		if slices.Contains(f.ours, key) {
			continue
		}
		f.key(key)
		if own := f.extra[key]; len(own) > 0 {
			f.buf = append(f.buf, own...)
		} else {
			f.buf = append(f.buf, "null"...)
		}
	}
	if len(f.buf) == 0 {
		f.buf = append(f.buf, '{')
	}
	return append(f.buf, '}'), f.err
}

func (f *fields) key(key string) {
	sep := byte(',')
	if len(f.buf) == 0 {
		sep = '{'
	}
	f.buf = append(f.buf, sep)
	f.text(key)
	f.buf = append(f.buf, ':')
}

func (f *fields) value(v any) {
	switch v := v.(type) {
	case string:
		f.text(v)
	case int:
		f.buf = strconv.AppendInt(f.buf, int64(v), 10)
	case bool:
		f.buf = strconv.AppendBool(f.buf, v)
	case []prompt.Message:
		f.messages(v)
	case json.RawMessage:
		f.raw(v)
	default:
		f.other(v)
	}
}

// raw writes JSON of ours as it is, and a file's without its white space.
func (f *fields) raw(v json.RawMessage) {
	if bytes.ContainsAny(v, " \t\r\n") || !json.Valid(v) {
		f.other(v)
		return
	}
	f.buf = append(f.buf, v...)
}

func (f *fields) other(v any) {
	b, err := plainJSON(v)
	if err != nil && f.err == nil {
		f.err = err
	}
	f.buf = append(f.buf, b...)
}

// text writes what is a JSON string as it stands, as nearly all prompts are,
// without a copy; anything else goes the long way.
func (f *fields) text(s string) {
	if plain([]byte(s), 0) < len(s) || !utf8.ValidString(s) || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029") {
		f.other(s)
		return
	}
	f.buf = append(append(append(f.buf, '"'), s...), '"')
}

// messages writes a conversation; messages that a file gave whole stay as they
// are.
func (f *fields) messages(all []prompt.Message) {
	f.buf = append(f.buf, '[')
	for i, m := range all {
		if i > 0 {
			f.buf = append(f.buf, ',')
		}
		if len(m.Raw) > 0 {
			f.other(m.Raw)
			continue
		}
		f.buf = append(f.buf, `{"role":`...)
		f.text(m.Role)
		f.buf = append(f.buf, `,"content":`...)
		f.text(m.Text)
		f.buf = append(f.buf, '}')
	}
	f.buf = append(f.buf, ']')
}

// plainJSON leaves <, > and & as they are: they are counted as tokens, and a
// prompt should cross the wire as it was written.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}
