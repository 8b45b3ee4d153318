package run

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/load/arrival"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire"
)

// offers makes a plain plan an open loop of constant arrivals.
func (x *trial) offers(rate float64, n int) {
	x.c.Concurrency, x.c.WarmUp = nil, 0
	pace := arrival.Pace{Segments: []arrival.Segment{{From: rate, To: rate}}, Text: fmt.Sprint(rate)}
	x.c.Offers = append(x.c.Offers, Offer{Paced: arrival.Paced{Law: arrival.Constant, Pace: pace, Seed: 1, Requests: n}})
}

// Answers take 400 ms and leave at 10 a second: four are in flight, each
// leaves the moment it is due.
func TestLeavesWhenDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) { x.offers(10, 50) })
		all := x.attempts(1, 1, record.Measured)
		expect(t, "load", outcomes(all), "ok:50")
		start := x.edge(1, 1, record.LevelStart)
		for i, a := range all {
			expect(t, "due", a.Due-start.At, record.Offset(i)*record.Offset(100*ms))
			if a.Dispatched != a.Due || a.Sent != a.Due {
				t.Errorf("request %d: due %v, dispatched %v, sent %v", i+1, a.Due, a.Dispatched, a.Sent)
			}
		}
		if x.most < 4 || x.most > 5 { // one ends at the moment that another is due
			t.Error(x.most, "in flight")
		}
		end := x.edge(1, 1, record.LevelEnd)
		expect(t, "due in all", end.Due, 50)
		expect(t, "unsent", end.Unsent, 0)
		l := start.Load
		expect(t, "kind", l.Kind, record.Open)
		expect(t, "schedule", l.Schedule.Requests, 50)
	})
}

// The endpoint stalls for 5 s: whoever was due meanwhile waited, and was sent
// all the same.
func TestAStallIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stall atomic.Int64 // until when, in nanoseconds since 1970
		x := play(t, func(x *trial) {
			x.offers(10, 100)
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				if n == 21 {
					stall.Store(time.Now().Add(5 * time.Second).UnixNano())
				}
				time.Sleep(time.Until(time.Unix(0, stall.Load())))
				stream(w, r, 50*ms, 0, 1)
			}
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "load", outcomes(all), "ok:100")
		waited := 0
		for i, a := range all {
			expect(t, "sent when due", a.Sent, a.Due)
			want := 50 * ms
			if i >= 20 && i < 70 {
				want += 5*time.Second - time.Duration(i-20)*100*ms
				waited++
			}
			expect(t, fmt.Sprint("TTFT of ", i+1), time.Duration(a.FirstOut-a.Due), want)
		}
		expect(t, "requests that waited", waited, 50)
	})
}

// A cap of two, answers of 400 ms, ten due a second: what it holds back is
// sent when a slot is free, and says so.
func TestTheCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(10, 20)
			x.c.MaxInFlight = 2
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "load", outcomes(all), "ok:20")
		expect(t, "most in flight", x.most, 2)
		held := 0
		for i, a := range all {
			if a.Held {
				held++
			}
			// Two every 400 ms.
			expect(t, "dispatched", a.Dispatched-all[0].Due, record.Offset(i/2)*record.Offset(400*ms)+record.Offset(i%2)*record.Offset(100*ms))
		}
		expect(t, "held", held, 18)
		expect(t, "unsent", x.edge(1, 1, record.LevelEnd).Unsent, 0)
	})
}

// What the cap still holds when the drain limit cuts the rest was never sent.
func TestTheCapAndTheDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(10, 20)
			x.c.MaxInFlight, x.c.Drain = 2, time.Second
			x.answer = func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		})
		expect(t, "load", outcomes(x.attempts(1, 1, record.Measured)), "cut_by_run_end:2")
		end := x.edge(1, 1, record.LevelEnd)
		expect(t, "due", end.Due, 20)
		expect(t, "unsent", end.Unsent, 18)
		expect(t, "held of these", end.Held, 18)
	})
}

// The drain limit bounds a warm-up that nobody answers, too.
func TestAWarmUpIsDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(10, 20)
			x.c.WarmUp, x.c.Drain = 8, time.Second
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				if n <= 8 {
					<-r.Context().Done()
					return
				}
				takes(100*ms)(n, w, r)
			}
		})
		expect(t, "warm-up", outcomes(x.attempts(1, 1, record.WarmUp)), "cut_by_run_end:8")
		expect(t, "load", outcomes(x.attempts(1, 1, record.Measured)), "ok:20")
		if x.ended > 5*time.Second {
			t.Error("it took", x.ended)
		}
	})
}

// A run that is stopped says how many were due and never sent.
func TestStopInAnOpenLoop(t *testing.T) {
	for _, limit := range []int{0, 2} {
		synctest.Test(t, func(t *testing.T) {
			stop := make(chan struct{})
			x := play(t, func(x *trial) {
				x.offers(10, 100)
				x.c.MaxInFlight, x.c.Stop = limit, stop
				time.AfterFunc(lead+2050*ms, func() { close(stop) })
			})
			expect(t, "reason", x.reason, record.Interrupted)
			end := x.edge(1, 1, record.LevelEnd)
			expect(t, "due", end.Due, 21)
			expect(t, "unsent", end.Unsent, end.Due-len(x.attempts(1, 1, record.Measured)))
			if limit == 0 {
				expect(t, "unsent", end.Unsent, 0)
			}
		})
	}
}

// Sessions arrive every second; their three turns take 400 ms each, with a
// second between. Each carries the answers before it.
func TestOpenSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(1, 4)
			x.c.Session = Session{Turns: 3, Think: time.Second}
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "load", outcomes(all), "ok:12")
		first := all[0].Due
		for _, a := range all {
			want := record.Offset(a.Session-1)*record.Offset(time.Second) + record.Offset(a.Turn-1)*record.Offset(1400*ms)
			expect(t, fmt.Sprint("due of turn ", a.Session, a.Turn), a.Due-first, want)
			expect(t, "dispatched", a.Dispatched, a.Due)
			if a.Answer != "" && a.Number > 3 {
				t.Error("an answer is kept that nobody asked for", a.Number)
			}
		}
		turns := map[int]int{}
		for _, roles := range x.roles {
			turn := strings.Count(roles, "user")
			expect(t, "answers carried", strings.Count(roles, "user assistant user"), turn/2)
			turns[turn]++
		}
		expect(t, "requests by turn", turns, map[int]int{1: 4, 2: 4, 3: 4})
		expect(t, "due", x.edge(1, 1, record.LevelEnd).Due, 12)
	})
}

// Three users hold two sessions each of two turns and think 500 ms between.
func TestClosedSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.c.Concurrency, x.c.Users, x.c.Requests = nil, []int{3}, 12
			x.c.Session = Session{Turns: 2, Think: 500 * ms}
		})
		all := x.attempts(1, 1, record.Measured)
		expect(t, "load", outcomes(all), "ok:12")
		full := x.edge(1, 1, record.LevelFull)
		expect(t, "full", full.At, x.edge(1, 1, record.LevelStart).At)
		ends := map[int]record.Offset{}
		for _, a := range all {
			if a.Turn == 2 {
				expect(t, "thought", a.Sent-ends[a.Session], record.Offset(500*ms))
			}
			ends[a.Session] = a.End
		}
		expect(t, "sessions", len(ends), 6)
	})
}

// A session ends with a turn that failed.
func TestASessionEndsWithAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(1, 2)
			x.c.Session = Session{Turns: 3}
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				if n == 2 {
					http.Error(w, "no", http.StatusServiceUnavailable)
					return
				}
				takes(100*ms)(n, w, r)
			}
		})
		expect(t, "load", len(x.attempts(1, 1, record.Measured)), 2+3)
	})
}

// Of a mix of two groups in the ratio 3 to 1, each request is of one, and both
// share the level.
func TestMix(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(100, 400)
			x.c.Prompts.Groups = append(x.c.Prompts.Groups[:0:0], prompts("short", 5), prompts("long", 5))
			x.c.Mix = []record.Share{{Target: "toy", Workload: "short", Weight: 3}, {Target: "toy", Workload: "long", Weight: 1}}
		})
		counts := map[string]int{}
		for _, a := range x.attempts(1, 1, record.Measured) {
			counts[a.Workload]++
		}
		if n := counts["short"]; n < 270 || n > 330 || n+counts["long"] != 400 {
			t.Error(counts)
		}
		expect(t, "levels", x.edge(2, 1, record.LevelStart) == nil, true)
	})
}

// A fifth of the requests leave after three frames of ten.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(10, 200)
			x.c.Cancel = Cancel{Percent: 20, Leave: wire.Leave{Frames: 3}}
			x.answer = func(_ int, w http.ResponseWriter, r *http.Request) { stream(w, r, 50*ms, 10*ms, 10) }
		})
		left := 0
		for _, a := range x.attempts(1, 1, record.Measured) {
			if a.Outcome == outcome.CancelledByPlan {
				left++
				expect(t, "frames", a.Frames.Output, 3)
			}
		}
		if left < 25 || left > 55 {
			t.Error(left, "of 200 left")
		}
	})
}

// More failures than the plan bears end the run.
func TestTooManyErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := play(t, func(x *trial) {
			x.offers(10, 1000)
			x.c.MaxErrorPercent = 10
			x.answer = func(n int, w http.ResponseWriter, r *http.Request) {
				if n%5 == 0 {
					http.Error(w, "no", http.StatusInternalServerError)
					return
				}
				takes(100*ms)(n, w, r)
			}
		})
		expect(t, "reason", x.reason, record.MaxErrors)
		if n := len(x.attempts(1, 1, record.Measured)); n < fewest || n > fewest+5 {
			t.Error(n, "requests")
		}
	})
}

// Both alarms ring at their moment, and when they are woken, even before the
// wait.
func TestAlarms(t *testing.T) {
	for name, a := range map[string]alarm{"exact": exactAlarm(), "timer": &timer{woken: make(chan struct{}, 1)}} {
		if a == nil || a == alarm(nil) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			defer a.close()
			until := time.Now().Add(20 * ms)
			a.wait(until)
			if time.Now().Before(until) {
				t.Error("rang early")
			}
			a.wake()
			a.wait(time.Now().Add(time.Hour))
			time.AfterFunc(10*ms, a.wake)
			a.wait(time.Time{})
			until = time.Now().Add(20 * ms)
			a.wait(until)
			if time.Now().Before(until) {
				t.Error("rang early, after it was woken")
			}
			a.wait(time.Now().Add(-time.Second)) // at once
		})
	}
}
