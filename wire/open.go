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

// Stage is a step of opening a connection.
type Stage string

const (
	StageResolve Stage = "resolve" // of the name to an address
	StageConnect Stage = "connect"
	StageTLS     Stage = "tls" // the handshake
)

// OpenError is a connection that could not be opened.
type OpenError struct {
	Class   outcome.Class // connect, client_resource or cut_by_run_end
	Stage   Stage         // that it failed in
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
	conn, stage, err := c.openApart(wait, number)
	if err == nil {
		return conn, nil
	}
	e := &OpenError{Class: openClass(ctx, err), Stage: stage, Err: err}
	if errors.Is(wait.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("no connection within %v: %w", c.Timeouts.Connect, err)
	}
	e.Message = record.OneLine(c.Target.strike(err.Error()), record.MessageLimit)
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

// openApart opens on a goroutine of its own: resolving and shaking hands are
// deep, and the stack that they grow would stay with the stream.
func (c *Client) openApart(ctx context.Context, number int) (conn *Conn, stage Stage, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, stage, err = c.open(ctx, number)
	}()
	<-done
	return conn, stage, err
}

// open returns the stage that an error belongs to.
func (c *Client) open(ctx context.Context, number int) (*Conn, Stage, error) {
	base := c.Target.Base
	if base == nil || base.Hostname() == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, StageConnect, fmt.Errorf("not a URL of http or https: %v", base)
	}
	opened := record.Clocks{Dial: c.now()}
	raw, stage, err := c.dial(ctx, &opened)
	if err != nil {
		return nil, stage, err
	}
	opened.Connected = c.now()
	conn := newConn(c, number, stamp.New(raw))
	if base.Scheme == "https" {
		if err := conn.secure(ctx); err != nil {
			raw.Close()
			return nil, StageTLS, err
		}
		opened.TLS = c.now()
	}
	conn.opened = opened
	return conn, "", nil
}

// dial resolves the base's host and connects to it.
func (c *Client) dial(ctx context.Context, opened *record.Clocks) (net.Conn, Stage, error) {
	stage := StageConnect // an address needs no resolving
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { stage = StageResolve },
		DNSDone: func(d httptrace.DNSDoneInfo) {
			if opened.DNS = c.now(); d.Err == nil {
				stage = StageConnect
			}
		},
	})
	port := c.Target.Base.Port()
	if port == "" {
		port = schemePort(c.Target.Base.Scheme)
	}
	dial := c.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	conn, err := dial(ctx, "tcp", net.JoinHostPort(c.Target.Base.Hostname(), port))
	var name *net.DNSError
	if errors.As(err, &name) { // a dialer of the caller's own may tell nothing else
		stage = StageResolve
	}
	return conn, stage, err
}

func (c *Client) now() record.Offset { return record.Offset(time.Since(c.Epoch)) }

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
	c.sock.RTT() // how the handshake was cut says nothing of an answer's frames
	return nil
}
