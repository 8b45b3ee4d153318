package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// interruption turns signals into what a run understands: after the first,
// stop is closed (nothing new is sent, what is in flight drains); after the
// second, ctx ends (everything is cut).
type interruption struct {
	ctx  context.Context
	stop chan struct{}
}

// watchInterrupts begins to listen. After release signals end the process
// again, as they do by default.
func (w *world) watchInterrupts() (i *interruption, release func()) {
	ctx, cancel := context.WithCancel(context.Background())
	i = &interruption{ctx: ctx, stop: make(chan struct{})}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	signal.Ignore(syscall.SIGPIPE) // who stops reading the output does not stop the run
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-signals:
			}
			if i.stopped() {
				cancel()
				w.interject("cli.interrupt.second")
				continue
			}
			close(i.stop)
			w.interject("cli.interrupt.first")
		}
	}()
	return i, func() { signal.Stop(signals); close(done); cancel() }
}

// interject says a line beside a progress line that may be there, and beside
// the ^C that a terminal shows.
func (w *world) interject(id string) {
	before := ""
	if w.stderrScreen.terminal {
		before = "\n"
	}
	fmt.Fprintln(w.stderr, before+w.say(id))
}

func (i *interruption) stopped() bool {
	select {
	case <-i.stop:
		return true
	default:
		return false
	}
}

// untilStopped is a context that ends at the first signal: for what need not
// drain.
func (i *interruption) untilStopped() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(i.ctx)
	go func() {
		select {
		case <-i.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// untilInterrupted returns a context that ends at the first signal.
func untilInterrupted() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}
