package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http/httptrace"
	"syscall"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/stamp"
)

// OpenError is a connection that could not be opened.
type OpenError struct {
	Class   outcome.Class // connect, client_resource or cut_by_run_end
	Message string        // one line, secrets struck out
	Err     error
}

func (e *OpenError) Error() string { return e.Message }
func (e *OpenError) Unwrap() error { return e.Err }

// Open resolves, connects and shakes hands within Timeouts.Connect. number is
// the connection's in the run. The moments of each step are kept and told by
// the first attempt's record. A failure is an *OpenError.
func (c *Client) Open(ctx context.Context, number int) (*Conn, error) {
	wait, cancel := ctx, context.CancelFunc(func() {})
	if c.Timeouts.Connect > 0 {
		wait, cancel = context.WithTimeout(ctx, c.Timeouts.Connect)
	}
	defer cancel()
	conn, err := c.open(wait, number)
	if err == nil {
		return conn, nil
	}
	e := &OpenError{Class: openClass(ctx, err), Err: err}
	if errors.Is(wait.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("no connection within %v: %w", c.Timeouts.Connect, err)
	}
	e.Message = excerpt(c.Target.strike(err.Error()), messageLimit)
	return nil, e
}

func openClass(ctx context.Context, err error) outcome.Class {
	if ctx.Err() != nil {
		return outcome.CutByRunEnd
	}
	for _, ours := range []error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL, syscall.EADDRINUSE,
	} {
		if errors.Is(err, ours) {
			return outcome.ClientResource
		}
	}
	return outcome.Connect
}

func (c *Client) open(ctx context.Context, number int) (*Conn, error) {
	base := c.Target.Base
	if base == nil || base.Hostname() == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("not a URL of http or https: %v", base)
	}
	moment := func() record.Offset { return record.Offset(time.Since(c.Epoch)) }
	opened := record.Clocks{Dial: moment()}
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSDone: func(httptrace.DNSDoneInfo) { opened.DNS = moment() },
	})
	port := base.Port()
	if port == "" {
		port = schemePort(base.Scheme)
	}
	dial := c.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	raw, err := dial(traced, "tcp", net.JoinHostPort(base.Hostname(), port))
	if err != nil {
		return nil, err
	}
	opened.Connected = moment()
	conn := newConn(c, number, stamp.New(raw))
	if base.Scheme == "https" {
		if err := conn.secure(ctx); err != nil {
			raw.Close()
			return nil, err
		}
		opened.TLS = moment()
	}
	conn.opened = opened
	return conn, nil
}

// secure shakes hands. Nothing but HTTP/1.1 is offered, and no session is
// resumed: every connection costs the same.
func (c *Conn) secure(ctx context.Context) error {
	config := &tls.Config{}
	if c.client.TLS != nil {
		config = c.client.TLS.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = c.client.Target.Base.Hostname()
	}
	config.NextProtos = []string{"http/1.1"}
	config.ClientSessionCache = nil
	secure := tls.Client(c.sock, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return err
	}
	c.over(secure)
	return nil
}
