package dialect

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMessage bounds a provider's words, in bytes.
const maxMessage = 500

// oneLine makes words fit for a record and a terminal: one line, no control
// characters, whole runes, at most maxMessage bytes.
func oneLine(s string) string {
	// What can't be kept need not be read; each byte kept may need a few.
	s = s[:min(len(s), 8*maxMessage)]
	s = strings.ToValidUTF8(s, "")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if len(s) <= maxMessage {
		return s
	}
	cut := maxMessage - len("…")
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// isPage reports whether a body is HTML or XML rather than an API's answer.
func isPage(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

var (
	pageTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	pageNoise = regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<!--.*?-->|<[^>]*>`)
)

// pageText is what a page says: its title, else its text.
func pageText(page string) string {
	if m := pageTitle.FindStringSubmatch(page); m != nil && strings.TrimSpace(m[1]) != "" {
		return html.UnescapeString(m[1])
	}
	return html.UnescapeString(pageNoise.ReplaceAllString(page, " "))
}
