package sim

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// pace says when each token of an answer may be sent.
type pace interface {
	// wait returns when token k (from 0) is there, or with ctx's error.
	wait(ctx context.Context, k int) error
	// hold stops the making of further tokens, release goes on with it.
	hold()
	release()
	// leave tells that no more is wanted. It may be called more than once.
	leave()
}

// engine is the batch and its clock: one goroutine, one step after another.
type engine struct {
	mu   sync.Mutex
	b    batch
	wake chan struct{}
}

func newEngine(e Engine) *engine {
	return &engine{b: batch{Engine: e}, wake: make(chan struct{}, 1)}
}

// run goes from step to step. A step begins when the one before should have
// ended, so that the timer's lateness does not add up; after a delay longer
// than a step it begins when it begins, as a machine's would.
func (e *engine) run(ctx context.Context) {
	start := time.Now()
	timer := newTimer()
	for ctx.Err() == nil {
		d := e.begin()
		if d == 0 {
			select {
			case <-e.wake:
			case <-ctx.Done():
			}
			start = time.Now()
			continue
		}
		start = start.Add(d)
		if sleepUntil(ctx, timer, start) != nil {
			return
		}
		e.end()
		if now := time.Now(); now.Sub(start) > d {
			start = now
		}
	}
}

// begin starts a step and returns how long it lasts; 0: nothing to do.
func (e *engine) begin() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	tokens, prefill := e.b.begin()
	if tokens == 0 && prefill == 0 {
		return 0
	}
	return e.b.step(tokens, prefill)
}

func (e *engine) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.b.end()
}

func (e *engine) rouse() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// ticket is a place in the engine.
type ticket struct {
	engine *engine
	q      sequence
	ready  atomic.Int64 // tokens made
	tick   chan struct{}
}

// fits reports whether a prompt and its answer could ever be computed.
func (e *engine) fits(prompt, limit int) bool {
	return e.b.fits(&sequence{prompt: prompt, limit: limit})
}

// join puts an answer of limit tokens into the queue; nil: the queue is full.
func (e *engine) join(prompt, limit int, held bool) *ticket {
	t := &ticket{engine: e, tick: make(chan struct{}, 1)}
	t.q = sequence{prompt: prompt, limit: limit, held: held, signal: t.signal}
	e.mu.Lock()
	ok := e.b.add(&t.q)
	e.mu.Unlock()
	if !ok {
		return nil
	}
	e.rouse()
	return t
}

// signal never blocks the engine: a slow writer finds its tokens waiting.
func (t *ticket) signal(made int) {
	t.ready.Store(int64(made))
	select {
	case t.tick <- struct{}{}:
	default:
	}
}

func (t *ticket) wait(ctx context.Context, k int) error {
	for t.ready.Load() <= int64(k) {
		select {
		case <-t.tick:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (t *ticket) hold() { t.setHeld(true) }
func (t *ticket) release() {
	t.setHeld(false)
	t.engine.rouse()
}

func (t *ticket) setHeld(held bool) {
	t.engine.mu.Lock()
	t.q.held = held
	t.engine.mu.Unlock()
}

func (t *ticket) leave() {
	t.engine.mu.Lock()
	t.engine.b.drop(&t.q)
	t.engine.mu.Unlock()
	t.engine.rouse() // the place is free for another
}
