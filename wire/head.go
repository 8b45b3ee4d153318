package wire

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"

	"tidemark/record"
	"tidemark/record/outcome"
)

const (
	headLimit    = 64 << 10 // bytes of status line and headers
	fieldLimit   = 200      // headers
	interimLimit = 8        // 1xx answers before the real one
)

// head is a response's status line and headers.
type head struct {
	status int
	minor  int // of HTTP/1
	header http.Header
}

// readHead reads the final response's head.
func (in *input) readHead() (head, error) {
	for range interimLimit + 1 {
		raw, err := in.rawHead()
		if err != nil {
			return head{}, err
		}
		h, err := parseHead(raw)
		if err != nil || h.status >= 200 {
			return h, err
		}
		if h.status == http.StatusSwitchingProtocols {
			return h, flaw("the server switched protocols unasked")
		}
	}
	return head{}, flaw("more than %d interim responses", interimLimit)
}

// rawHead reads as far as the empty line that ends a head, and leaves that
// line out.
func (in *input) rawHead() (string, error) {
	raw := make([]byte, 0, 1<<10)
	for {
		if in.r == in.w {
			if err := in.fill(); err != nil {
				return "", headError(err, len(raw) > 0)
			}
		}
		p := in.buf[in.r:in.w]
		i := bytes.IndexByte(p, '\n')
		if i >= 0 {
			p = p[:i+1]
		}
		if len(raw)+len(p) > headLimit {
			return "", flaw("status line and headers are larger than %d KiB", headLimit>>10)
		}
		raw = append(raw, p...)
		in.r += len(p)
		if i >= 0 && (bytes.HasSuffix(raw, []byte("\n\r\n")) || bytes.HasSuffix(raw, []byte("\n\n"))) {
			return string(bytes.TrimRight(raw, "\r\n")), nil
		}
		if text, _, ended := bytes.Cut(raw, []byte("\n")); ended && len(raw) == len(text)+1 && !bytes.HasPrefix(raw, []byte("HTTP/")) {
			return "", flaw("the answer is not HTTP/1: %s", record.OneLine(raw, 60))
		}
	}
}

// headError names the end of a connection that gave no whole head.
func headError(err error, begun bool) error {
	if err != io.EOF {
		return err
	}
	f := broken(err)
	if begun {
		f.said = "the connection closed inside the headers"
	}
	return f
}

func parseHead(raw string) (head, error) {
	line, rest, _ := strings.Cut(raw, "\n")
	h, err := parseStatus(strings.TrimSuffix(line, "\r"))
	if err != nil {
		return h, err
	}
	count := 0
	if rest != "" {
		count = strings.Count(rest, "\n") + 1
	}
	if count > fieldLimit {
		return h, flaw("more than %d headers", fieldLimit)
	}
	h.header = make(http.Header, count)
	values := make([]string, 0, count) // one array for all
	for range count {
		line, rest, _ = strings.Cut(rest, "\n")
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\r"), ":")
		value = strings.Trim(value, " \t")
		if !ok || !isToken(name) || hasControl(value) {
			return h, flaw("a header that is none: %s", record.OneLine(line, 60))
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		values = append(values, value)
		if have := h.header[name]; have != nil {
			h.header[name] = append(have[:len(have):len(have)], value)
		} else {
			h.header[name] = values[len(values)-1 : len(values) : len(values)]
		}
	}
	return h, nil
}

// parseStatus reads "HTTP/1.1 200 OK"; the words may be missing.
func parseStatus(line string) (head, error) {
	version, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(code)
	if version != "HTTP/1.1" && version != "HTTP/1.0" || len(code) != 3 || err != nil || status < 100 || hasControl(line) {
		return head{}, flaw("the answer is not HTTP/1: %s", record.OneLine(line, 60))
	}
	return head{status: status, minor: int(version[len(version)-1] - '0')}, nil
}

// keepsAlive reports whether the connection stays open after the answer.
func (h head) keepsAlive() bool {
	stays := h.minor == 1
	for _, v := range h.header["Connection"] {
		for option := range strings.SplitSeq(v, ",") {
			switch strings.ToLower(strings.TrimSpace(option)) {
			case "close":
				return false
			case "keep-alive":
				stays = true
			}
		}
	}
	return stays
}

var errTwoLengths = errors.New("two lengths")

// length is the body's length by the head: -1: chunked, -2: until the
// connection closes.
func (h head) length() (int64, error) {
	lengths, codings := h.header["Content-Length"], h.header["Transfer-Encoding"]
	switch {
	case h.status == http.StatusNoContent || h.status == http.StatusNotModified:
		return 0, nil
	case len(codings) > 0 && len(lengths) > 0:
		return 0, flaw("the answer has a Content-Length and a Transfer-Encoding")
	case len(codings) == 1 && h.minor == 1 && strings.EqualFold(codings[0], "chunked"):
		return -1, nil
	case len(codings) > 0:
		return 0, refuse(outcome.UnsupportedCoding, "Transfer-Encoding: %s", record.OneLine(strings.Join(codings, ", "), 60))
	case len(lengths) == 0:
		return -2, nil
	}
	n, err := parseLength(lengths)
	if err != nil {
		return 0, flaw("Content-Length: %s", record.OneLine(strings.Join(lengths, ", "), 60))
	}
	return n, nil
}

// parseLength reads a Content-Length, which may be repeated but not changed.
func parseLength(lengths []string) (int64, error) {
	n, err := strconv.ParseUint(lengths[0], 10, 63)
	for _, l := range lengths {
		if l != lengths[0] {
			err = errTwoLengths
		}
	}
	return int64(n), err
}
