package wire

import (
	"compress/gzip"
	"io"
	"strings"

	"tidemark/record"
	"tidemark/record/outcome"
)

// content is a body freed from its content coding too.
type content struct {
	body  *body
	unzip *unzip // nil: the body is as it is
}

// newContent knows the codings that may come although none was asked for.
func newContent(b *body, coding string) (content, error) {
	coding = strings.ToLower(strings.TrimSpace(coding))
	switch coding {
	case "", "identity":
		return content{body: b}, nil
	case "gzip", "x-gzip":
		return content{body: b, unzip: &unzip{body: b, out: make([]byte, inputSize)}}, nil
	}
	return content{}, refuse(outcome.UnsupportedCoding, "Content-Encoding: %s", record.OneLine(coding, 60))
}

func (c content) next() ([]byte, error) {
	if c.unzip != nil {
		return c.unzip.next()
	}
	return c.body.next()
}

// unzip hands out what a compressed body holds as soon as it can be known.
type unzip struct {
	body *body
	rest []byte // of the body, not yet taken
	err  error  // of the body
	zip  *gzip.Reader
	out  []byte
}

func (u *unzip) next() ([]byte, error) {
	var err error
	if u.zip == nil {
		if u.zip, err = gzip.NewReader(u); err != nil {
			return nil, u.named(err)
		}
	}
	for err == nil {
		var n int
		if n, err = u.zip.Read(u.out); n > 0 {
			return u.out[:n], nil
		}
	}
	return nil, u.named(err)
}

// named tells the body's end from that of the compressed data.
func (u *unzip) named(err error) error {
	switch {
	case u.err != nil && u.err != io.EOF:
		return u.err
	case err == io.EOF:
		return io.EOF
	case u.err == io.EOF:
		return cut()
	}
	return flaw("the compressed body can't be read: %v", err)
}

func (u *unzip) more() error {
	for len(u.rest) == 0 && u.err == nil {
		u.rest, u.err = u.body.next()
	}
	if len(u.rest) == 0 {
		return u.err
	}
	return nil
}

func (u *unzip) Read(p []byte) (int, error) {
	if err := u.more(); err != nil {
		return 0, err
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// ReadByte keeps the decompressor from reading ahead.
func (u *unzip) ReadByte() (byte, error) {
	if err := u.more(); err != nil {
		return 0, err
	}
	c := u.rest[0]
	u.rest = u.rest[1:]
	return c, nil
}
