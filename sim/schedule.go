package sim

import (
	"context"
	"time"
)

// Schedule is a fixed pace, the same for every answer whatever the load:
// token k is due TTFT + k × ITL after its request arrived, whenever the
// tokens before it left. It leaves late by what the timer is late, up to
// about a millisecond; the truth tells what really happened.
type Schedule struct {
	TTFT time.Duration // to the first token; 0: at once
	ITL  time.Duration // between tokens; 0: all are due with the first
}

// appointment is one answer's schedule.
type appointment struct {
	Schedule
	from  time.Time
	held  time.Time
	timer *time.Timer
}

func (s Schedule) from(arrival time.Time, held bool) *appointment {
	a := &appointment{Schedule: s, from: arrival, timer: newTimer()}
	if held {
		a.held = arrival
	}
	return a
}

func (a *appointment) wait(ctx context.Context, k int) error {
	return sleepUntil(ctx, a.timer, a.from.Add(a.TTFT+time.Duration(k)*a.ITL))
}

func (a *appointment) hold()    { a.held = time.Now() }
func (a *appointment) release() { a.from = a.from.Add(time.Since(a.held)) }
func (a *appointment) leave()   { a.timer.Stop() }

// newTimer returns a timer that is not running.
func newTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// sleepUntil returns at a moment, or earlier with ctx's error.
func sleepUntil(ctx context.Context, t *time.Timer, at time.Time) error {
	d := time.Until(at)
	if d <= 0 {
		return ctx.Err()
	}
	t.Reset(d)
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
