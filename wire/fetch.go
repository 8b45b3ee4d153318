package wire

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"tidemark/record"
	"tidemark/wire/dialect"
)

// fetchLimit bounds the answer to a plain question, in bytes.
const fetchLimit = 4 << 20

// Reply is a whole answer to a plain question.
type Reply struct {
	Status int
	Header map[string][]string
	Body   []byte
}

// Fetch asks a plain question over a connection of its own: a GET of path
// below the target's base. It is bounded by Timeouts.Connect and Total.
func (c *Client) Fetch(ctx context.Context, path string) (Reply, error) {
	conn, err := c.Open(ctx, 0)
	if err != nil {
		return Reply{}, err
	}
	defer conn.Close()
	conn.attend(ctx)
	r, err := conn.fetch(path)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	} else if f := asFault(err); f != nil {
		f.said = c.Target.strike(f.said)
	}
	return r, err
}

func (c *Conn) fetch(path string) (r Reply, err error) {
	call := dialect.Call{Method: http.MethodGet, Path: path, Header: http.Header{"Accept": {"application/json"}}}
	c.s.epoch = c.client.Epoch
	var a record.Attempt
	if err := c.send(&call, 0, &a); err != nil {
		return r, err
	}
	defer c.settle(&a)
	h := &c.head
	if err := c.in.readHead(h); err != nil {
		return r, err
	}
	length, err := h.length()
	if err != nil {
		return r, err
	}
	c.body = newBody(&c.in, length)
	coding, _ := h.joined("Content-Encoding")
	body, err := newContent(&c.body, coding)
	if err != nil {
		return r, err
	}
	r = Reply{Status: h.status, Header: h.header()}
	for {
		p, err := body.next()
		if err == io.EOF {
			return r, nil
		}
		if err != nil {
			return r, err
		}
		c.limits.gotByte(time.Now())
		if len(r.Body)+len(p) > fetchLimit {
			return r, fmt.Errorf("the answer is larger than %d MiB", fetchLimit>>20)
		}
		r.Body = append(r.Body, p...)
	}
}
