package plan

import (
	"strconv"

	"tidemark/text"
)

// given is a value as a file or a flag gave it, before its key gives it a
// meaning.
type given struct {
	at    place
	shape shape
	text  string // a scalar as it was written, its quotes and escapes resolved
	value any    // the same as bool, int64, uint64, float64, string or nil
	list  []given
	pairs []pair
}

type pair struct {
	name  string
	at    place
	value given
}

type shape int

const (
	single shape = iota
	list
	mapping
)

// scalar is what a flag gives.
func scalar(s string) given { return given{text: s, value: s} }

// place is where something stands in a plan file, from 1. The zero place is
// the command line.
type place struct{ line, column int }

func (at place) in(file string) string {
	return file + ":" + strconv.Itoa(at.line) + ":" + strconv.Itoa(at.column)
}

// trouble is what is wrong with a value; at may be zero, and then is where
// the value begins.
type trouble struct {
	at         place
	what, hint text.Message
}

func wrong(what, hint text.Message) *trouble { return &trouble{what: what, hint: hint} }

func (t *trouble) fault() *text.Fault { return text.Wrong(t.what, t.hint) }

// near places a trouble that has no place of its own.
func (t *trouble) near(at place) *trouble {
	if t != nil && t.at == (place{}) {
		t.at = at
	}
	return t
}
