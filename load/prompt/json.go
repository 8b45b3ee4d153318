package prompt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// field is one member of an object, or one item of a list: name is "" then.
type field struct {
	name   string
	nameAt int // where the name stands in the file
	value  json.RawMessage
	at     int // where the value stands in the file
}

// fields is an object in the file's order, which a map would lose.
type fields []field

// get returns the member of a name; its value is never empty.
func (f fields) get(name string) (field, bool) {
	i := slices.IndexFunc(f, func(m field) bool { return m.name == name })
	if i < 0 {
		return field{}, false
	}
	return f[i], true
}

// errShape says that a value isn't of the kind asked for.
var errShape = errors.New("another kind of value")

// twice says that an object names a member more than once.
type twice struct{ field }

func (t twice) Error() string { return fmt.Sprintf("%q given twice", t.name) }

// fieldsOf reads an object that stands at base in its file. It returns
// errShape for a value of another kind and twice for a repeated name.
func fieldsOf(value []byte, base int) (fields, error) {
	dec := json.NewDecoder(bytes.NewReader(value))
	if err := open(dec, '{'); err != nil {
		return nil, err
	}
	var all fields
	seen := map[string]bool{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		f := field{name: name.(string)} // the decoder refuses any other name
		f.nameAt = base + nameStart(value, int(dec.InputOffset()))
		if f.value, f.at, err = next(dec, base); err != nil {
			return nil, err
		}
		if seen[f.name] {
			return nil, twice{f}
		}
		seen[f.name] = true
		all = append(all, f)
	}
	return all, nil
}

// itemsOf reads a list that stands at base in its file. It returns errShape
// for a value of another kind.
func itemsOf(value []byte, base int) ([]field, error) {
	dec := json.NewDecoder(bytes.NewReader(value))
	if err := open(dec, '['); err != nil {
		return nil, err
	}
	var all []field
	for dec.More() {
		var f field
		var err error
		if f.value, f.at, err = next(dec, base); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

func open(dec *json.Decoder, bracket json.Delim) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	if token != bracket {
		return errShape
	}
	return nil
}

// next reads one value and says where it begins in the file.
func next(dec *json.Decoder, base int) (json.RawMessage, int, error) {
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return nil, 0, err
	}
	return value, base + int(dec.InputOffset()) - len(value), nil
}

// nameStart goes back from the end of a name to its opening quote: the first
// one that no odd number of backslashes stands before.
func nameStart(value []byte, end int) int {
	for i := end - 2; i > 0; i-- {
		if value[i] != '"' {
			continue
		}
		slashes := 0
		for slashes < i && value[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return 0
}

// syntax returns why a value is no JSON, and which of its bytes was the last
// that was read.
func syntax(value []byte) (at int, why string, bad bool) {
	var ignored json.RawMessage
	err := json.Unmarshal(value, &ignored)
	if err == nil {
		return 0, "", false
	}
	if s := (*json.SyntaxError)(nil); errors.As(err, &s) {
		at = max(0, int(s.Offset)-1)
	}
	return at, err.Error(), true
}
