package wire

import (
	"net"
	"sync/atomic"
	"time"

	"tidemark/record/outcome"
)

// past is a deadline that has always passed.
var past = time.Unix(1, 0)

// limits watches the waits of one attempt. The connection's deadline is set
// to the nearest limit and left there while bytes come: only when it passes
// is it seen whether a limit really did, for most move on with every byte.
type limits struct {
	Timeouts
	conn    net.Conn
	stopped *atomic.Bool // the run ended: the deadline stays in the past

	sent     time.Time
	byteAt   time.Time // last byte of the body; zero: none yet
	outAt    time.Time // last output; zero: none yet
	awaited  bool      // an output is awaited: a stream that has not ended
	drainEnd time.Time // set: nothing else is awaited but the body's end
	leaveAt  time.Time // the client goes away then; zero: it stays

	armed bool // the deadline stands at a limit no later than the nearest
}

// begin starts an attempt's waits. The deadline bounds its writes too. The
// client stays no longer than leave; 0: it stays.
func (l *limits) begin(t *Timeouts, leave time.Duration, sent time.Time, stream bool) {
	*l = limits{Timeouts: *t, conn: l.conn, stopped: l.stopped, sent: sent, awaited: stream, armed: true}
	if leave > 0 {
		l.leaveAt = sent.Add(leave)
	}
	at, _, _ := l.nearest()
	l.conn.SetDeadline(at)
	l.hold()
}

// nearest is the limit that passes first; a zero time: none.
func (l *limits) nearest() (at time.Time, class outcome.Class, limit time.Duration) {
	sooner := func(from time.Time, d time.Duration, c outcome.Class) {
		if d <= 0 || from.IsZero() {
			return
		}
		if t := from.Add(d); at.IsZero() || t.Before(at) {
			at, class, limit = t, c, d
		}
	}
	if !l.drainEnd.IsZero() {
		return l.drainEnd, "", drainTime
	}
	if !l.leaveAt.IsZero() {
		at, class = l.leaveAt, outcome.CancelledByPlan
	}
	sooner(l.sent, l.Total, outcome.TotalTimeout)
	sooner(l.byteAt, l.Idle, outcome.IdleTimeout)
	if l.awaited && l.outAt.IsZero() {
		sooner(l.sent, l.TTFT, outcome.TTFTTimeout)
		if l.TTFT <= 0 && l.byteAt.IsZero() {
			sooner(l.sent, l.Idle, outcome.IdleTimeout)
		}
	}
	if l.awaited {
		sooner(l.outAt, l.OutputIdle, outcome.OutputIdleTimeout)
	}
	return at, class, limit
}

// arm sets the deadline before a read, where a new limit may be nearer than
// the one it stands at.
func (l *limits) arm() {
	if l.armed {
		return
	}
	l.armed = true
	at, _, _ := l.nearest()
	l.conn.SetReadDeadline(at)
	l.hold()
}

// hold puts the deadline back into the past where the run ended meanwhile.
func (l *limits) hold() {
	if l.stopped.Load() {
		l.conn.SetDeadline(past)
	}
}

// passed tells, after the deadline passed, what did; nil: nothing yet.
func (l *limits) passed() *fault {
	if l.stopped.Load() {
		return stopped()
	}
	at, class, limit := l.nearest()
	if !at.IsZero() && !time.Now().Before(at) {
		if class == outcome.CancelledByPlan {
			return left()
		}
		return late(class, limit)
	}
	l.armed = false
	return nil
}

// gone reports whether the client had left when something arrived: what came
// later was not waited for, however late a deadline is noticed.
func (l *limits) gone(arrived time.Time) bool {
	return !l.leaveAt.IsZero() && arrived.After(l.leaveAt)
}

// stay ends the wait for the moment of leaving: the answer is over, or is
// none. The deadline may stand; that it passes then means nothing.
func (l *limits) stay() { l.leaveAt = time.Time{} }

// gotByte, gotOutput and the rest note what the limits count from. Those that
// bring a new limit into play have the deadline set anew.
func (l *limits) gotByte(now time.Time) {
	l.armed = l.armed && !l.byteAt.IsZero()
	l.byteAt = now
}

func (l *limits) gotOutput(now time.Time) {
	l.armed = l.armed && !l.outAt.IsZero()
	l.outAt = now
}

// noMoreOutput ends the waits for output: the answer is finished, or is no
// stream.
func (l *limits) noMoreOutput() {
	if l.awaited {
		l.awaited, l.armed = false, false
	}
}

func (l *limits) drain(until time.Time) {
	l.drainEnd, l.armed = until, false
}
