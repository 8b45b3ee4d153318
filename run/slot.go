package run

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
	"tidemark/wire"
)

// slot is one of a level's senders: a connection of its own, and one request
// at a time over it.
type slot struct {
	r      *runner
	client *wire.Client
	number int // from 1

	jobs   chan *errand // open loop; nil: none came yet
	conn   *wire.Conn   // nil: none
	fails  int          // requests in a row that never reached the wire
	flight atomic.Pointer[flight]
}

// flight is a request in flight: its connection, and the frames that it had
// carried before.
type flight struct {
	conn *wire.Conn
	from int64
}

// frames is how many output frames the request has brought so far.
func (f *flight) frames() int64 { return f.conn.Frames() - f.from }

// work sends one request after the other until nothing is left, or until the
// slot's turns in this stage are over.
func (s *slot) work(st *stage, ready func(), begin <-chan struct{}) {
	var next *errand
	if st.limit == 0 || s.number <= st.limit {
		next = st.prepare()
	}
	ready()
	<-begin
	for left := st.turns(s.number); left != 0; left-- {
		if next == nil {
			next = st.prepare()
		}
		if next == nil || !st.dispatch(next) {
			st.empty()
			return
		}
		st.allOut()
		s.carry(st, next)
		answer := st.ended(next)
		next = st.goOn(next, answer)
		if s.fails > 0 && left != 1 {
			s.pause(st.send)
		}
	}
}

// carry takes one request over the wire, on a new connection where the old
// one can carry no more.
func (s *slot) carry(st *stage, e *errand) {
	a := e.attempt
	a.Slot = s.number
	if e.refusal != nil {
		s.fails++
		a.Outcome, a.Message = outcome.ClientResource, record.OneLine(e.refusal.Error(), record.MessageLimit)
		return
	}
	if !s.ready() {
		number, err := s.open(st.cut)
		if err != nil {
			s.fails++
			a.Conn = number
			notOpened(a, err)
			return
		}
		a.OpenedInLevel = st.phase == record.Measured
	}
	s.fails = 0
	s.flight.Store(&flight{s.conn, s.conn.Frames()})
	s.conn.Do(st.cut, wire.Ask{
		Call: e.call, Dialect: e.target.Dialect, KeepAnswer: e.keep || e.talk != nil, Leave: e.leave,
	}, a)
	s.flight.Store(nil)
	fresh := st.step.fresh
	if a.Outcome == outcome.StaleConnection && fresh.CompareAndSwap(false, true) {
		s.r.note(st.step.Number, text.Msg("run.closes"))
	}
	if fresh.Load() {
		s.close()
	}
}

// ready reports whether the slot has a connection that can carry a request.
func (s *slot) ready() bool { return s.conn != nil && s.conn.Usable() && !s.conn.Stale() }

// open replaces the slot's connection and returns the number of the new one,
// which is spent even where it can't be opened.
func (s *slot) open(ctx context.Context) (number int, err error) {
	s.close()
	number = int(s.r.conns.Add(1))
	conn, err := s.client.Open(ctx, number)
	if err == nil {
		s.conn = conn
	}
	return number, err
}

// notOpened fills in an attempt that found no connection.
func notOpened(a *record.Attempt, err error) {
	a.Outcome, a.Message = outcome.Connect, record.OneLine(err.Error(), record.MessageLimit)
	var open *wire.OpenError
	if errors.As(err, &open) {
		a.Outcome, a.Message = open.Class, open.Message
	}
}

func (s *slot) close() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

// pause keeps a slot that gets nothing onto the wire from doing nothing but
// fail: 50 ms after the first, twice that after the next, never more than a
// second. A slot that waits is not in flight.
func (s *slot) pause(send context.Context) {
	wait := time.NewTimer(min(50*time.Millisecond<<min(s.fails-1, 10), time.Second))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-send.Done():
	}
}

// turns is how many requests a slot may send in this stage; -1: as many as
// there are. A warm-up is dealt out, so that a quick answer doesn't leave
// another slot's connection cold.
func (st *stage) turns(slot int) int {
	if st.phase == record.Measured {
		return -1
	}
	n := st.slots
	return (st.limit + n - slot) / n
}

// goOn is, in a closed loop, the next turn of the session that a request was
// of, when its user has thought; nil where there is none, and in its place
// another session may begin. A session ends with a turn that failed.
func (st *stage) goOn(e *errand, answer string) *errand {
	if !e.continues(st.step.Turns) {
		return nil
	}
	number := st.take()
	if number == 0 {
		return nil
	}
	next := st.turn(e.talk, answer, number)
	wait := st.r.c.Session.Think
	if st.deadline > 0 {
		wait = min(wait, time.Duration(st.deadline-st.r.now()))
	}
	think := time.NewTimer(wait)
	defer think.Stop()
	select {
	case <-think.C:
	case <-st.r.send.Done():
	}
	return next
}

// continues reports whether the request's session has another turn.
func (e *errand) continues(turns int) bool {
	return e.talk != nil && e.talk.turn < turns && e.attempt.Outcome == outcome.OK
}
