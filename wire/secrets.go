package wire

import "strings"

const struckOut = "•••"

// strike takes the secrets out of what was said. Words that were cut, by us or
// by whoever says what is wrong with a body, may hold a part of one on either
// side of the cut: that goes too.
func (t Target) strike(s string) string {
	for _, secret := range t.Secrets {
		if secret == "" || s == "" {
			continue
		}
		s = strings.ReplaceAll(s, secret, struckOut)
		for _, mark := range []string{"…", "..."} {
			pieces := strings.Split(s, mark)
			for i, p := range pieces {
				p = strikeEnd(p, secret)
				if i > 0 {
					p = strikeBeginning(p, secret)
				}
				pieces[i] = p
			}
			s = strings.Join(pieces, mark)
		}
	}
	return s
}

// tells is how many characters of a secret tell something of it.
const tells = 4

// strikeEnd takes out what of a secret s ends with.
func strikeEnd(s, secret string) string {
	for n := min(len(secret)-1, len(s)); n >= tells; n-- {
		if strings.HasSuffix(s, secret[:n]) {
			return s[:len(s)-n] + struckOut
		}
	}
	return s
}

// strikeBeginning takes out what of a secret s begins with.
func strikeBeginning(s, secret string) string {
	for n := min(len(secret)-1, len(s)); n >= tells; n-- {
		if strings.HasPrefix(s, secret[len(secret)-n:]) {
			return struckOut + s[n:]
		}
	}
	return s
}
