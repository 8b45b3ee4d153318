package run

import "time"

// alarm lets one goroutine sleep until a moment.
type alarm interface {
	// wait returns at the moment, never before, or as soon as wake was called
	// since the last wait returned. The zero time: only wake ends it.
	wait(until time.Time)
	// wake may be called by any goroutine, and never blocks.
	wake()
	close()
}

// alarm is the most exact one that the platform has.
func (r *runner) alarm() alarm {
	if !r.c.Timers {
		if a := exactAlarm(); a != nil {
			return a
		}
	}
	return &timer{woken: make(chan struct{}, 1)}
}

// timer is the runtime's, which is up to a millisecond late on Linux.
type timer struct{ woken chan struct{} }

func (t *timer) wait(until time.Time) {
	var rings <-chan time.Time
	if !until.IsZero() {
		at := time.NewTimer(time.Until(until))
		defer at.Stop()
		rings = at.C
	}
	select {
	case <-rings:
	case <-t.woken:
	}
}

func (t *timer) wake() {
	select {
	case t.woken <- struct{}{}:
	default:
	}
}

func (t *timer) close() {}
