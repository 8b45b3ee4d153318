package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	struckOut    = "•••"
	messageLimit = 500 // bytes of what is recorded of anyone's words
)

// strike takes the secrets out of what was said. Words that were cut may end
// inside one: what is left of it goes too.
func (t Target) strike(s string) string {
	for _, secret := range t.Secrets {
		if secret == "" || s == "" {
			continue
		}
		s = strings.ReplaceAll(s, secret, struckOut)
		s = strikeCut(s, secret)
	}
	return s
}

func strikeCut(s, secret string) string {
	const tells = 4 // fewer characters of a secret tell nothing of it
	said := strings.TrimSuffix(s, "…")
	for n := min(len(secret)-1, len(said)); n >= tells; n-- {
		if strings.HasSuffix(said, secret[:n]) {
			return said[:len(said)-n] + struckOut
		}
	}
	return s
}

// excerpt is at most limit bytes of s on one line, in whole runes and without
// what a terminal would obey.
func excerpt[T string | []byte](s T, limit int) string {
	if len(s) <= limit && isPlain(s) {
		return string(s)
	}
	var b strings.Builder
	space := false
	for _, r := range strings.ToValidUTF8(string(s[:min(len(s), 4*limit)]), "\ufffd") {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = b.Len() > 0
			continue
		case space:
			b.WriteByte(' ')
			space = false
		}
		if b.Len()+utf8.RuneLen(r) > limit {
			break
		}
		b.WriteRune(r)
	}
	return strings.TrimSuffix(b.String(), " ")
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
