package wire

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"tidemark/record"
	"tidemark/record/outcome"
)

const (
	headLimit    = 64 << 10 // bytes of status line and headers
	fieldLimit   = 200      // headers
	interimLimit = 8        // 1xx answers before the real one
)

// head is a response's status line and headers. They stay where they are in
// its text, for most are never looked at.
type head struct {
	status int
	minor  int // of HTTP/1
	text   string
	fields []field
}

// field is one header line, by offsets in the text.
type field struct{ name, colon, end uint16 }

func (h *head) name(f field) string  { return h.text[f.name:f.colon] }
func (h *head) value(f field) string { return strings.Trim(h.text[f.colon+1:f.end], " \t") }

// all are the values of a header, which may come several times.
func (h *head) all(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range h.fields {
			if int(f.colon-f.name) == len(name) && strings.EqualFold(h.name(f), name) && !yield(h.value(f)) {
				return
			}
		}
	}
}

// get is the first value of a header; "": there is none.
func (h *head) get(name string) string {
	for v := range h.all(name) {
		return v
	}
	return ""
}

// joined is all values of a header as one list, and how many there are.
func (h *head) joined(name string) (list string, n int) {
	for v := range h.all(name) {
		if n++; n == 1 {
			list = v
		} else {
			list += ", " + v
		}
	}
	return list, n
}

// header is the headers in the library's form, for those who look at many.
func (h *head) header() http.Header {
	all := make(http.Header, len(h.fields))
	for _, f := range h.fields {
		all.Add(h.name(f), h.value(f))
	}
	return all
}

// readHead reads the final response's head into h.
func (in *input) readHead(h *head) error {
	for range interimLimit + 1 {
		text, err := in.rawHead()
		if err != nil {
			return err
		}
		if err := h.parse(text); err != nil || h.status >= 200 {
			return err
		}
		if h.status == http.StatusSwitchingProtocols {
			return flaw("the server switched protocols unasked")
		}
	}
	return flaw("more than %d interim responses", interimLimit)
}

// heads lends the buffer a head is gathered in, once it begins to come.
var heads = sync.Pool{New: func() any { return new([]byte) }}

// rawHead reads as far as the empty line that ends a head, and leaves that
// line out.
func (in *input) rawHead() (string, error) {
	if in.r == in.w {
		if err := in.fill(); err != nil {
			return "", headError(err, false)
		}
	}
	raw := heads.Get().(*[]byte)
	defer func() {
		if *raw = (*raw)[:0]; cap(*raw) <= inputSize {
			heads.Put(raw)
		}
	}()
	for {
		text, ended, err := in.headLine(raw)
		if err != nil || ended {
			return text, err
		}
		if in.r == in.w {
			if err := in.fill(); err != nil {
				return "", headError(err, true)
			}
		}
	}
}

// headLine adds what is read of the next line to raw. Where that ends the
// head it is the text.
func (in *input) headLine(raw *[]byte) (text string, ended bool, err error) {
	p := in.buf[in.r:in.w]
	i := bytes.IndexByte(p, '\n')
	if i >= 0 {
		p = p[:i+1]
	}
	begin := len(*raw)
	if begin+len(p) > headLimit {
		return "", false, flaw("status line and headers are larger than %d KiB", headLimit>>10)
	}
	*raw = append(*raw, p...)
	in.r += len(p)
	if i < 0 {
		return "", false, nil
	}
	all := *raw
	if bytes.HasSuffix(all, []byte("\n\r\n")) || bytes.HasSuffix(all, []byte("\n\n")) {
		return string(bytes.TrimRight(all, "\r\n")), true, nil
	}
	if bytes.IndexByte(all, '\n') == len(all)-1 && !bytes.HasPrefix(all, []byte("HTTP/")) {
		return "", false, flaw("the answer is not HTTP/1: %s", record.OneLine(all, 60))
	}
	return "", false, nil
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

// parse reads a text of at most headLimit bytes and keeps h's room.
func (h *head) parse(text string) error {
	*h = head{text: text, fields: h.fields[:0]}
	line, _, more := strings.Cut(text, "\n")
	if err := h.parseStatus(strings.TrimSuffix(line, "\r")); err != nil {
		return err
	}
	for at := len(line) + 1; more; {
		line, _, more = strings.Cut(text[at:], "\n")
		next := at + len(line) + 1
		line = strings.TrimSuffix(line, "\r")
		colon := strings.IndexByte(line, ':')
		if colon < 0 || !isToken(line[:colon]) || hasControl(strings.Trim(line[colon+1:], " \t")) {
			return flaw("a header that is none: %s", record.OneLine(line, 60))
		}
		if len(h.fields) == fieldLimit {
			return flaw("more than %d headers", fieldLimit)
		}
		h.fields = append(h.fields, field{uint16(at), uint16(at + colon), uint16(at + len(line))})
		at = next
	}
	return nil
}

// parseStatus reads "HTTP/1.1 200 OK"; the words may be missing.
func (h *head) parseStatus(line string) error {
	version, rest, _ := strings.Cut(line, " ")
	code, _, _ := strings.Cut(rest, " ")
	status, err := strconv.Atoi(code)
	if version != "HTTP/1.1" && version != "HTTP/1.0" || len(code) != 3 || err != nil || status < 100 || hasControl(line) {
		return flaw("the answer is not HTTP/1: %s", record.OneLine(line, 60))
	}
	h.status, h.minor = status, int(version[len(version)-1]-'0')
	return nil
}

// keepsAlive reports whether the connection stays open after the answer.
func (h *head) keepsAlive() bool {
	stays := h.minor == 1
	for v := range h.all("Connection") {
		for option := range strings.SplitSeq(v, ",") {
			switch option = strings.TrimSpace(option); {
			case strings.EqualFold(option, "close"):
				return false
			case strings.EqualFold(option, "keep-alive"):
				stays = true
			}
		}
	}
	return stays
}

var errTwoLengths = errors.New("two lengths")

// length is the body's length by the head: -1: chunked, -2: until the
// connection closes.
func (h *head) length() (int64, error) {
	lengths, nl := h.joined("Content-Length")
	codings, nc := h.joined("Transfer-Encoding")
	switch {
	case h.status == http.StatusNoContent || h.status == http.StatusNotModified:
		return 0, nil
	case nc > 0 && nl > 0:
		return 0, flaw("the answer has a Content-Length and a Transfer-Encoding")
	case nc == 1 && h.minor == 1 && strings.EqualFold(codings, "chunked"):
		return -1, nil
	case nc > 0:
		return 0, refuse(outcome.UnsupportedCoding, "Transfer-Encoding: %s", record.OneLine(codings, 60))
	case nl == 0:
		return -2, nil
	}
	n, err := parseLength(h.all("Content-Length"))
	if err != nil {
		return 0, flaw("Content-Length: %s", record.OneLine(lengths, 60))
	}
	return n, nil
}

// parseLength reads a Content-Length, which may be repeated but not changed.
func parseLength(lengths iter.Seq[string]) (int64, error) {
	first, seen := "", false
	for l := range lengths {
		if seen && l != first {
			return 0, errTwoLengths
		}
		first, seen = l, true
	}
	n, err := strconv.ParseUint(first, 10, 63)
	return int64(n), err
}
