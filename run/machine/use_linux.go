package machine

import (
	"bytes"
	"os"
	"time"
)

// tick is what the kernel counts CPU time in towards user space, on every
// architecture that Go runs on.
const tick = time.Second / 100

// system reads what Linux tells of the machine and its control groups.
type system struct {
	stat, statm string
	holds       []hold
	sleep       sleep
	buf         []byte // kept, so that a look allocates little
}

// hold is a control group that may hold the process back.
type hold struct {
	file  string
	field string
	unit  time.Duration
	seen  int64
}

func newSystem(h host) system {
	s := system{
		stat: h.path("proc/stat"), statm: h.path("proc/self/statm"),
		sleep: newSleep(), buf: make([]byte, 16<<10),
	}
	for _, g := range h.groups("cpu") {
		held := hold{file: g.file("cpu.stat"), field: "throttled_usec", unit: time.Microsecond}
		if g.version == 1 {
			held.field, held.unit = "throttled_time", time.Nanosecond
		}
		if seen, ok := held.read(s.read); ok {
			held.seen = seen
			s.holds = append(s.holds, held)
		}
	}
	return s
}

// read returns what fits the buffer of a file's text, until the next read;
// nil: it can't be read.
func (s *system) read(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	n := 0
	for n < len(s.buf) {
		m, err := f.Read(s.buf[n:])
		n += m
		if m == 0 || err != nil {
			break
		}
	}
	return s.buf[:n]
}

// busy is the CPU time that all processes of the machine have used: user,
// nice, system, irq and softirq (guests are in the first two).
func (s *system) busy() time.Duration {
	line, _, _ := bytes.Cut(s.read(s.stat), []byte{'\n'})
	rest, ok := bytes.CutPrefix(line, []byte("cpu "))
	if !ok {
		return 0
	}
	const idle, iowait, columns = 3, 4, 7
	var ticks int64
	for i := range columns {
		var field []byte
		field, rest = word(rest)
		n, ok := number(field)
		if !ok {
			return 0
		}
		if i != idle && i != iowait {
			ticks += n
		}
	}
	return time.Duration(ticks) * tick
}

// resident is the process's memory in bytes; 0: not known.
func (s *system) resident() int64 {
	_, rest := word(s.read(s.statm))
	field, _ := word(rest)
	pages, _ := number(field)
	return pages * int64(os.Getpagesize())
}

// throttled is how long the process was held back since it was last asked.
// Where a group above holds it, its own group tells of nothing; where several
// do, they do at the same time.
func (s *system) throttled() time.Duration {
	var most time.Duration
	for i := range s.holds {
		h := &s.holds[i]
		now, ok := h.read(s.read)
		if !ok {
			continue
		}
		most = max(most, time.Duration(now-h.seen)*h.unit)
		h.seen = now
	}
	return most
}

func (s *system) slept() time.Duration { return s.sleep.look() }

// read is the group's counter; false: it keeps none.
func (h *hold) read(read func(string) []byte) (int64, bool) {
	return fieldOf(read(h.file), h.field)
}
