package machine

import (
	"bytes"
	"os"
	"path/filepath"
)

// host is where the kernel's files are found: under a directory of a test, or
// under the root.
type host struct{ root string }

var here = host{root: "/"}

func (h host) path(name string) string { return filepath.Join(h.root, name) }

// read returns a file's text; nil: it can't be read.
func (h host) read(name string) []byte {
	text, err := os.ReadFile(h.path(name))
	if err != nil {
		return nil
	}
	return text
}

// word cuts the first word off a text.
func word(text []byte) (first, rest []byte) {
	text = bytes.TrimLeft(text, " \t\n")
	if end := bytes.IndexAny(text, " \t\n"); end >= 0 {
		return text[:end], text[end:]
	}
	return text, nil
}

// number reads a decimal number that fits 63 bits and has no sign.
func number(digits []byte) (n int64, ok bool) {
	if len(digits) == 0 || len(digits) > 19 {
		return 0, false
	}
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = 10*n + int64(d-'0')
	}
	return n, n >= 0
}

// fieldOf is the number behind a name, in a text of a line a name.
func fieldOf(text []byte, name string) (int64, bool) {
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		first, rest := word(line)
		if string(first) == name {
			value, _ := word(rest)
			return number(value)
		}
	}
	return 0, false
}
