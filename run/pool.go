package run

import (
	"math"
	"slices"
	"sync"

	"tidemark/wire"
)

const (
	// openWarm is how many connections an open loop's warm-up uses at most.
	openWarm = 8
	// mostOpened bounds the connections that an open loop opens before its
	// load; more are opened as they are needed, and counted.
	mostOpened = 4096
)

// pool is the senders of one level. A closed loop has as many as it asks
// for; an open loop takes an idle one for each request that is due, or makes
// another.
type pool struct {
	r      *runner
	client *wire.Client
	most   int // in flight; 0: no cap

	mu   sync.Mutex
	all  []*slot
	idle []*slot   // the one used last is taken first: its connection is warm
	held []*errand // what the cap keeps back, in order
}

// grow makes slots until there are n.
func (p *pool) grow(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.most > 0 {
		n = min(n, max(p.most, len(p.all)))
	}
	for len(p.all) < n {
		p.add()
	}
}

func (p *pool) add() *slot {
	s := &slot{r: p.r, client: p.client, number: len(p.all) + 1}
	p.all = append(p.all, s)
	return s
}

// slots is all there are.
func (p *pool) slots() []*slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all[:len(p.all):len(p.all)]
}

// take gives a slot that is idle, or a new one; nil where the cap is reached:
// then the request waits in the pool for a slot that comes back.
func (p *pool) take(e *errand) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		s := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return s
	}
	if p.most > 0 && len(p.all) >= p.most {
		e.attempt.Held = true
		p.held = append(p.held, e)
		return nil
	}
	return p.add()
}

// back returns a slot, or gives it a request that waited; nil: none did.
func (p *pool) back(s *slot) *errand {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.held) > 0 {
		e := p.held[0]
		p.held = p.held[1:]
		return e
	}
	p.idle = append(p.idle, s)
	return nil
}

// rest makes all slots idle, the first on top.
func (p *pool) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = p.idle[:0]
	for _, s := range slices.Backward(p.all) {
		p.idle = append(p.idle, s)
	}
}

// dismiss ends the slots' goroutines, when no request is given out any more.
func (p *pool) dismiss() {
	for _, s := range p.slots() {
		if s.jobs != nil {
			close(s.jobs)
			s.jobs = nil
		}
	}
}

// drop gives up what waits, and says how much that was.
func (p *pool) drop() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.held)
	p.held = nil
	return n
}

// close closes all connections.
func (p *pool) close() {
	all := p.slots()
	paced(len(all), func(i int) { all[i].close() })
}

// likely is how many requests an open loop will have in flight at its height,
// judged by how long its warm-up's took, with room for what comes in bursts.
func (s *step) likely(warm *stage) int {
	if warm.ok == 0 {
		return openWarm
	}
	each := warm.held / float64(warm.ok+warm.failed)
	most := 0
	for _, n := range s.Bins {
		most = max(most, n)
	}
	span := s.Duration.Seconds() / float64(max(len(s.Bins), 1))
	if most == 0 || span <= 0 {
		return openWarm
	}
	n := float64(most) / span * each
	return int(math.Ceil(n+3*math.Sqrt(n))) + openWarm
}
