package check

import (
	"context"
	"errors"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/text"
	"tidemark/wire"
	"tidemark/wire/endpoint"
)

// probe is one check under way.
type probe struct {
	Config
	ctx    context.Context
	made   int   // attempts
	conns  int   // number of the last connection
	closes bool  // the endpoint, after its answer
	opened error // why no connection could be opened; nil: one was
	listed error // why there is no list of models
	result Result
}

func (p *probe) run() {
	conn, fault := p.open(p.Client)
	if p.result.Fault = fault; fault != nil {
		return
	}
	defer func() {
		if conn != nil {
			conn.Close()
		}
	}()
	p.result.Models, p.listed = endpoint.Models(p.ctx, p.at(p.root()), p.Dialect)
	if p.result.Fault = p.chooseModel(); p.result.Fault != nil {
		return
	}
	if conn.Stale() {
		conn.Close()
		if conn, p.result.Fault = p.open(p.Client); conn == nil {
			return
		}
	}
	a, fault := p.ask(conn)
	if p.result.Attempt, p.result.Fault = a, fault; a == nil {
		return
	}
	p.result.Answer = a.Answer
	p.closes = a.Outcome == outcome.OK && closes(p.ctx, conn)
	if fault == nil {
		p.result.Fault = p.answerFault(a)
	}
}

// closing is how long a server that closes after each answer may take for it.
const closing = 100 * time.Millisecond

// closes reports whether the peer closes a connection that it said it keeps.
func closes(ctx context.Context, conn *wire.Conn) bool {
	const looks = 20
	look := time.NewTicker(closing / looks)
	defer look.Stop()
	for range looks {
		if !conn.Usable() {
			return false
		}
		if conn.Stale() {
			return true
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return false
		}
	}
	return conn.Stale()
}

// open opens a connection. One that can't be opened is an attempt too.
func (p *probe) open(c *wire.Client) (*wire.Conn, *text.Fault) {
	began := p.now()
	p.conns++
	conn, err := c.Open(p.ctx, p.conns)
	if err == nil {
		return conn, nil
	}
	a := p.attempt(began)
	a.Conn, a.End = p.conns, p.now()
	a.Outcome, a.Message = outcome.Connect, err.Error()
	var open *wire.OpenError
	if errors.As(err, &open) {
		a.Outcome = open.Class
	}
	if p.ctx.Err() != nil {
		a.Outcome = outcome.CutByRunEnd
	}
	p.result.Attempt, p.opened = a, err
	if fault := p.emit(a); fault != nil {
		return nil, fault
	}
	return nil, p.openFault(a, err)
}

// chooseModel settles which model is asked, where none was named.
func (p *probe) chooseModel() *text.Fault {
	if p.Request.Model != "" {
		return nil
	}
	if len(p.result.Models) == 1 {
		p.Request.Model = p.result.Models[0]
		return nil
	}
	return p.modelFault()
}

// ask sends the small request over a connection.
func (p *probe) ask(conn *wire.Conn) (*record.Attempt, *text.Fault) {
	call, err := p.Dialect.Encode(p.Request)
	if err != nil {
		return nil, text.Wrong(text.Msg("check.encode", err.Error()), text.Msg("check.encode.hint"))
	}
	a := p.attempt(p.now())
	a.Conn = p.conns
	conn.Do(p.ctx, wire.Ask{Call: call, Dialect: p.Dialect, KeepAnswer: true}, a)
	return a, p.emit(a)
}

func (p *probe) attempt(dispatched record.Offset) *record.Attempt {
	p.made++
	a := &record.Attempt{Phase: record.Preflight, Number: p.made, Try: 1, Target: p.Target}
	if a.Target == "" {
		a.Target = p.Request.Model
	}
	a.Dispatched = dispatched
	return a
}

func (p *probe) emit(a *record.Attempt) *text.Fault {
	if p.Emit == nil {
		return nil
	}
	if err := p.Emit(a); err != nil {
		return text.Wrong(text.Msg("check.emit", err.Error()), text.Msg("check.emit.hint"))
	}
	return nil
}

func (p *probe) now() record.Offset { return record.Offset(time.Since(p.Client.Epoch)) }

// learned is what a run can use of the attempt that was made.
func (p *probe) learned() Learned {
	l := Learned{Model: p.Request.Model, Closes: p.closes}
	a := p.result.Attempt
	if a == nil || a.Outcome != outcome.OK {
		return l
	}
	l.Streamed = !a.NotStreamed && a.FirstOut != 0
	l.Usage = a.Tokens.Output.Known()
	l.InputTokens, l.OutputTokens = a.Tokens.Input.N, a.Tokens.Output.N
	l.E2E = since(a.Sent, a.LastOut)
	if l.Streamed {
		l.TTFT = since(a.Sent, a.FirstOut)
		l.TPOT, _ = report.TPOT(a)
	}
	return l
}

// since is the time from one moment to another; 0 where either is absent.
func since(from, to record.Offset) time.Duration {
	if from == 0 || to == 0 {
		return 0
	}
	return max(time.Duration(to-from), 0)
}
