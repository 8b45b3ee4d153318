package run

import (
	"sync"
	"sync/atomic"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
)

const (
	// showEvery is the time between two snapshots.
	showEvery = 250 * time.Millisecond
	// lately is how many of these the live speed looks back: a second.
	lately = 4
)

// live is the run as an eye sees it. What ended is counted by the recorder,
// what is in flight is asked of the connections.
type live struct {
	mu    sync.Mutex
	now   Snapshot // what the level and its phase fix, and the counts
	on    bool     // a level is on
	pool  *pool
	due   atomic.Int64  // open loop: requests that were due so far
	since time.Time     // the phase began
	bound time.Duration // the phase's; 0: none
	last  []Snapshot    // of levels that are over, not yet shown

	ttft   stat.Hist                        // this phase
	tokens float64                          // of attempts that ended, this phase
	told   struct{ tokens, frames float64 } // of attempts that told both, this level
	past   []point                          // of the last second

	stop, done chan struct{} // of the goroutine that shows; nil: nobody watches
}

// point is what had come at a moment: the tokens of attempts that had ended,
// and the frames of those in flight.
type point struct {
	at             time.Time
	tokens, frames float64
}

func newLive(levels, rounds int) *live {
	return &live{now: Snapshot{Levels: levels, Rounds: rounds}}
}

// begin turns to a level.
func (l *live) begin(s *step, round int, p *pool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = Snapshot{
		Target: s.Target, Workload: s.Workload, Level: s.Number, Levels: l.now.Levels,
		Round: round, Rounds: l.now.Rounds, Concurrency: s.Concurrency, Schedule: s.Schedule, Phase: record.WarmUp, Total: s.WarmUp,
	}
	l.on, l.bound, l.pool = true, 0, p
	l.told.tokens, l.told.frames = 0, 0
	l.restart()
}

// phase turns to a stage of the level.
func (l *live) phase(st *stage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.Phase, l.now.Total, l.now.Done, l.now.Errors = st.phase, st.limit, 0, 0
	l.due.Store(0)
	if st.phase == record.Measured {
		l.now.Total, l.bound = st.step.perRound(), st.step.Duration
	}
	l.restart()
}

func (l *live) restart() {
	l.since, l.tokens, l.past = time.Now(), 0, l.past[:0]
	l.ttft = stat.Hist{}
}

// number is the level that is on; 0: none.
func (l *live) number() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.on {
		return 0
	}
	return l.now.Level
}

// count adds an attempt that ended.
func (l *live) count(a *record.Attempt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.Phase != l.now.Phase {
		return // the end of a warm-up, seen late
	}
	l.now.Done++
	switch side := a.Outcome.Side(); {
	case side == outcome.Success && a.FirstOut > 0:
		l.ttft.Record(int64(a.FirstOut - start(a)))
	case side == outcome.Failure || side == outcome.Client:
		l.now.Errors++
	}
	frames := float64(a.Frames.Output)
	if !a.Tokens.Output.Known() {
		l.tokens += frames * l.perFrame()
		return
	}
	n := float64(a.Tokens.Output.N)
	l.tokens += n
	if frames > 0 {
		l.told.tokens += n
		l.told.frames += frames
	}
}

// start is when an attempt's waits began: when it was due or, in a closed
// loop, sent.
func start(a *record.Attempt) record.Offset {
	if a.Due > 0 {
		return a.Due
	}
	return a.Sent
}

// perFrame is how many tokens a frame held so far; 1 while nothing is known.
func (l *live) perFrame() float64 {
	if l.told.frames == 0 {
		return 1
	}
	return l.told.tokens / l.told.frames
}

// look makes the level's snapshot.
func (l *live) look() Snapshot {
	s, now := l.now, time.Now()
	s.Elapsed = now.Sub(l.since)
	s.Due = int(l.due.Load())
	if ttft := l.ttft.Summary(); ttft != nil {
		s.TTFTp50 = time.Duration(ttft.P50 * float64(time.Millisecond))
	}
	p := point{at: now, tokens: l.tokens}
	for _, slot := range l.pool.slots() {
		if f := slot.flight.Load(); f != nil {
			s.InFlight++
			p.frames += float64(f.frames())
		}
	}
	s.TokensPerS = l.speed(p)
	s.Left = l.left(s)
	return s
}

// speed is tokens per second over about the last second. What a stream's
// frames were taken for is set right when it ends, so that what came may seem
// less than nothing; that is no speed.
func (l *live) speed(p point) float64 {
	if len(l.past) > lately {
		l.past = append(l.past[:0], l.past[1:]...)
	}
	l.past = append(l.past, p)
	first := l.past[0]
	if !p.at.After(first.at) {
		return 0
	}
	came := p.tokens - first.tokens + (p.frames-first.frames)*l.perFrame()
	return max(came, 0) / p.at.Sub(first.at).Seconds()
}

// left is how long the phase will still take at its pace.
func (l *live) left(s Snapshot) time.Duration {
	var left time.Duration
	if s.Total > 0 && s.Done > 0 {
		left = time.Duration(float64(s.Elapsed) * float64(s.Total-s.Done) / float64(s.Done))
	}
	if l.bound > 0 && (left == 0 || l.bound-s.Elapsed < left) {
		left = l.bound - s.Elapsed
	}
	return max(left, 0)
}

// over makes the level's last snapshot.
func (l *live) over() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.on = false
	if l.stop == nil {
		return
	}
	s := l.look()
	s.Over, s.Left = true, 0
	l.last = append(l.last, s)
}

// fresh returns what is to be shown: the ends of levels, then the present.
func (l *live) fresh() []Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.last
	l.last = nil
	if l.on {
		all = append(all, l.look())
	}
	return all
}

// show calls watch a few times a second, on a goroutine of its own: a
// terminal that doesn't take what is written holds up nothing else.
func (l *live) show(watch func(Snapshot)) {
	l.stop, l.done = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(l.done)
		tick := time.NewTicker(showEvery)
		defer tick.Stop()
		for open := true; open; {
			select {
			case <-tick.C:
			case <-l.stop:
				open = false
			}
			for _, s := range l.fresh() {
				watch(s)
			}
		}
	}()
}

// close shows what is left and ends the showing.
func (l *live) close() {
	if l.stop != nil {
		close(l.stop)
		<-l.done
	}
}
