package dialect

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// plain goes from b[n] over the bytes that stand for themselves in a string,
// and returns where they end. Bytes beyond ASCII do, valid UTF-8 or not: no
// text is judged here, and the full decoder hands on the same bytes.
//
// It looks at eight bytes at once: the tests set the top bit of a byte that is
// less than a blank, and of one that is zero after the XOR. A borrow may set
// bits above the first that is right, never below, and only the first counts.
func plain(b []byte, n int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; n+8 <= len(b); n += 8 {
		w := binary.LittleEndian.Uint64(b[n : n+8])
		quote, slash := w^'"'*ones, w^'\\'*ones
		special := ((w-' '*ones)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & tops
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
	for ; n < len(b); n++ {
		if c := b[n]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return n
}

// escape returns the length of the escape that b begins with; 0: it is none.
func escape(b []byte) int {
	if len(b) < 2 || b[0] != '\\' {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := unit(b); ok {
			return unitLen
		}
	}
	return 0
}

// unitLen is the length of an escaped UTF-16 unit: a backslash, a u, four digits.
const unitLen = 6

// unit reads the escaped UTF-16 unit that b begins with.
func unit(b []byte) (rune, bool) {
	if len(b) < unitLen || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:unitLen] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case (c|0x20)-'a' <= 5:
			c = (c | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unescape appends to dst what the escapes of raw, all well-formed, stand for.
// It declines where a half of a surrogate pair has no other half: what that
// means, parsers disagree on.
func unescape(dst, raw []byte) ([]byte, bool) {
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			return append(dst, raw...), true
		}
		dst = append(dst, raw[:n]...)
		raw = raw[n:]
		if raw[1] != 'u' {
			dst = append(dst, short(raw[1]))
			raw = raw[2:]
			continue
		}
		r, size := unescapeRune(raw)
		if size == 0 {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
		raw = raw[size:]
	}
}

// short is what a backslash and c stand for.
func short(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// unescapeRune reads the rune that raw begins with, of one unit or two, and
// how long it is; 0: half a pair.
func unescapeRune(raw []byte) (r rune, size int) {
	r, _ = unit(raw)
	if !utf16.IsSurrogate(r) {
		return r, unitLen
	}
	low, _ := unit(raw[unitLen:])
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, 0
	}
	return r, 2 * unitLen
}
