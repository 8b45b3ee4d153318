package run

import (
	"container/heap"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/load/arrival"
	"tidemark/record"
)

const (
	// lead is the time between an open level's start and the first moment that
	// anything may be due: what is due at once can then still be in time.
	lead = 20 * time.Millisecond
	// ahead is how many requests are made ready before they are due.
	ahead = 128
)

// dispatcher sends the requests of an open-loop level when they are due,
// whatever is in flight. It is one goroutine; another makes requests ready
// before their time, and the pool's slots carry them.
type dispatcher struct {
	st    *stage
	pool  *pool
	alarm alarm
	ready chan *errand  // the schedule's, in order
	found chan struct{} // closed when the schedule's first request was reached
	begun chan struct{} // closed when the level's clock has started
	next  *errand       // the first of these; nil: not looked yet, or none is left

	mu      sync.Mutex
	turns   queue // of sessions, that will be due
	talking int   // sessions that may yet have another turn

	flight        sync.WaitGroup // requests that were given out, be they held
	slots         sync.WaitGroup // the slots' goroutines
	sent, refused atomic.Int64   // requests; refused, as sending had ended
	refusedHeld   atomic.Int64   // the same of those that the cap had held
}

// offer carries an open-loop load. It returns how many requests were due
// before sending ended, how many of these were never dispatched, and how many
// of those the cap had held.
func (st *stage) offer(p *pool, started func()) (due, unsent, held int) {
	d := &dispatcher{st: st, pool: p, alarm: st.r.alarm(), ready: make(chan *errand, ahead),
		found: make(chan struct{}), begun: make(chan struct{})}
	defer d.alarm.close()
	p.rest()
	drained := st.drain()
	overdue := make(chan int, 1)
	go func() { overdue <- d.prepare(st.step.arrivals(st.r.c)) }()
	<-d.found // a slice may lie deep in a long trace
	st.started = st.r.now() + record.Offset(lead)
	close(d.begun)
	st.r.live.phase(st)
	started()
	watched := d.wakeAtEnd()
	d.run()
	st.empty() // also tells the goroutine above
	unsent = <-overdue + d.overdue()
	if st.r.send.Err() != nil {
		held = p.drop()
		d.flight.Add(-held)
	}
	d.flight.Wait()
	p.dismiss()
	d.slots.Wait()
	st.endCut()
	<-drained
	<-watched
	held += int(d.refusedHeld.Load())
	unsent += held + int(d.refused.Load())
	return int(d.sent.Load()) + unsent, unsent, held
}

// wakeAtEnd wakes the dispatcher from its wait when sending ends. The channel
// closes when that is done.
func (d *dispatcher) wakeAtEnd() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-d.st.send.Done()
		d.alarm.wake()
	}()
	return done
}

// run dispatches until nothing is left that is, or may yet become, due.
func (d *dispatcher) run() {
	for d.st.r.send.Err() == nil {
		e, more := d.first()
		switch {
		case !more:
			return
		case e == nil: // only an answer that is awaited can bring more
			d.alarm.wait(time.Time{})
		case d.st.r.now() < e.attempt.Due:
			d.alarm.wait(d.st.r.epoch.Add(time.Duration(e.attempt.Due)))
		default:
			d.take(e)
			d.send(e)
		}
	}
}

// first is the request that is due next; nil while none is known. more is
// false where none is left, nor can come.
func (d *dispatcher) first() (e *errand, more bool) {
	if d.next == nil {
		d.next = <-d.ready
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e = d.next
	if len(d.turns) > 0 && (e == nil || d.turns[0].attempt.Due < e.attempt.Due) {
		e = d.turns[0]
	}
	return e, e != nil || d.talking > 0
}

// take removes the request that first returned. A turn may have come before
// it meanwhile: it is sent next.
func (d *dispatcher) take(e *errand) {
	if e == d.next {
		d.next = nil
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	heap.Remove(&d.turns, d.turns.index(e))
}

// send gives a request to a slot, or leaves it to the pool where the cap is
// reached.
func (d *dispatcher) send(e *errand) {
	if e.talk != nil && e.talk.turn == 1 {
		d.mu.Lock()
		d.talking++
		d.mu.Unlock()
	}
	d.st.r.live.due.Add(1)
	d.flight.Add(1)
	s := d.pool.take(e)
	if s == nil {
		return
	}
	if !d.dispatch(e) {
		d.pool.back(s)
		return
	}
	if s.jobs == nil {
		s.jobs = make(chan *errand, 1)
		d.slots.Go(func() { s.serve(d) })
	}
	s.jobs <- e
}

// dispatch puts a request in flight, unless sending has ended or what is in
// flight was cut: what the cap had held until then is never sent.
func (d *dispatcher) dispatch(e *errand) bool {
	if d.st.cut.Err() == nil && d.st.dispatch(e) {
		d.sent.Add(1)
		return true
	}
	if e.attempt.Held {
		d.refusedHeld.Add(1)
	} else {
		d.refused.Add(1)
	}
	d.flight.Done()
	return false
}

// serve carries what the slot is given, and then what the cap has held back.
func (s *slot) serve(d *dispatcher) {
	for e := range s.jobs {
		for e != nil {
			s.carry(d.st, e)
			d.over(e, d.st.ended(e))
			for e = d.pool.back(s); e != nil && !d.dispatch(e); {
				e = d.pool.back(s)
			}
		}
	}
}

// over takes note that a request has ended. Its session's next turn is due
// when its user has thought.
func (d *dispatcher) over(e *errand, answer string) {
	defer d.flight.Done()
	if e.talk == nil {
		return
	}
	var next *errand
	if e.continues(d.st.step.Turns) && d.st.r.send.Err() == nil {
		next = d.st.turn(e.talk, answer, e.attempt.Number+1)
		next.attempt.Due = e.attempt.End + record.Offset(d.st.r.c.Session.Think)
	}
	d.mu.Lock()
	if next == nil {
		d.talking--
	} else {
		heap.Push(&d.turns, next)
	}
	look := next == nil || d.turns[0] == next
	d.mu.Unlock()
	if look {
		d.alarm.wake()
	}
}

// prepare makes the schedule's requests ready, as far ahead as the channel
// holds. It returns how many that it kept were due when sending ended.
func (d *dispatcher) prepare(s arrival.Schedule) (overdue int) {
	defer close(d.ready)
	reached := sync.OnceFunc(func() { close(d.found) })
	defer reached()
	st, n := d.st, 0
	for r, err := range s.All() {
		reached()
		<-d.begun
		if err != nil {
			st.r.stopWith(ending(record.BadTrace))
			return overdue
		}
		n++
		due := st.started + record.Offset(r.Due)
		if st.r.send.Err() != nil {
			if due > st.r.now() {
				return overdue
			}
			overdue++
			continue
		}
		e := st.scheduled(n, r)
		e.attempt.Due = due
		select {
		case d.ready <- e:
		case <-st.r.send.Done():
			if due <= st.r.now() {
				overdue++
			}
		}
	}
	return overdue
}

// overdue is how many requests were due when sending ended, of those that were
// ready.
func (d *dispatcher) overdue() (n int) {
	now := d.st.r.now()
	count := func(e *errand) {
		if e != nil && e.attempt.Due <= now {
			n++
		}
	}
	count(d.next)
	for e := range d.ready {
		count(e)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.turns {
		count(e)
	}
	return n
}

// queue is the turns of sessions that will be due, the first that is due on top.
type queue []*errand

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].attempt.Due < q[j].attempt.Due }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(e any)        { *q = append(*q, e.(*errand)) }

func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return e
}

// index finds a request: on top, or where one came before it meanwhile, near.
func (q queue) index(e *errand) int {
	for i, have := range q {
		if have == e {
			return i
		}
	}
	return -1
}
