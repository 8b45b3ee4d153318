package render

import (
	"io"
	"strings"
	"unicode"
)

// clean makes a text from outside safe to show on one line: line ends and
// tabs become spaces, other control characters and broken UTF-8 become
// U+FFFD, so that they are seen and do nothing. Marks that turn the direction
// of writing are dropped, since they could make a line read as another, and so
// are those that draw themselves under the character behind them, whatever is
// put between.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t', r == '\v', r == '\f', r == '\u0085', r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r):
			return unicode.ReplacementChar
		case unicode.In(r, unicode.Bidi_Control, unicode.Prepended_Concatenation_Mark), r == '\ufeff':
			return -1
		}
		return r // what is broken is already U+FFFD here
	}, s)
}

// oneLine is clean, with every run of spaces as one and none at the ends.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// cleanLines cleans a text that may have several lines. Empty ones at its ends
// are left out.
func cleanLines(s string) []string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	lines := strings.Split(strings.Trim(s, "\n \t"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(clean(l), " ")
	}
	return lines
}

// Line writes one line for a person, whatever the words in it came from.
func Line(w io.Writer, s string) {
	io.WriteString(w, strings.TrimRight(clean(s), " ")+"\n")
}
