package machine

import (
	"time"
)

// Watch sees what the process uses. It is for one goroutine.
type Watch struct {
	at     time.Time
	cpu    time.Duration // that the process had used then
	busy   time.Duration // that all processes had
	waits  waits
	wall   wall
	system system
	// virtual says that time is a test's: what happens in a second of it says
	// nothing of the machine.
	virtual bool
}

// NewWatch begins to watch.
func NewWatch() *Watch { return newWatch(here) }

func newWatch(h host) *Watch {
	w := &Watch{waits: newWaits(), wall: newWall(), system: newSystem(h), virtual: virtual()}
	w.Look()
	return w
}

// Look tells of the time since the last Look, or since NewWatch. In a test's
// virtual time it knows the memory and no more.
func (w *Watch) Look() Use {
	u := Use{RSS: w.system.resident()}
	if w.virtual {
		return u
	}
	now, cpu, busy := time.Now(), processTime(), w.system.busy()
	passed := now.Sub(w.at)
	u.CPU, u.Machine = cores(cpu-w.cpu, passed), cores(busy-w.busy, passed)
	if u.Machine > 0 { // what is counted by ticks may miss a little of us
		u.Machine = max(u.Machine, u.CPU)
	}
	w.at, w.cpu, w.busy = now, cpu, busy
	u.Throttled, u.SchedP99, u.Slept = w.system.throttled(), w.waits.p99(), w.system.slept()
	u.WallAhead, u.WallWithin = w.wall.look()
	return u
}

func cores(used, passed time.Duration) float64 {
	if used <= 0 || passed <= 0 {
		return 0
	}
	return used.Seconds() / passed.Seconds()
}
