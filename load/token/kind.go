package token

import "unicode"

// kind is what the rule tells characters apart by.
type kind uint8

const (
	other    kind = iota // also what stands before a text
	letter               // of the 26
	accented             // Latin, but none of the 26
	remote               // of another alphabet
	han
	kana // and hangul
	syllable
	digit
	mark  // punctuation
	space // one alone
	gap   // a line break, or white space that follows white space
)

// cost is the rule's figures in hundredths of a token: for every character of
// the kind, and more for one that doesn't follow its like.
var cost = [...]struct{ each, first int }{
	other:    {150, 0},
	letter:   {10, 70},
	accented: {10, 0},
	remote:   {23, 70},
	han:      {70, 0},
	kana:     {75, 0},
	syllable: {50, 0},
	digit:    {45, 0},
	mark:     {35, 45},
	space:    {0, 0},
	gap:      {0, 60},
}

// ascii spares the common characters the search through Unicode's tables.
var ascii = func() (k [128]kind) {
	for r := range k {
		k[r] = slowKind(rune(r))
	}
	return k
}()

func kindOf(r rune) kind {
	if r >= 0 && int(r) < len(ascii) {
		return ascii[r]
	}
	return slowKind(r)
}

func slowKind(r rune) kind {
	switch {
	case r == '\n' || r == '\r':
		return gap
	case unicode.IsSpace(r):
		return space
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo):
		return kana
	case unicode.IsDigit(r):
		return digit
	case r < 0x80 && unicode.IsLetter(r):
		return letter
	case unicode.In(r, unicode.Latin, unicode.Inherited):
		return accented
	case unicode.In(r, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew, unicode.Armenian, unicode.Georgian):
		return remote
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return syllable
	case unicode.IsPunct(r) || (unicode.IsSymbol(r) && r < 0x2000):
		return mark
	}
	return other
}
