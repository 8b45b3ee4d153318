package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MessageLimit bounds what is recorded of anyone's words, in bytes.
const MessageLimit = 500

// cutMark stands where words were cut.
const cutMark = "…"

// OneLine is s as a record has it: on one line, in whole runes, without what
// a terminal would obey, and of at most limit bytes. Where it had to be cut
// it ends in "…", within the limit; a limit too small for the mark cuts
// without it.
func OneLine[T string | []byte](s T, limit int) string {
	if len(s) <= limit && isPlain(s) {
		return string(s)
	}
	head, cut := begin(s, 8*limit) // what can't be kept need not be read
	var b strings.Builder
	fits := 0 // bytes that leave room for the mark
	space := false
	for _, r := range strings.ToValidUTF8(head, string(utf8.RuneError)) {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = b.Len() > 0
			continue
		}
		width := utf8.RuneLen(r)
		if space {
			width++
		}
		if b.Len()+width > limit {
			cut = true
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		if b.Len()+len(cutMark) <= limit {
			fits = b.Len()
		}
	}
	if !cut || limit < len(cutMark) {
		return b.String()
	}
	return b.String()[:fits] + cutMark
}

// begin is at most limit bytes of s, in whole runes, and whether that is not
// all.
func begin[T string | []byte](s T, limit int) (string, bool) {
	if len(s) <= limit {
		return string(s), false
	}
	end := limit
	for end > limit-utf8.UTFMax && end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return string(s[:end]), true
}

// isPlain reports whether s is of visible ASCII alone, as ids and names are.
func isPlain[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
