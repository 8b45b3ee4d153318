package run

import (
	"context"
	"errors"

	"tidemark/record"
)

// ending is why sending stopped, carried as a context's cause.
//
// A run has two contexts. When `send` ends nothing new is sent and what is in
// flight goes on; when `cut` ends that is cut too. `send` is a child of `cut`,
// so its cause is always the first reason there was. Each stage of a level has
// a pair of its own below them.
type ending record.Reason

func (e ending) Error() string { return string(e) }

// reason is why sending stopped; "" while it goes on. A context that its
// owner ended without saying why was interrupted.
func reason(send context.Context) record.Reason {
	if send.Err() == nil {
		return ""
	}
	var e ending
	if errors.As(context.Cause(send), &e) {
		return record.Reason(e)
	}
	return record.Interrupted
}

// limits makes the run's two contexts.
func (r *runner) limits(ctx context.Context) {
	release := func() {}
	if r.c.MaxTime > 0 {
		ctx, release = context.WithDeadlineCause(ctx, r.epoch.Add(r.c.MaxTime), ending(record.MaxTime))
	}
	var cut context.CancelCauseFunc
	r.cut, cut = context.WithCancelCause(ctx)
	r.cutWith = func(e ending) { cut(e) }
	send, stop := context.WithCancelCause(r.cut)
	r.send = send
	r.stopWith = func(e ending) { stop(e) }
	r.release = func() { stop(nil); cut(nil); release() }
}

// heed turns the first Ctrl-C into the end of sending.
func (r *runner) heed() {
	select {
	case <-r.c.Stop: // at once, so that a run stopped before it began sends nothing
		r.stopWith(ending(record.Interrupted))
	default:
	}
	r.helpers.Go(func() {
		select {
		case <-r.c.Stop:
			r.stopWith(ending(record.Interrupted))
		case <-r.send.Done():
		}
	})
}

// Spent is what an attempt counts against a limit of tokens. Where the server
// counted no output its estimate stands in: a limit on spending had better
// hold a little early than not at all.
func Spent(a *record.Attempt) int64 {
	n := a.Tokens.Input.N + a.Tokens.Output.N
	if !a.Tokens.Output.Known() {
		n += int64(a.OutputEstimated)
	}
	return n
}

// spend counts an attempt against the run's limit.
func (r *runner) spend(a *record.Attempt) {
	if r.c.MaxTotalTokens > 0 && r.spent.Add(Spent(a)) >= r.c.MaxTotalTokens {
		r.stopWith(ending(record.MaxTokens))
	}
}
