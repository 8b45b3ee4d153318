package run

import (
	"context"
	"sync"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

// stage is one phase of one level in one round: what is left to send, and
// how much of it is in flight.
type stage struct {
	r     *runner
	step  *step
	round int
	phase record.Phase
	limit int // requests; 0: the level's duration, or its schedule, bounds the stage

	send, cut       context.Context // below the run's own; send ends too when nothing is left
	endSend, endCut context.CancelFunc

	started  record.Offset
	deadline record.Offset // nothing is dispatched from here on; 0: none

	mu       sync.Mutex
	taken    int // requests given out
	flying   int // requests in flight
	full     bool
	emptied  bool
	held     float64       // requests in flight × seconds, kept at every change
	changed  record.Offset // when flying last changed
	ok       int
	failed   int
	keeping  int  // answers being kept
	answered bool // an answer is kept
	slots    int  // of a closed loop
	talks    int  // sessions begun
	talking  int  // sessions whose first turn was dispatched

	prefix     sync.Once
	prefixText string // that all requests begin with
	sessions   names  // of a trace
}

// run lets the slots work until nothing is left and all has ended. Each has
// its first request ready before started is called, so that all begin at
// once.
func (st *stage) run(slots []*slot, started func()) {
	st.slots = len(slots)
	var ready, work sync.WaitGroup
	begin := make(chan struct{})
	ready.Add(len(slots))
	for _, s := range slots {
		work.Go(func() { s.work(st, ready.Done, begin) })
	}
	ready.Wait()
	drained := st.drain()
	st.started = st.r.now()
	if st.phase == record.Measured && st.step.Duration > 0 {
		st.deadline = st.started + record.Offset(st.step.Duration)
		stop := time.AfterFunc(st.step.Duration, st.endSend)
		defer stop.Stop()
	}
	st.r.live.phase(st)
	started()
	close(begin)
	work.Wait()
	st.endSend()
	st.endCut()
	<-drained
}

// drain cuts what is in flight when the drain limit has passed since sending
// ended. The channel closes when it is over.
func (st *stage) drain() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-st.send.Done()
		if st.r.c.Drain <= 0 {
			return
		}
		limit := time.NewTimer(st.r.c.Drain)
		defer limit.Stop()
		select {
		case <-limit.C:
			st.endCut()
		case <-st.cut.Done():
		}
	}()
	return done
}

// prepare makes the next request of a closed loop ready; nil where nothing is
// left.
func (st *stage) prepare() *errand {
	number := st.take()
	switch {
	case number == 0:
		return nil
	case st.step.Turns > 0 && st.phase == record.Measured:
		return st.opening(st.session(), number)
	}
	return st.single(number)
}

// session gives out the next session's number.
func (st *stage) session() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.talks++
	return st.talks
}

// take gives out the next request's number; 0 where nothing is left.
func (st *stage) take() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.stopped(st.r.now()) || st.limit > 0 && st.taken >= st.limit {
		return 0
	}
	st.taken++
	return st.taken
}

// stopped reports whether nothing may be dispatched any more. It looks at the
// run's context: the stage's own also ends when the last request was taken,
// and that one is still to be sent.
func (st *stage) stopped(now record.Offset) bool {
	return st.r.send.Err() != nil || st.deadline > 0 && now >= st.deadline
}

// dispatch puts a request in flight, unless sending has ended since it was
// taken.
func (st *stage) dispatch(e *errand) bool {
	st.mu.Lock()
	now := st.r.now()
	if st.stopped(now) {
		st.mu.Unlock()
		return false
	}
	e.attempt.Dispatched = now
	st.change(now, +1)
	fills := !st.full && st.step.Concurrency > 0 && st.standing(e) == st.step.Concurrency
	st.full = st.full || fills
	if e.keep = st.r.c.SaveAnswers || st.phase == record.Measured && !st.answered && st.keeping < 3; e.keep {
		st.keeping++ // few at a time, until one came: the report shows one a level
	}
	st.mu.Unlock()
	if fills {
		st.edge(record.LevelFull, now)
	}
	return true
}

// standing is what a closed level must have of its concurrency to be full:
// requests in flight or, of users who think between their turns, those who
// have begun.
func (st *stage) standing(e *errand) int {
	if e.talk == nil {
		return st.flying
	}
	if e.talk.turn == 1 {
		st.talking++
	}
	return st.talking
}

// ended takes a request out of flight, by a clock of the engine's own: the
// attempt's end is the wire's, where it got so far. It returns what was
// answered, where a session goes on with it.
func (st *stage) ended(e *errand) (answer string) {
	if answer = e.attempt.Answer; !e.keep {
		e.attempt.Answer = ""
	}
	st.mu.Lock()
	now := st.r.now()
	if e.attempt.End == 0 {
		e.attempt.End = now
	}
	st.change(now, -1)
	switch e.attempt.Outcome.Side() {
	case outcome.Success:
		st.ok++
		st.answered = st.answered || e.keep
	case outcome.Failure:
		st.failed++
	}
	if e.keep {
		st.keeping--
	}
	failing := st.failing()
	st.mu.Unlock()
	if failing {
		st.r.stopWith(ending(record.MaxErrors))
	}
	st.r.spend(e.attempt)
	st.r.rec.put(e.attempt)
	if t := e.attempt.Tokens; st.r.c.MaxTotalTokens > 0 && e.attempt.Outcome == outcome.OK && !(t.Input.Known() && t.Output.Known()) {
		st.r.untold.Do(func() { st.r.note(st.step.Number, text.Msg("run.tokens_not_counted")) })
	}
	return answer
}

// fewest is how many requests must have ended before their failures can end a
// run: the first one that fails is no share.
const fewest = 20

// failing reports whether more requests failed than the plan bears.
func (st *stage) failing() bool {
	most, n := st.r.c.MaxErrorPercent, st.ok+st.failed
	return most > 0 && n >= fewest && float64(st.failed)*100 > most*float64(n)
}

// change moves the count of requests in flight. The integral is the engine's
// own; a report holds it against the records.
func (st *stage) change(now record.Offset, by int) {
	st.held += float64(st.flying) * time.Duration(now-st.changed).Seconds()
	st.changed = now
	st.flying += by
	st.r.inFlight.Add(int64(by))
}

// allOut ends a warm-up's sending when its last request is out, so that the
// drain limit bounds it: its slots don't come back to find nothing left.
func (st *stage) allOut() {
	st.mu.Lock()
	out := st.phase == record.WarmUp && st.taken >= st.limit
	st.mu.Unlock()
	if out {
		st.endSend()
	}
}

// empty notes that a slot found nothing left to send. From here on the stage
// drains.
func (st *stage) empty() {
	st.mu.Lock()
	first := !st.emptied
	st.emptied = true
	now := st.r.now()
	st.mu.Unlock()
	if first {
		st.endSend()
		st.edge(record.LevelEmptied, now)
	}
}

func (st *stage) edge(e record.Event, at record.Offset) {
	if st.phase == record.Measured {
		st.r.rec.put(&record.Level{Event: e, Level: st.step.Number, Round: st.round, At: at})
	}
}
