package run

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/record"
	"tidemark/text"
)

// runner is one run under way.
type runner struct {
	c     Config
	epoch time.Time

	send, cut context.Context
	stopWith  func(ending) // ends send
	cutWith   func(ending) // ends both
	release   func()

	rec     *recorder
	live    *live
	helpers sync.WaitGroup // goroutines that end with send

	conns    atomic.Int64 // number of the last connection that was asked for
	inFlight atomic.Int64 // requests, of any phase
	spent    atomic.Int64 // tokens, of any phase
	asked    int          // requests of all stages before this one: what makes nonces unique
	untold   sync.Once    // the note on missing token counts
}

func begin(ctx context.Context, c Config, levels int) *runner {
	r := &runner{c: c, epoch: c.Targets[0].Client.Epoch}
	r.limits(ctx)
	r.spent.Store(c.SpentTokens)
	r.conns.Store(int64(max(c.FirstConn, 1) - 1))
	if c.MaxTotalTokens > 0 && c.SpentTokens >= c.MaxTotalTokens {
		r.stopWith(ending(record.MaxTokens))
	}
	r.heed()
	r.live = newLive(levels, max(c.Rounds, 1))
	r.rec = newRecorder(c.Emit, r.live.count, r.sampler(), func() { r.cutWith(ending(record.DiskFailed)) })
	if c.Watch != nil {
		r.live.show(c.Watch)
	}
	return r
}

// climb visits every level of every round, until sending stops.
func (r *runner) climb(steps []*step) {
	for round := 1; round <= max(r.c.Rounds, 1); round++ {
		visits := steps
		if round > 1 {
			visits = shuffled(steps, r.c.Seed, round)
		}
		for _, s := range visits {
			if r.send.Err() != nil {
				return
			}
			if s.lid > 0 && s.height > s.lid {
				continue
			}
			if round == 1 {
				s.reached = true
				if s.Schedule == nil {
					s.offset = s.next
				}
			}
			r.visit(s, round)
		}
	}
}

// finish waits for all that was started and says why the run ended.
func (r *runner) finish() (record.Reason, error) {
	why := reason(r.send)
	if why == "" {
		why = record.Done
	}
	r.release()
	r.helpers.Wait()
	err := r.rec.close()
	r.live.close()
	if err != nil {
		why = record.DiskFailed
	}
	return why, err
}

// stopClimbing keeps a ladder from going above a level that failed, and
// reports whether it has anything there.
func (r *runner) stopClimbing(s *step, st *stage) bool {
	above := s.top > s.height
	if above && s.lid == 0 {
		r.note(s.Number, text.Msg("run.ladder_stops", st.failed, st.failed+st.ok, s.height))
	}
	s.lid = s.height
	return above
}

// now is the present as a record has it.
func (r *runner) now() record.Offset { return record.Offset(time.Since(r.epoch)) }

func (r *runner) note(level int, m text.Message) {
	n := &record.Note{At: r.now(), Level: level, ID: m.ID}
	for _, a := range m.Args {
		n.Args = append(n.Args, fmt.Sprint(a))
	}
	r.rec.put(n)
}
