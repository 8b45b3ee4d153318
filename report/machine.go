package report

import (
	"math"
	"time"

	"tidemark/record"
	"tidemark/stat"
	"tidemark/text"
)

const (
	// drift is how far a wall clock that is being disciplined moves from the
	// monotonic one, as a share of the time that passes.
	drift = 500e-6
	// stepLeast is the change beyond that from which the clock was set.
	stepLeast = time.Millisecond
)

// machineTally is what looks at the machine tell of a level. A look tells of
// the time since the look before.
type machineTally struct {
	looks      int       // that lie wholly inside the level
	seconds    float64   // that these cover
	cpu, other float64   // cores × seconds: this process, all others
	others     bool      // what the others used is known
	throttled  float64   // ms
	waits      []float64 // ms, the scheduler's p99 of each look
	within     int64     // ns
	steps      []step
	slept      int64         // ns
	sleptAt    record.Offset // the last time
}

// step is a jump of the wall clock.
type step struct {
	at record.Offset
	by int64 // ns
}

// sample hands a look over, as far as it tells of a round of the level.
func (l *levelTally) sample(before, s *record.Sample, last record.Offset) {
	for _, r := range l.edges.counted() {
		if r.started == 0 {
			continue
		}
		end := r.ended
		if end == 0 {
			end = last
		}
		if before.At >= r.started && s.At <= end {
			l.machine.use(before, s)
		}
		if s.At > r.started && before.At < end {
			l.machine.wall(before, s)
		}
	}
}

// use counts what was used in a stretch that is wholly the level's.
func (m *machineTally) use(before, s *record.Sample) {
	length := time.Duration(s.At - before.At).Seconds()
	if length <= 0 {
		return
	}
	m.looks++
	m.seconds += length
	m.cpu += s.CPU * length
	if s.MachineCPU > 0 {
		m.others = true
		m.other += max(s.MachineCPU-s.CPU, 0) * length
	}
	m.throttled += s.ThrottledMs
	if s.SchedP99Ms > 0 {
		m.waits = append(m.waits, s.SchedP99Ms)
	}
}

// wall looks for a step of the wall clock between two looks. What the machine
// slept moves it too, and is no step.
func (m *machineTally) wall(before, s *record.Sample) {
	if s.Slept > 0 {
		m.slept += s.Slept
		m.sleptAt = s.At
	}
	if s.WallWithin <= 0 {
		return
	}
	m.within = max(m.within, s.WallWithin)
	if before.WallWithin <= 0 {
		return
	}
	by := s.WallAhead - before.WallAhead - s.Slept
	allowed := drift*float64(s.At-before.At) + float64(before.WallWithin+s.WallWithin+int64(stepLeast))
	if math.Abs(float64(by)) > allowed {
		m.steps = append(m.steps, step{s.At, by})
	}
}

// widest is the step that went farthest.
func (m *machineTally) widest() step {
	var w step
	for _, s := range m.steps {
		if abs(s.by) > abs(w.by) {
			w = s
		}
	}
	return w
}

func abs(ns int64) int64 { return max(ns, -ns) }

// clock is nil where nothing is known of the wall clock.
func (m *machineTally) clock() *Clock {
	if m.within == 0 && m.slept == 0 {
		return nil
	}
	c := &Clock{WithinMs: ms(m.within), Steps: len(m.steps)}
	if len(m.steps) > 0 {
		by := ms(m.widest().by)
		c.StepMs = &by
	}
	if m.slept > 0 {
		slept := ms(m.slept)
		c.SleptMs = &slept
	}
	return c
}

// warnings are of the clocks.
func (m *machineTally) warnings(lang text.Lang) []Warning {
	var all []Warning
	if n := len(m.steps); n > 0 {
		w := m.widest()
		all = append(all, Warning{clockStepped, n, Times,
			text.Msg("report.clock_stepped", ms(w.by), time.Duration(w.at).Seconds()).In(lang)})
	}
	if m.slept > 0 {
		all = append(all, Warning{machineSlept, 1, Times,
			text.Msg("report.machine_slept", time.Duration(m.slept).Seconds(), time.Duration(m.sleptAt).Seconds()).In(lang)})
	}
	return all
}

// wait is the scheduler's latency at p99, in ms: the median of the looks'. A
// single look that saw a hiccup is not the level.
func (m *machineTally) wait() *float64 { return stat.Median(m.waits) }
