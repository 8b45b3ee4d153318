package run

import (
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// timerfd is the kernel's timer as a file. The runtime waits for files without
// rounding, so that a goroutine that reads it wakes some 50 µs after the
// moment, where the runtime's own timers, which wait in whole milliseconds,
// wake it up to 1.1 ms after. No thread is held meanwhile.
type timerfd struct {
	file  *os.File
	fd    int
	woken atomic.Bool
	dirty bool // the file's deadline lies in the past
}

// exactAlarm returns nil where the kernel gives none.
func exactAlarm() alarm {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil
	}
	t := &timerfd{file: os.NewFile(uintptr(fd), "timer"), fd: fd}
	if t.file.SetReadDeadline(time.Time{}) != nil { // the runtime can't wait for it
		t.file.Close()
		return nil
	}
	return t
}

func (t *timerfd) wait(until time.Time) {
	if t.dirty {
		t.dirty = false
		t.file.SetReadDeadline(time.Time{})
	}
	if t.woken.Swap(false) {
		t.dirty = true
		return
	}
	spec := unix.ItimerSpec{} // disarmed: only wake ends the wait
	if !until.IsZero() {
		left := time.Until(until)
		if left <= 0 {
			return
		}
		spec.Value = unix.NsecToTimespec(int64(left))
	}
	if unix.TimerfdSettime(t.fd, 0, &spec, nil) != nil {
		time.Sleep(time.Until(until))
		return
	}
	var expired [8]byte
	if _, err := t.file.Read(expired[:]); err != nil {
		t.dirty = true
		t.woken.Store(false)
	}
}

func (t *timerfd) wake() {
	t.woken.Store(true)
	t.file.SetReadDeadline(time.Unix(1, 0))
}

func (t *timerfd) close() { t.file.Close() }
