package record

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestOneLine(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"", 9, ""},
		{"plain", 5, "plain"},
		{" a\n\tb  c ", 100, "a b c"},
		{"a\x1b[31mb", 9, "a [31mb"},
		{"\xff", 9, "\ufffd"},
		{"abcdef", 5, "ab…"},        // 2 + 3 bytes of the mark
		{"ab cdef", 6, "ab…"},       // "ab c" would be 4 + 3
		{"木木", 6, "木木"},             // it fits: no mark
		{"木木木", 8, "木…"},            // 3 + 3; two of them and the mark are 9
		{"abc   \n", 3, "abc"},      // nothing but space was left out
		{"abc", 2, "ab"},            // no room for a mark
		{"木木", 2, ""},               // nor for a rune
		{"abc", 0, ""},              // nor for anything
		{"ab…", 5, "ab…"},           // cut before: the mark stays one
		{"x\xe6\x9c", 9, "x\ufffd"}, // a rune cut by whoever sent it
	} {
		if got := OneLine(c.in, c.limit); got != c.want {
			t.Errorf("%q within %d: %q, want %q", c.in, c.limit, got, c.want)
		}
		if got := OneLine([]byte(c.in), c.limit); got != c.want {
			t.Errorf("%q as bytes within %d: %q, want %q", c.in, c.limit, got, c.want)
		}
	}
	// White space without end is not read to its end, and what may follow is
	// said to be missing; no rune is cut in two where the reading stops.
	if got, want := OneLine("a"+strings.Repeat(" ", 38)+"木木", 5), "a…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\nb 木", uint8(3))
	f.Add(strings.Repeat("é", 200), uint8(255))
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		limit := int(n)
		got := OneLine(s, limit)
		if len(got) > limit || !utf8.ValidString(got) || strings.ContainsFunc(got, unicode.IsControl) || strings.TrimSpace(got) != got {
			t.Fatalf("%q", got)
		}
		if again := OneLine(got, limit); again != got {
			t.Fatalf("%q, then %q", got, again)
		}
	})
}
