package run

import (
	"context"
	"sync"
	"sync/atomic"

	"tidemark/record"
)

// dials is how many connections are opened, or closed, at the same time: a
// thousand handshakes at once would load the endpoint before the level does.
const dials = 64

// visit carries one level once: connections, warm-up, load. A run that ends
// before the load leaves the level without a start.
func (r *runner) visit(s *step, round int) {
	p := &pool{r: r, client: s.parts[0].target.Client, most: r.c.MaxInFlight}
	if p.grow(s.Concurrency); s.Schedule != nil {
		p.grow(min(s.WarmUp, openWarm))
	}
	defer p.close()
	r.live.begin(s, round, p)
	defer r.over()

	r.open(p.slots())
	if s.WarmUp > 0 {
		st := r.stage(s, round, record.WarmUp)
		st.limit = s.WarmUp
		st.run(p.slots(), func() {})
		r.asked += st.taken
		if s.Schedule != nil {
			p.grow(min(s.likely(st), mostOpened))
		}
	}
	r.open(p.slots())
	if r.send.Err() != nil {
		return
	}
	st := r.stage(s, round, record.Measured)
	r.measure(st, p)
	r.asked += st.taken
	if round == 1 && s.Schedule == nil {
		s.next = s.offset + st.taken
	}
}

// measure carries the load between the level's start and its end.
func (r *runner) measure(st *stage, p *pool) {
	s := st.step
	load := s.load(r.c)
	started := func() {
		r.rec.put(&record.Level{Event: record.LevelStart, Level: s.Number, Round: st.round, At: st.started,
			Target: s.Target, Workload: s.Workload, Load: load})
	}
	end := &record.Level{Event: record.LevelEnd, Level: s.Number, Round: st.round}
	if s.Schedule == nil {
		st.limit = s.Requests
		st.run(p.slots(), started)
	} else {
		end.Due, end.Unsent, end.Held = st.offer(p, started)
	}
	end.At, end.Why, end.InFlightS = r.now(), string(reason(r.send)), st.held
	if st.failed > st.ok && end.Why == "" && !r.c.KeepClimbing && st.round == 1 && r.stopClimbing(s, st) {
		end.Why = string(record.Climbing)
	}
	r.rec.put(end)
}

// over waits until all of a level is recorded, so that no level's recording
// disturbs the next, and shows its last snapshot.
func (r *runner) over() {
	r.rec.flush()
	r.live.over()
}

// open gives each slot a connection that can carry a request. One that can't
// be opened is left to its slot, which tries again with its next request and
// records what happens; where as many failed as are opened at once, so are
// the rest, since a dead endpoint would take a full timeout for each.
func (r *runner) open(slots []*slot) {
	var failed atomic.Int64
	paced(len(slots), func(i int) {
		if slots[i].ready() || failed.Load() >= dials || r.send.Err() != nil {
			return
		}
		if _, err := slots[i].open(r.send); err != nil {
			failed.Add(1)
		}
	})
}

// paced does something n times, a bounded number of them at once.
func paced(n int, do func(int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, dials) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	workers.Wait()
}

// stage prepares one phase of a level.
func (r *runner) stage(s *step, round int, phase record.Phase) *stage {
	st := &stage{r: r, step: s, round: round, phase: phase, sessions: names{}}
	cut, endCut := context.WithCancel(r.cut)
	send, endSend := context.WithCancel(r.send)
	st.send, st.cut, st.endSend, st.endCut = send, cut, endSend, endCut
	return st
}
