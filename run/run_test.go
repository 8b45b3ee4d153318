package run

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

const ms = time.Millisecond

func expect[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// Service times of 100 to 2000 ms, twenty slots, twenty requests.
func TestExactlyWhatWasAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Concurrency, x.c.Requests, x.c.WarmUp = []int{20}, 20, -1
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				stream(w, r, time.Duration(n%20+1)*100*ms, 0, 1)
			}
		})
		expect(t, "reason", x.reason, record.Done)
		expect(t, "arrivals: 20 and 8 warm-ups", len(x.asked), 28)
		expect(t, "connections", x.dialled, 20)
		expect(t, "most in flight", x.most, 20)
		warm, load := x.attempts(1, 1, record.WarmUp), x.attempts(1, 1, record.Measured)
		expect(t, "warm-ups", outcomes(warm), "ok:8")
		expect(t, "load", outcomes(load), "ok:20")
		slots := map[int]bool{}
		for _, a := range append(warm, load...) {
			slots[a.Slot] = true
			if a.Conn < 1 || a.Conn > 20 || a.OpenedInLevel || a.Reused != (a.Phase == record.Measured && a.Slot <= 8) {
				t.Errorf("connection: %+v", a)
			}
		}
		expect(t, "slots", len(slots), 20)
	})
}

// Two slots; the first request takes 1000 ms, the others 100: while it lasts
// the other slot sends ten, each the moment the one before ended.
func TestNoWaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Requests = 14
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				d := 100 * ms
				if n == 1 {
					d = 1000 * ms
				}
				stream(w, r, d, 0, 1)
			}
		})
		last := map[int]record.Offset{}
		for _, r := range x.records {
			a, ok := r.(*record.Attempt)
			if !ok {
				continue
			}
			if before := last[a.Slot]; before != 0 && a.Dispatched != before {
				t.Errorf("request %d left %v after its slot was free", a.Number, time.Duration(a.Dispatched-before))
			}
			last[a.Slot] = a.End
		}
		// At 1000 ms request 1 and ten of the others have ended: three are left, two at a time.
		expect(t, "end", x.at(1, 1, record.LevelEnd), 1200*ms)
		expect(t, "emptied", x.at(1, 1, record.LevelEmptied), 1100*ms)
	})
}

func TestEdges(t *testing.T) {
	for _, c := range []struct {
		name                string
		concurrency         int
		requests            int
		full, emptied, ends time.Duration
	}{
		// Three at a time, 400 ms each: the third turn ends at 1200 ms.
		{"whole turns", 3, 9, 0, 1200 * ms, 1200 * ms},
		// The last turn has one: the others find nothing at 1200 ms.
		{"a tail", 3, 10, 0, 1200 * ms, 1600 * ms},
		// Never full: six slots find nothing at once.
		{"short", 8, 2, -1, 0, 400 * ms},
		{"one less than full", 3, 2, -1, 0, 400 * ms},
		{"one", 1, 2, 0, 800 * ms, 800 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := play(t, func(x *trial) { x.c.Concurrency, x.c.Requests = []int{c.concurrency}, c.requests })
				expect(t, "start", x.at(1, 1, record.LevelStart), 0)
				expect(t, "full", x.at(1, 1, record.LevelFull), c.full)
				expect(t, "emptied", x.at(1, 1, record.LevelEmptied), c.emptied)
				expect(t, "end", x.at(1, 1, record.LevelEnd), c.ends)
				expect(t, "arrivals", len(x.asked), c.requests)
				expect(t, "start record", x.edge(1, 1, record.LevelStart), &record.Level{
					Event: record.LevelStart, Level: 1, Round: 1, At: record.Offset(time.Second), Target: "toy", Workload: "default",
					Load: &record.Load{Kind: "closed", Concurrency: c.concurrency, Requests: c.requests},
				})
				expect(t, "why", x.edge(1, 1, record.LevelEnd).Why, "")
			})
		})
	}
}

// A duration of 10 s, eight slots, 3 s a request: at 9 s the fourth turn
// begins, at 10 s eight are in flight.
func TestDuration(t *testing.T) {
	for _, c := range []struct {
		name     string
		drain    time.Duration
		outcomes string
		ends     time.Duration
	}{
		{"drains", 0, "ok:32", 12 * time.Second},
		{"drains within its limit", 5 * time.Second, "ok:32", 12 * time.Second},
		{"cut at the drain limit", time.Second, "cut_by_run_end:8 ok:24", 11 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := play(t, func(x *trial) {
					x.c.Concurrency, x.c.Duration, x.c.Drain = []int{8}, 10*time.Second, c.drain
					x.answer = takes(3 * time.Second)
				})
				expect(t, "outcomes", outcomes(x.attempts(1, 1, record.Measured)), c.outcomes)
				expect(t, "emptied", x.at(1, 1, record.LevelEmptied), c.ends)
				expect(t, "end", x.at(1, 1, record.LevelEnd), c.ends)
				expect(t, "reason", x.reason, record.Done)
				expect(t, "load", x.edge(1, 1, record.LevelStart).Load, &record.Load{Kind: "closed", Concurrency: 8, DurationS: 10})
			})
		})
	}
}

// The answers take 4 s. Something ends the run at 5 s, with two in flight and
// two done.
func TestEndings(t *testing.T) {
	after := 5 * time.Second
	for _, c := range []struct {
		name     string
		change   func(x *trial, cancel func())
		reason   record.Reason
		outcomes string
		ends     time.Duration
	}{
		{"stop drains", func(x *trial, _ func()) {
			stop := make(chan struct{})
			x.c.Stop = stop
			time.AfterFunc(after, func() { close(stop) })
		}, record.Interrupted, "ok:4", 8 * time.Second},
		{"stop drains to its limit", func(x *trial, _ func()) {
			stop := make(chan struct{})
			x.c.Stop, x.c.Drain = stop, 2*time.Second
			time.AfterFunc(after, func() { close(stop) })
		}, record.Interrupted, "cut_by_run_end:2 ok:2", 7 * time.Second},
		{"the second Ctrl-C cuts", func(x *trial, cancel func()) {
			stop := make(chan struct{})
			x.c.Stop = stop
			time.AfterFunc(after, func() { close(stop) })
			time.AfterFunc(after+time.Second, cancel)
		}, record.Interrupted, "cut_by_run_end:2 ok:2", 6 * time.Second},
		{"the context cuts", func(x *trial, cancel func()) {
			time.AfterFunc(after, cancel)
		}, record.Interrupted, "cut_by_run_end:2 ok:2", after},
		// The epoch is a second before the run.
		{"max time cuts", func(x *trial, _ func()) { x.c.MaxTime = after + time.Second },
			record.MaxTime, "cut_by_run_end:2 ok:2", after},
		// Each answer is 7 + 4 tokens, and 10 were spent before: the second
		// reaches 32.
		{"max tokens drains", func(x *trial, _ func()) { x.c.MaxTotalTokens, x.c.SpentTokens = 31, 10; x.c.Concurrency = []int{1} },
			record.MaxTokens, "ok:2", 8 * time.Second},
		{"tokens spent before", func(x *trial, _ func()) { x.c.MaxTotalTokens, x.c.SpentTokens = 10, 10 },
			record.MaxTokens, "", 0},
		{"stopped before it began", func(x *trial, _ func()) {
			stop := make(chan struct{})
			close(stop)
			x.c.Stop = stop
		}, record.Interrupted, "", 0},
		{"stopped while it drains to its own limit", func(x *trial, _ func()) { x.c.Requests = 3; x.c.Drain = time.Second },
			record.Done, "cut_by_run_end:1 ok:2", 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				x := playIn(t, ctx, func(x *trial) {
					x.c.Requests = 20
					x.answer = takes(4 * time.Second)
					c.change(x, cancel)
				})
				expect(t, "reason", x.reason, c.reason)
				expect(t, "outcomes", outcomes(x.attempts(1, 1, record.Measured)), c.outcomes)
				expect(t, "end of the run", x.ended, c.ends)
				if c.outcomes == "" {
					expect(t, "arrivals", len(x.asked), 0)
					return
				}
				why := string(c.reason)
				if c.reason == record.Done {
					why = ""
				}
				expect(t, "why the level ended", x.edge(1, 1, record.LevelEnd).Why, why)
			})
		})
	}
}

// What ends a run in a warm-up leaves the level without a start.
func TestStopInWarmUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		x := play(t, func(x *trial) {
			x.c.WarmUp, x.c.Stop = 5, stop // two slots: three turns of 400 ms
			time.AfterFunc(500*ms, func() { close(stop) })
		})
		expect(t, "reason", x.reason, record.Interrupted)
		expect(t, "warm-ups", outcomes(x.attempts(1, 1, record.WarmUp)), "ok:4")
		expect(t, "arrivals", len(x.asked), 4)
		expect(t, "start", x.at(1, 1, record.LevelStart), -1)
		expect(t, "end of the run", x.ended, 800*ms)
	})
}

// A warm-up is dealt out: each connection gets its own, however quick.
func TestWarmUpReachesEachConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) { x.c.Concurrency, x.c.WarmUp, x.c.Requests = []int{4}, 6, 4 })
		turns := map[int]int{}
		for _, a := range x.attempts(1, 1, record.WarmUp) {
			turns[a.Slot]++
		}
		expect(t, "warm-ups by slot", turns, map[int]int{1: 2, 2: 2, 3: 1, 4: 1})
		expect(t, "start", x.at(1, 1, record.LevelStart), 800*ms)
	})
}

func TestFailedWarmUpIsNotFatal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.WarmUp, x.c.Requests = 2, 4
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				if n <= 2 {
					http.Error(w, `{"error":{"message":"busy"}}`, http.StatusServiceUnavailable)
					return
				}
				takes(400*ms)(n, w, r)
			}
		})
		expect(t, "reason", x.reason, record.Done)
		expect(t, "load", outcomes(x.attempts(1, 1, record.Measured)), "ok:4")
		if got := outcomes(x.attempts(1, 1, record.WarmUp)); got == "ok:2" {
			t.Error("the warm-up did not fail")
		}
	})
}

func TestLadderStops(t *testing.T) {
	refuse := func(from int) func(int, http.ResponseWriter, *http.Request) {
		return func(n int, w http.ResponseWriter, r *http.Request) {
			if n > from {
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			takes(400*ms)(n, w, r)
		}
	}
	for _, c := range []struct {
		name    string
		fine    int // arrivals that are answered
		keep    bool
		reached []int
		why     string // of the second level
		notes   []string
	}{
		// Each level has 10 requests.
		{"half failed", 15, false, []int{1, 2, 3}, "", nil},
		{"more than half failed", 14, false, []int{1, 2}, "failing", []string{"run.ladder_stops 6 10 2"}},
		{"told to go on", 14, true, []int{1, 2, 3}, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := play(t, func(x *trial) {
					x.c.Concurrency, x.c.Requests, x.c.KeepClimbing, x.c.Rounds = []int{1, 2, 4}, 10, c.keep, 2
					x.answer = refuse(c.fine)
				})
				var first, second []int
				for level := 1; level <= 3; level++ {
					if x.edge(level, 1, record.LevelStart) != nil {
						first = append(first, level)
					}
					if x.edge(level, 2, record.LevelStart) != nil {
						second = append(second, level)
					}
				}
				expect(t, "reached", first, c.reached)
				expect(t, "second round", second, c.reached)
				expect(t, "why", x.edge(2, 1, record.LevelEnd).Why, c.why)
				expect(t, "notes", x.notes(), c.notes)
				expect(t, "reason", x.reason, record.Done)
			})
		})
	}
}

// A ladder that stops leaves the others alone, and lower levels of its own.
func TestOtherLaddersGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Prompts = &prompt.Set{Groups: []prompt.Group{prompts("a", 2), prompts("b", 2)}}
			x.c.Concurrency, x.c.Requests = []int{2, 4, 1}, 4
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				if n <= 4 {
					w.WriteHeader(500)
					return
				}
				takes(400*ms)(n, w, r)
			}
		})
		var visited []string
		for _, r := range x.records {
			if l, ok := r.(*record.Level); ok && l.Event == record.LevelStart {
				visited = append(visited, fmt.Sprint(l.Level, l.Workload, l.Load.Concurrency))
			}
		}
		expect(t, "levels", visited, []string{"1a2", "3a1", "4b2", "5b4", "6b1"})
	})
}

// The endpoint is gone: each try is an attempt, and there are few of them.
func TestDeadEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Concurrency, x.c.Duration = []int{1, 8}, 10*time.Second
			x.down = func(int) error { return errDown }
		})
		all := x.attempts(1, 1, record.Measured)
		// Waits of 50, 100, 200, 400, 800 ms, then 1 s each: tries at 0, 50,
		// 150, 350, 750, 1550, 2550 … 9550 ms.
		expect(t, "outcomes", outcomes(all), "connect:14")
		expect(t, "the last try", time.Duration(all[13].Dispatched)-time.Second, 9550*ms)
		expect(t, "reason", x.reason, record.Done)
		expect(t, "why", x.edge(1, 1, record.LevelEnd).Why, "failing")
		expect(t, "notes", x.notes(), []string{"run.ladder_stops 14 14 1"})
		if x.at(2, 1, record.LevelStart) != -1 {
			t.Error("the ladder went on")
		}
		for _, a := range all {
			if a.Message == "" || a.Conn == 0 || a.OpenedInLevel || a.Sent != 0 {
				t.Errorf("%+v", a)
			}
		}
	})
}

// A dial that hangs is cut with the run, and is no failure of the endpoint.
func TestCutWhileOpening(t *testing.T) {
	for _, c := range []struct {
		name     string
		hangs    int // from this dial on
		outcomes string
	}{
		{"before the level", 1, ""},
		{"inside the level", 2, "cut_by_run_end:1 ok:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				x := playIn(t, ctx, func(x *trial) {
					x.c.Concurrency = []int{1}
					x.hang = func(n int) bool { return n >= c.hangs }
					x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
						w.Header().Set("Connection", "close")
						takes(400*ms)(n, w, r)
					}
					time.AfterFunc(time.Second, cancel)
				})
				expect(t, "reason", x.reason, record.Interrupted)
				expect(t, "outcomes", outcomes(x.attempts(1, 1, record.Measured)), c.outcomes)
				expect(t, "end", x.ended, time.Second)
			})
		})
	}
}

// speechless is an API that has no words for what is asked.
type speechless struct{ dialect.Dialect }

func (speechless) Encode(prompt.Request) (dialect.Call, error) {
	return dialect.Call{}, errors.New("no words for this")
}

// What can't be encoded is an attempt that is nobody's failure but ours.
func TestNoWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Requests = 4
			x.c.Targets[0].Dialect = speechless{x.c.Targets[0].Dialect}
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "outcomes", outcomes(all), "client_resource:4")
		expect(t, "message", all[0].Message, "no words for this")
		expect(t, "arrivals", len(x.asked), 0)
		expect(t, "why", x.edge(1, 1, record.LevelEnd).Why, "")
	})
}

// The preflight's connections have the first numbers.
func TestFirstConn(t *testing.T) {
	for first, want := range map[int]int{0: 1, 1: 1, 4: 4} {
		synctest.Test(t, func(t *testing.T) {
			x := play(t, func(x *trial) { x.c.Concurrency, x.c.Requests, x.c.FirstConn = []int{1}, 1, first })
			expect(t, "connection", x.attempts(1, 1, record.Measured)[0].Conn, want)
		})
	}
}

// A slot is free when its answer's body has ended, and 100 ms after the
// sentinel where it doesn't end.
func TestWhenASlotIsFree(t *testing.T) {
	for _, c := range []struct {
		name   string
		linger time.Duration
		free   time.Duration // after the sentinel
	}{
		{"at the last chunk", 0, 0},
		{"at a last chunk that is late", 60 * ms, 60 * ms},
		{"before a body's end that does not come", time.Second, 100 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := play(t, func(x *trial) {
					x.c.Concurrency, x.c.Requests = []int{1}, 2
					x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
						takes(400*ms)(n, w, r)
						select {
						case <-time.After(c.linger):
						case <-r.Context().Done():
						}
					}
				})
				all := x.attempts(1, 1, record.Measured)
				expect(t, "outcomes", outcomes(all), "ok:2")
				expect(t, "free", time.Duration(all[1].Dispatched-all[0].Terminal), c.free)
				expect(t, "end", all[0].End, all[1].Dispatched)
				expect(t, "connections", x.dialled > 1, c.linger >= 100*ms)
			})
		})
	}
}

// The end that the wire gave stands; what never got so far ends when its slot
// says so.
func TestWhoSaysTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &runner{epoch: time.Now().Add(-time.Second), send: t.Context(), cut: t.Context()}
		r.rec = newRecorder(func(record.Record) error { return nil }, func(*record.Attempt) {}, func() *record.Sample { return nil }, func() {})
		st := r.stage(&step{Level: Level{Concurrency: 1}}, 1, record.Measured)
		for end, want := range map[record.Offset]record.Offset{7: 7, 0: record.Offset(time.Second)} {
			a := &record.Attempt{Clocks: record.Clocks{Dispatched: 5, End: end}}
			st.ended(&errand{attempt: a})
			expect(t, "end", a.End, want)
		}
		expect(t, "closing", r.rec.close(), nil)
	})
}

func TestNothingToDo(t *testing.T) {
	why, err := Run(context.Background(), Config{})
	expect(t, "reason", why, record.Done)
	if err != nil {
		t.Error(err)
	}
}

// The server closes each connection after its answer, and doesn't say so.
// Whether the close is seen before the next send is a race; that it is not
// taken for the server's failure, that all goes on, and that no more than the
// requests in flight are lost before each gets a connection of its own, is not.
func TestClosedWithoutAWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Requests = 10
			x.answer = func(_ int, w http.ResponseWriter, _ *http.Request) {
				c, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				for _, piece := range canned(4) {
					c.Write(piece)
				}
				c.Close()
			}
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "requests", len(all), 10)
		sent := 0
		for _, a := range all {
			switch a.Outcome {
			case outcome.OK:
				sent++
			case outcome.StaleConnection:
			default:
				t.Errorf("%+v", a)
			}
		}
		expect(t, "arrivals", len(x.asked), sent)
		expect(t, "why", x.edge(1, 1, record.LevelEnd).Why, "")
		if lost := len(all) - sent; lost > 2 {
			t.Errorf("%d requests were lost at concurrency 2", lost)
		}
	})
}

// Where it is known that the server closes, nothing is lost.
func TestKnownToClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Requests = 10
			x.c.Targets[0].Closes = true
			x.answer = func(_ int, w http.ResponseWriter, _ *http.Request) {
				c, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				for _, piece := range canned(4) {
					c.Write(piece)
				}
				time.Sleep(ms) // the close comes just behind the answer
				c.Close()
			}
		})
		expect(t, "outcomes", outcomes(x.attempts(1, 1, record.Measured)), "ok:10")
		expect(t, "connections", x.dialled, 10)
		time.Sleep(2 * ms) // for the last close
	})
}

// The server closes each connection after its answer, and says so.
func TestReopensInsideTheLevel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Requests = 6
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Connection", "close")
				takes(400*ms)(n, w, r)
			}
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "outcomes", outcomes(all), "ok:6")
		expect(t, "connections", x.dialled, 6)
		conns := map[int]bool{}
		for _, a := range all {
			conns[a.Conn] = true
			if a.Reused || a.OpenedInLevel != (a.Number > 2) || a.Connected == 0 {
				t.Errorf("%+v", a)
			}
		}
		expect(t, "numbers", len(conns), 6)
	})
}

// The warm-up of the first slot takes 6 s; the server closes after 5 s what
// never asked anything. The second slot's connection is opened anew before
// the level starts.
func TestLooksAgainAfterWarmUp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a connection can't be looked at there without reading")
	}
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.WarmUp, x.c.Requests = 1, 2
			x.answer = takes(6 * time.Second)
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "outcomes", outcomes(all), "ok:2")
		expect(t, "connections", x.dialled, 3)
		for _, a := range all {
			expect(t, "opened inside", a.OpenedInLevel, false)
			expect(t, "a new connection", a.Conn == 3, a.Slot == 2)
			expect(t, "reused", a.Reused, a.Slot == 1)
		}
	})
}

// A larger level goes on in the order where a smaller ended; a later round
// asks the same again, under other nonces.
func TestPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Concurrency, x.c.Requests, x.c.WarmUp, x.c.Rounds = []int{1, 2, 3}, 5, 2, 3
			other := x.c.Targets[0]
			other.Name = "other"
			x.c.Targets = append(x.c.Targets, other)
		})
		order := x.c.Prompts.Groups[0].Order(1)
		for round := 1; round <= 3; round++ {
			for level := 1; level <= 6; level++ {
				from := (level - 1) % 3 * 5 // both targets are asked the same
				for i, a := range x.attempts(level, round, record.Measured) {
					expect(t, "prompt", a.Prompt, order.At(from+i).ID)
				}
				for i, a := range x.attempts(level, round, record.WarmUp) {
					expect(t, "warm-up's prompt", a.Prompt, order.At((from-1-i+7)%7).ID)
				}
			}
		}
		expect(t, "arrivals", len(x.asked), 3*6*7)
		fronts := map[string]bool{}
		for _, text := range x.asked {
			fronts[text[:len("[k3f9q2ab7c] ")]] = true
		}
		expect(t, "nonces", len(fronts), 3*6*7)
		var second []int
		for _, r := range x.records {
			if l, ok := r.(*record.Level); ok && l.Event == record.LevelStart && l.Round == 2 {
				second = append(second, l.Level)
			}
		}
		if cmp.Equal(second, []int{1, 2, 3, 4, 5, 6}) {
			t.Error("the second round is not shuffled")
		}
	})
}

func TestEmitError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full := errors.New("no space left on device")
		attempts, after := 0, 0
		x := play(t, func(x *trial) {
			x.c.Requests = 20
			x.c.Emit = func(r record.Record) error {
				if attempts == 3 {
					after++
				}
				if _, ok := r.(*record.Attempt); ok {
					attempts++
				}
				if attempts == 3 {
					return full
				}
				return nil
			}
		})
		expect(t, "reason", x.reason, record.DiskFailed)
		if !errors.Is(x.err, full) {
			t.Error(x.err)
		}
		expect(t, "records after the error", after, 0)
		// The third ends at 800 ms, and the run with it.
		expect(t, "end", x.ended, 800*ms)
	})
}

// A server that accepts and never says a word ends by the plan's limits.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Requests = 4
			x.answer = func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		})
		expect(t, "outcomes", outcomes(x.attempts(1, 1, record.Measured)), "ttft_timeout:4")
		expect(t, "end", x.ended, 40*time.Second)
		expect(t, "why", x.edge(1, 1, record.LevelEnd).Why, "") // nothing was left out
	})
}

func TestSamples(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) { x.c.Requests = 6 }) // 1200 ms
		var at []time.Duration
		for _, r := range x.records {
			if s, ok := r.(*record.Sample); ok {
				at = append(at, time.Duration(s.At)-time.Second)
				expect(t, "in flight", s.InFlight, 2)
				expect(t, "level", s.Level, 1)
			}
		}
		expect(t, "samples", at, []time.Duration{250 * ms, 500 * ms, 750 * ms, 1000 * ms})
	})
}

// Two slots, each 8 tokens in 360 ms: 44.4 tokens a second.
func TestSnapshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []Snapshot
		x := play(t, func(x *trial) {
			x.c.Concurrency, x.c.Requests, x.c.WarmUp = []int{2, 1}, 20, 2
			x.c.Watch = func(s Snapshot) { seen = append(seen, s) }
			x.answer = func(_ int, w http.ResponseWriter, r *http.Request) { stream(w, r, 45*ms, 45*ms, 8) }
		})
		expect(t, "reason", x.reason, record.Done)
		var last []Snapshot
		for i, s := range seen {
			if s.Over {
				last = append(last, s)
			}
			if i > 0 && s.Level < seen[i-1].Level {
				t.Error("snapshots out of order")
			}
		}
		if len(last) != 2 {
			t.Fatalf("%d levels were over", len(last))
		}
		got := last[0]
		if got.TTFTp50 < 44*ms || got.TTFTp50 > 46*ms {
			t.Error("TTFT", got.TTFTp50)
		}
		got.TTFTp50, got.TokensPerS = 0, 0
		expect(t, "last of the first level", got, Snapshot{
			Target: "toy", Workload: "default", Level: 1, Levels: 2, Round: 1, Rounds: 1, Concurrency: 2,
			Phase: record.Measured, Done: 20, Total: 20, Elapsed: 3600 * ms, Over: true,
		})
		for _, s := range seen {
			if s.Level != 1 || s.Phase != record.Measured || s.Elapsed < time.Second || s.Over {
				continue
			}
			// A window of a second may hold one frame more or less of each slot.
			if s.TokensPerS < 41 || s.TokensPerS > 48 || s.InFlight != 2 || s.Left <= 0 || s.Left > 5*time.Second {
				t.Errorf("%+v", s)
			}
		}
	})
}

// Frames in flight count as many tokens as frames held so far.
func TestLiveSpeed(t *testing.T) {
	l := newLive(1, 1)
	l.now.Phase = record.Measured
	began := time.Now()
	expect(t, "nothing yet", l.speed(point{at: began}), 0)
	// 10 frames a second, one token each while nothing is known.
	expect(t, "unknown", l.speed(point{at: began.Add(time.Second), frames: 10}), 10)
	// One ended and told of 30 tokens in 10 frames. Another brought 5.
	l.count(&record.Attempt{Phase: record.Measured, Outcome: outcome.OK, Frames: record.Frames{Output: 10},
		Tokens: record.Tokens{Output: record.Count{N: 30, Source: record.FromUsage}}})
	expect(t, "told", l.speed(point{at: began.Add(1500 * ms), tokens: l.tokens, frames: 5}), 45/1.5)
	// One that told nothing is taken for as much: 4 frames are 12 tokens.
	l.count(&record.Attempt{Phase: record.Measured, Outcome: outcome.OK, Frames: record.Frames{Output: 4}})
	expect(t, "untold", l.tokens, 42)
	expect(t, "set right", l.speed(point{at: began.Add(2 * time.Second)}), 0)
}

// One answer a level is kept, more where asked for; a failed one is no sample.
func TestAnswers(t *testing.T) {
	for _, save := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			x := play(t, func(x *trial) {
				x.c.Concurrency, x.c.Requests, x.c.SaveAnswers = []int{8}, 24, save
				x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
					if n <= 8 {
						w.WriteHeader(500)
						return
					}
					takes(400*ms)(n, w, r)
				}
			})
			kept := 0
			for _, a := range x.attempts(1, 1, record.Measured) {
				if a.Answer != "" {
					expect(t, "answer", a.Answer, "alalalal")
					kept++
				}
			}
			expect(t, "kept", kept, map[bool]int{false: 3, true: 16}[save])
		})
	}
}

func TestUncountedTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.MaxTotalTokens, x.c.Requests = 1000, 4
			x.answer = func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, `data: {"choices":[{"delta":{"content":"al"},"finish_reason":"stop"}]}`, "\n\ndata: [DONE]\n\n")
			}
		})
		expect(t, "outcomes", outcomes(x.attempts(1, 1, record.Measured)), "ok:4")
		expect(t, "notes", x.notes(), []string{"run.tokens_not_counted "})
	})
}

// Whatever the plan and however the answers take their time, each request is
// sent once and no more are in flight than were asked.
func TestAnyPlan(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ladder := rapid.SliceOfN(rapid.IntRange(1, 12), 1, 3).Draw(rt, "ladder")
		requests := rapid.IntRange(0, 40).Draw(rt, "requests")
		warm := rapid.IntRange(-1, 10).Draw(rt, "warm-up")
		rounds := rapid.IntRange(1, 3).Draw(rt, "rounds")
		took := rapid.SliceOfN(rapid.IntRange(0, 50), 1, 20).Draw(rt, "took")
		closes := rapid.IntRange(2, 20).Draw(rt, "closes every")
		synctest.Test(t, func(t *testing.T) {
			x := play(t, func(x *trial) {
				x.c.Concurrency, x.c.Requests, x.c.WarmUp, x.c.Rounds = ladder, requests, warm, rounds
				x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
					if n%closes == 0 {
						w.Header().Set("Connection", "close")
					}
					stream(w, r, time.Duration(took[n%len(took)])*ms, ms, 2)
				}
			})
			want := 0
			levels, err := Levels(x.c)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range levels {
				want += l.Requests + l.WarmUp
			}
			expect(t, "arrivals", len(x.asked), want*rounds)
			for _, r := range x.records {
				if a, ok := r.(*record.Attempt); ok && a.Outcome != outcome.OK {
					t.Errorf("%+v", a)
				}
			}
			if x.most > slices.Max(ladder) {
				t.Errorf("%d in flight for %v", x.most, ladder)
			}
		})
	})
}
