package wire

import (
	"context"
	"sync"
)

// watch wakes a connection when the run ends during an attempt. Attempts share
// a context, and to register each of them with it would take a lock that all
// connections share: a connection is registered until the context is another.
type watch struct {
	forget func() bool // ends the registration; nil: there is none

	lock sync.Mutex
	ctx  context.Context // of the last attempt
	busy bool            // it is under way
}

// attend begins an attempt that ends with ctx.
func (c *Conn) attend(ctx context.Context) {
	w := &c.watch
	w.lock.Lock()
	same := w.ctx == ctx
	w.ctx, w.busy = ctx, true
	w.lock.Unlock()
	if !same {
		c.unwatch()
		w.forget = context.AfterFunc(ctx, func() { c.interrupt(ctx) })
	}
}

// rest ends the attempt. Where the run ended, the connection's deadline is in
// the past, or should be.
func (c *Conn) rest(ctx context.Context) {
	c.watch.lock.Lock()
	c.watch.busy = false
	c.watch.lock.Unlock()
	if ctx.Err() != nil || c.stopped.Load() {
		c.dead = true
	}
}

// unwatch ends the registration.
func (c *Conn) unwatch() {
	if c.watch.forget != nil {
		c.watch.forget()
		c.watch.forget = nil
	}
}

// interrupt wakes whatever waits on the connection, if it is still an attempt
// of that context. Another goroutine calls it.
func (c *Conn) interrupt(ctx context.Context) {
	c.watch.lock.Lock()
	defer c.watch.lock.Unlock()
	if c.watch.busy && c.watch.ctx == ctx {
		c.stopped.Store(true)
		c.conn.SetDeadline(past)
	}
}
