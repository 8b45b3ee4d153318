package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// secretLength is the least length of what is struck out of records: what
// local servers are given ("x", "none") is a word of ordinary text.
const secretLength = 8

// secretsOf lists what must appear nowhere: the key, the values of the plan's
// headers, whole and word by word ("Bearer …"), and those of the base's query,
// as they were written and as they are meant. Each also in lower case, since
// servers lower what they echo.
func secretsOf(key string, headers map[string]string, base *url.URL) []string {
	all := []string{key}
	for _, value := range headers {
		all = append(append(all, value), strings.Fields(value)...)
	}
	for pair := range strings.SplitSeq(base.RawQuery, "&") {
		name, value, named := strings.Cut(pair, "=")
		if !named {
			value = name
		}
		all = append(all, spellings(value)...)
	}
	var long []string
	for _, s := range all {
		if len(s) >= secretLength {
			long = append(long, s)
			if lower := strings.ToLower(s); lower != s {
				long = append(long, lower)
			}
		}
	}
	return long
}

// spellings are the ways in which a query's value may come back.
func spellings(value string) []string {
	meant, err := url.QueryUnescape(value)
	if err != nil {
		return []string{value}
	}
	query := url.QueryEscape(meant)
	spaced := strings.ReplaceAll(query, "+", "%20")
	all := []string{value, meant, query, spaced, url.PathEscape(meant)}
	for _, s := range all { // a slash may stand as it is
		all = append(all, strings.ReplaceAll(s, "%2F", "/"))
	}
	for _, s := range all {
		all = append(all, escape.ReplaceAllStringFunc(s, strings.ToLower), escape.ReplaceAllStringFunc(s, strings.ToUpper))
	}
	return all
}

var escape = regexp.MustCompile("%[0-9A-Fa-f]{2}")

// header is what is sent with every request.
func header(key string, headers map[string]string) http.Header {
	h := http.Header{}
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
	for name, value := range headers {
		h.Set(name, value)
	}
	return h
}
