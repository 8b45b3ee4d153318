package wire

import (
	"errors"
	"os"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

// sending is a request on its way.
type sending struct {
	buf  *[]byte
	done chan struct{} // closed when what is written apart was, or failed; nil: there is none
	at   time.Time     // when writing ended
	err  error
}

// send builds a request and hands it to the kernel: a small one at once, the
// rest of a large one beside the reading of its answer. leave is how long the
// client stays; 0: to the end.
func (c *Conn) send(call *dialect.Call, leave time.Duration, a *record.Attempt) error {
	w := &c.out
	*w = sending{buf: requests.Get().(*[]byte)}
	req, err := c.lead.request((*w.buf)[:0], &c.client.Target, call)
	*w.buf = req
	if err != nil {
		w.drop()
		return refuse(outcome.ClientResource, "%v", err)
	}
	c.limits.begin(&c.client.Timeouts, leave, time.Now(), call.Framing != dialect.Whole)
	a.Sent = c.s.offset(time.Now())
	n := min(len(req), inlineWrite)
	_, w.err = c.conn.Write(req[:n])
	w.at = time.Now()
	if w.err != nil || n == len(req) {
		w.drop()
		return nil
	}
	w.done = make(chan struct{})
	go func() {
		defer close(w.done)
		_, w.err = c.conn.Write(req[n:])
		w.at = time.Now()
	}()
	return nil
}

// settle ends the sending: what was not written when the answer was over
// never is. It reports whether the request was written whole.
func (c *Conn) settle(a *record.Attempt) bool {
	w := &c.out
	if !w.over() {
		c.conn.SetWriteDeadline(past)
		<-w.done
	}
	w.drop()
	if w.err != nil {
		return false
	}
	a.Written = c.s.offset(w.at)
	return true
}

// over reports whether nothing is being written any more.
func (w *sending) over() bool {
	if w.done == nil {
		return true
	}
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// drop lets the buffer go.
func (w *sending) drop() {
	if w.buf != nil {
		keepRequest(w.buf)
		w.buf = nil
	}
}

// timedOut reports whether a limit stopped the writing already.
func (w *sending) timedOut() bool {
	return w.over() && errors.Is(w.err, os.ErrDeadlineExceeded)
}
