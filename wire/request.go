package wire

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tidemark/wire/dialect"
)

// agent is how the tool names itself.
const agent = "tidemark"

// inlineWrite is how much of a request is written before its answer is read.
// The rest of a larger one is written beside the reading, so that an early
// refusal is never deadlocked with it.
const inlineWrite = 32 << 10

// requests lends the buffer a request is built in; a stream keeps none while
// it waits.
var requests = sync.Pool{New: func() any { return new([]byte) }}

func keepRequest(b *[]byte) {
	if cap(*b) <= 2*inlineWrite {
		requests.Put(b)
	}
}

// ours are the headers that only the writer may say.
var ours = []string{"Connection", "Content-Length", "Host", "Transfer-Encoding"}

// lead is a request up to its length: what a connection's calls have in
// common, kept from one to the next.
type lead struct {
	text         []byte
	method, path string
	header       http.Header
	body         bool
}

// fits reports whether a call begins so. The target is the connection's.
func (l *lead) fits(call *dialect.Call) bool {
	return l.text != nil && l.method == call.Method && l.path == call.Path && l.body == (len(call.Body) > 0) &&
		maps.EqualFunc(l.header, call.Header, slices.Equal[[]string])
}

// request appends a whole request: one buffer, for one write.
func (l *lead) request(dst []byte, target *Target, call *dialect.Call) ([]byte, error) {
	if !l.fits(call) {
		text, err := appendLead(nil, target, call)
		if err != nil {
			return dst, err
		}
		*l = lead{slices.Clip(text), call.Method, call.Path, call.Header, len(call.Body) > 0}
	}
	dst = append(dst, l.text...)
	if len(call.Body) > 0 || call.Method == http.MethodPost {
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(call.Body)), 10)
		dst = append(dst, "\r\n"...)
	}
	dst = append(dst, "\r\n"...)
	return append(dst, call.Body...), nil
}

// appendLead appends a request line and its headers. The target's headers win
// over the call's, and these over our own.
func appendLead(dst []byte, target *Target, call *dialect.Call) ([]byte, error) {
	to := Resolve(target.Base, call.Path)
	header := http.Header{"User-Agent": {agent}, "Accept-Encoding": {"identity"}}
	if len(call.Body) > 0 {
		header["Content-Type"] = []string{"application/json"}
	}
	for _, more := range []http.Header{call.Header, target.Header} {
		for name, values := range more {
			header[http.CanonicalHeaderKey(name)] = values
		}
	}
	host := hostOf(to, header)
	if !isToken(call.Method) || hasControl(host) {
		return dst, errors.New("the method or the host can't be sent")
	}
	dst = append(dst, call.Method...)
	dst = append(dst, ' ')
	dst = append(dst, to.RequestURI()...)
	dst = append(dst, " HTTP/1.1\r\nHost: "...)
	dst = append(dst, host...)
	dst = append(dst, "\r\n"...)
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			if slices.Contains(ours, name) {
				continue
			}
			if !isToken(name) || hasControl(value) {
				return dst, fmt.Errorf("header %q holds a character that can't be sent", name)
			}
			dst = append(dst, name...)
			dst = append(dst, ": "...)
			dst = append(dst, value...)
			dst = append(dst, "\r\n"...)
		}
	}
	return dst, nil
}

// hostOf is the Host header: the one a plan gives, for an endpoint behind
// another's address, else the URL's without the scheme's own port.
func hostOf(to *url.URL, header http.Header) string {
	if h := header.Get("Host"); h != "" {
		return h
	}
	if port := to.Port(); port != "" && port == schemePort(to.Scheme) {
		return strings.TrimSuffix(to.Host, ":"+port)
	}
	return to.Host
}

func schemePort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// hasControl reports whether a value holds a line break or another character
// that no header may hold.
func hasControl(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7f {
			return true
		}
	}
	return false
}

// isToken reports whether s is a token of RFC 9110, as names are.
func isToken[T string | []byte](s T) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return len(s) > 0
}
