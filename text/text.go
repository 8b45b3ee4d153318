// Package text answers in which words something is said, in English or in
// Chinese. It is one catalogue by id; it knows nothing of what the words are
// about, nor of where they are shown.
//
// The catalogue is split over files by subject. Every entry has both
// languages, with the same gaps; a test holds them to it, and another holds
// every id that the code names to the catalogue.
package text

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Lang is a language a person may read.
type Lang string

const (
	English Lang = "en"
	Chinese Lang = "zh"
)

// Entry is one text in both languages. Gaps are fmt verbs, indexed
// (%[1]s) where the two languages order them differently.
type Entry struct{ EN, ZH string }

// catalogue is filled by the init of each subject's file.
var catalogue = map[string]Entry{}

// add puts a subject's entries into the catalogue. An id given twice is a
// mistake of ours, found when the program starts.
func add(entries map[string]Entry) {
	for id, e := range entries {
		if _, taken := catalogue[id]; taken {
			panic("text: id given twice: " + id)
		}
		catalogue[id] = e
	}
}

// Say returns the text of id in the language, its gaps filled with args.
// An id that the catalogue lacks is returned in brackets, so that it is seen
// rather than lost.
func (l Lang) Say(id string, args ...any) string {
	e, ok := catalogue[id]
	if !ok {
		return "[" + id + "]"
	}
	s := e.EN
	if l == Chinese {
		s = e.ZH
	}
	if len(args) == 0 {
		return s
	}
	for i, a := range args {
		if m, ok := a.(Message); ok {
			args = slices.Clone(args)
			args[i] = m.In(l)
		}
	}
	return fmt.Sprintf(s, args...)
}

// Has reports whether the catalogue holds id.
func Has(id string) bool { _, ok := catalogue[id]; return ok }

// IDs lists the catalogue, sorted.
func IDs() []string { return slices.Sorted(maps.Keys(catalogue)) }

// Lookup returns the entry of id as it is, gaps unfilled.
func Lookup(id string) (Entry, bool) { e, ok := catalogue[id]; return e, ok }

// Message is a sentence not yet said in any language: the id of a text and
// what fills its gaps. A gap may itself be a Message.
type Message struct {
	ID   string
	Args []any
}

// Msg makes a Message. The zero Message says nothing.
func Msg(id string, args ...any) Message { return Message{id, args} }

// In says the message in a language.
func (m Message) In(l Lang) string {
	if m.ID == "" {
		return ""
	}
	return l.Say(m.ID, m.Args...)
}

func (m Message) String() string { return m.In(English) }

// Fault is an error made for a person: one line that says what is wrong, one
// that says what to do. Every error that a user can cause is one.
type Fault struct {
	What Message // required
	Hint Message // what to do; optional
	Err  error   // the cause, for code that branches on it; optional
}

// Wrong makes a Fault.
func Wrong(what, hint Message) *Fault { return &Fault{What: what, Hint: hint} }

func (f *Fault) Error() string { return f.What.In(English) }
func (f *Fault) Unwrap() error { return f.Err }

// FromEnv reads the language a person's environment asks for: the first of
// LC_ALL, LC_MESSAGES and LANG that is set. Whatever is not Chinese is
// English.
func FromEnv(getenv func(string) string) Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "zh") {
				return Chinese
			}
			return English
		}
	}
	return English
}
