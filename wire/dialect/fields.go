package dialect

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
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
	f.value(key)
	f.buf = append(f.buf, ':')
}

func (f *fields) value(v any) {
	b, err := plainJSON(v)
	if err != nil && f.err == nil {
		f.err = err
	}
	f.buf = append(f.buf, b...)
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
