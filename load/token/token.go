// Package token answers how many tokens a text is. What is here is an
// estimate from characters by script: always marked ≈, never used in a
// verdict.
//
// The rule, in hundredths of a token. It follows how byte-pair tokenizers cut
// before they merge: a word takes the one space before it along, digits and
// punctuation stand apart, and the further a script is from the bulk of the
// training text the fewer of its characters share a token.
//
//	a word               70, and 10 for each of its letters A to Z (English: 4 to 5 characters a token, spaces included)
//	an accented letter   10, and what follows it is a word anew
//	another alphabet     70 a word and 23 for each letter (Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian)
//	a Chinese character  70 (1.4 characters a token; makers of Chinese models name 1.5 to 1.8 for theirs, others' come near 1)
//	kana, hangul         75
//	a further script     50 (Devanagari, Thai and the like, whose vowel signs are characters too)
//	a digit              45 (between three digits a token and one)
//	a punctuation mark   80, and 35 for each more that follows at once
//	white space          0 for one alone; 60 for a line break or a run
//	anything else        150 (emoji, rare symbols, bytes that are no text)
//
// Against real vocabularies, on pages of prose in ten languages, code and
// JSON: 0.8 to 1.2 of what o200k counts. An older one such as cl100k counts as
// many in English and a fifth to two fifths more elsewhere. A single short text
// may be off by half.
package token

import "unicode/utf8"

// Estimate returns about how many tokens text is. It is 0 for the empty text
// only.
func Estimate(text string) int {
	var t tally
	for _, r := range text {
		t.add(r)
	}
	return t.tokens()
}

// Counter estimates a text that comes in pieces. After any calls of Add it
// stands at what Estimate says of all of them joined, wherever they were cut.
// The zero Counter has seen nothing. It is not safe for use by several
// goroutines at once.
type Counter struct {
	tally tally
	// rest is the beginning of a character whose end has not come yet.
	rest [utf8.UTFMax]byte
	held int
}

// Add counts the next piece. It keeps nothing of p.
func (c *Counter) Add(p []byte) {
	for c.held > 0 && len(p) > 0 {
		c.rest[c.held] = p[0]
		c.held++
		p = p[1:]
		c.release()
	}
	for len(p) > 0 {
		if !utf8.FullRune(p) {
			c.held = copy(c.rest[:], p)
			return
		}
		r, size := utf8.DecodeRune(p)
		c.tally.add(r)
		p = p[size:]
	}
}

// release counts what is whole of the bytes held back.
func (c *Counter) release() {
	for c.held > 0 && utf8.FullRune(c.rest[:c.held]) {
		r, size := utf8.DecodeRune(c.rest[:c.held])
		c.tally.add(r)
		c.held = copy(c.rest[:], c.rest[size:c.held])
	}
}

// Tokens returns the estimate of all that was added; 0: nothing was.
func (c *Counter) Tokens() int { return c.whole().tokens() }

// Runes returns how many characters were added. A byte that is no text is
// one.
func (c *Counter) Runes() int { return c.whole().runes }

// whole is the tally as it would stand if nothing more came.
func (c *Counter) whole() tally {
	t := c.tally
	for range c.held {
		t.add(utf8.RuneError)
	}
	return t
}

// tally is the rule's state: it needs no more of the past than the kind of
// the last character.
type tally struct {
	hundredths int
	runes      int
	last       kind
}

func (t *tally) add(r rune) {
	k := kindOf(r)
	if k == space && (t.last == space || t.last == gap) {
		k = gap
	}
	t.hundredths += cost[k].each
	if t.last != k {
		t.hundredths += cost[k].first
	}
	t.last = k
	t.runes++
}

func (t tally) tokens() int {
	if t.runes == 0 {
		return 0
	}
	return max(1, (t.hundredths+50)/100)
}
