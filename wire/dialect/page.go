package dialect

import (
	"bytes"
	"html"
	"regexp"
	"strings"
)

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
