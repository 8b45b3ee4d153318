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
	done chan struct{} // closed when all was written, or writing failed
	at   time.Time     // then
	err  error
}

// send builds a request and hands it to the kernel: a small one at once, the
// rest of a large one beside the reading of its answer. leave is how long the
// client stays; 0: to the end.
func (c *Conn) send(call dialect.Call, leave time.Duration, a *record.Attempt) (*sending, error) {
	w := &sending{buf: requests.Get().(*[]byte), done: make(chan struct{})}
	req, err := appendRequest((*w.buf)[:0], c.client.Target, call)
	*w.buf = req
	if err != nil {
		keepRequest(w.buf)
		return nil, refuse(outcome.ClientResource, "%v", err)
	}
	c.limits.begin(c.client.Timeouts, leave, time.Now(), call.Framing != dialect.Whole)
	a.Sent = c.s.offset(time.Now())
	n := min(len(req), inlineWrite)
	_, w.err = c.conn.Write(req[:n])
	w.at = time.Now()
	if w.err != nil || n == len(req) {
		close(w.done)
		return w, nil
	}
	go func() {
		defer close(w.done)
		_, w.err = c.conn.Write(req[n:])
		w.at = time.Now()
	}()
	return w, nil
}

// settle ends the sending: what was not written when the answer was over
// never is. It reports whether the request was written whole.
func (c *Conn) settle(w *sending, a *record.Attempt) bool {
	select {
	case <-w.done:
	default:
		c.conn.SetWriteDeadline(past)
		<-w.done
	}
	keepRequest(w.buf)
	if w.err != nil {
		return false
	}
	a.Written = c.s.offset(w.at)
	return true
}

// timedOut reports whether a limit stopped the writing already.
func (w *sending) timedOut() bool {
	select {
	case <-w.done:
		return errors.Is(w.err, os.ErrDeadlineExceeded)
	default:
		return false
	}
}
