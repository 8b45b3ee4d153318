package tidemark

import (
	"bytes"
	"context"
	"io"
	"iter"
	"math"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/load/arrival"
	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/report"
	"tidemark/run"
	"tidemark/sim"
	"tidemark/text"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// pipes is a listener whose connections are pipes, so that client and server
// can meet in virtual time.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestTheWholeWayInVirtualTime runs a ladder against the simulated endpoint,
// writes the records to a file, computes the report from it, and finds every
// figure to be what the schedule says, to the nanosecond.
func TestTheWholeWayInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := newPipes()
		server, err := sim.New(sim.Config{Schedule: &sim.Schedule{TTFT: 200 * time.Millisecond, ITL: 20 * time.Millisecond}})
		if err != nil {
			t.Fatal(err)
		}
		go server.Serve(listener)

		file := ladder(t, listener, []int{1, 4}, 10)
		truth := server.Truth(0)
		server.Close()

		r, err := report.Compute(recordsIn(file), report.Options{Lang: text.English})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Levels) != 2 || r.Verdict.ExitCode != 0 {
			t.Fatalf("%d levels, exit code %d", len(r.Levels), r.Verdict.ExitCode)
		}
		for _, l := range r.Levels {
			c := *l.Load.Concurrency
			if l.Reliability.OK != 20 || l.Short || l.Frames.Uncertain != 0 {
				t.Errorf("concurrency %d: %d ok, short %v, %d uncertain", c, l.Reliability.OK, l.Short, l.Frames.Uncertain)
			}
			// Nothing takes time but the endpoint: the first are dispatched in the
			// instant that fills the level, so that all 20 are inside the window.
			// An answer of 10 tokens lasts 200 + 9 × 20 = 380 ms, and each slot
			// begins the next at once.
			exactly(t, "n", float64(l.Latency.TTFT.N), 20)
			for name, f := range map[string][2]float64{
				"TTFT p50": {l.Latency.TTFT.P50, 200}, "TTFT max": {l.Latency.TTFT.Max, 200},
				"TPOT": {l.Latency.TPOT.Mean, 20}, "E2E": {l.Latency.E2E.Mean, 380}, "NTPOT": {l.Latency.NTPOT.Mean, 38},
				"ITL mean": {l.Latency.ITL.Mean, 20}, "ITL max": {l.Latency.ITL.Max, 20},
				"QPS": {*l.Throughput.RequestsPerS, float64(c) / .38}, "TPS": {*l.Throughput.OutputTokensPerS, float64(c) * 10 / .38},
				"in flight": {l.Load.Achieved.Mean, float64(c)},
			} {
				exactly(t, name, f[0], f[1])
			}
		}
		// What the endpoint counted is what the console should show.
		exactly(t, "requests", float64(r.Console.Requests), float64(truth.Requests))
		exactly(t, "output tokens", float64(*r.Console.OutputTokens), float64(truth.Tokens))
		exactly(t, "the endpoint's TTFT", truth.TTFT.Mean, 200)
	})
}

// TestAStallIsEverybodysWait offers ten requests a second to an endpoint that
// says nothing for 5 s. Whoever was due meanwhile was sent when due, and has
// waited: a closed loop would have seen one slow request.
func TestAStallIsEverybodysWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := newPipes()
		var asked, until atomic.Int64
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) == 21 {
				until.Store(time.Now().Add(5 * time.Second).UnixNano())
			}
			time.Sleep(time.Until(time.Unix(0, until.Load())) + 50*time.Millisecond)
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, `data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
		})}
		go server.Serve(listener)

		file := offered(t, listener, "10", 100)
		server.Close()
		listener.Close()

		r, err := report.Compute(recordsIn(file), report.Options{Lang: text.English})
		if err != nil {
			t.Fatal(err)
		}
		l := r.Levels[0]
		if l.Reliability.OK != 100 || *l.Load.Due != 100 || *l.Load.Unsent != 0 || l.Short {
			t.Fatalf("%d ok of %d due, %d unsent, short: %s", l.Reliability.OK, *l.Load.Due, *l.Load.Unsent, l.ShortWhy)
		}
		// Request 21 waits for 5.05 s, each of the 49 behind it 100 ms less, the
		// other 50 for 50 ms: the median is 150 ms. The window begins so long
		// after the first is due, so that 98 are inside, and the fifth greatest
		// wait, p95 of 98, is 4.65 s.
		for name, f := range map[string][2]float64{
			"n": {float64(l.Latency.TTFT.N), 98}, "p99": {l.Latency.TTFT.P99, 5050}, "p95": {l.Latency.TTFT.P95, 4650},
			"p50": {l.Latency.TTFT.P50, 150}, "from sent": {l.Latency.TTFTFromSent.P95, 4650},
			"dispatch lag": {l.Latency.DispatchLag.Max, 0}, "send lag": {l.Latency.SendLag.Max, 0}, "rate": {*l.Load.RatePerS, 10},
		} {
			exactly(t, name, f[0], f[1])
		}
		due := time.Duration(0)
		first := record.Offset(0)
		for rec := range recordsIn(file)() {
			if a, ok := rec.(*record.Attempt); ok {
				if first == 0 || a.Due < first {
					first = a.Due
				}
				due += time.Duration(a.Due)
			}
		}
		if due -= 100 * time.Duration(first); due != 99*50*100*time.Millisecond {
			t.Errorf("the due moments add up to %v", due)
		}
		if v := l.Validity.Valid; v == nil || !*v {
			t.Errorf("the endpoint's stall is no fault of the client: %+v", l.Validity.Checks)
		}
	})
}

func exactly(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-3*max(want, 1) { // a histogram is good to 0.1 %
		t.Errorf("%s is %v, not %v", name, got, want)
	}
}

// ladder runs one, 20 requests a level, and returns its file of records.
func ladder(t *testing.T, p *pipes, concurrency []int, tokens int) []byte {
	t.Helper()
	return recorded(t, p, run.Config{Ask: prompt.Request{Stream: true, MaxTokens: tokens}, Concurrency: concurrency, Requests: 20, WarmUp: -1})
}

// offered offers n requests at a rate.
func offered(t *testing.T, p *pipes, rate string, n int) []byte {
	t.Helper()
	pace, err := arrival.ParsePace(rate)
	if err != nil {
		t.Fatal(err)
	}
	return recorded(t, p, run.Config{Ask: prompt.Request{Stream: true}, Offers: []run.Offer{{Paced: arrival.Paced{Law: arrival.Constant, Pace: pace, Requests: n}}}})
}

// recorded runs a plan against what listens on p.
func recorded(t *testing.T, p *pipes, c run.Config) []byte {
	t.Helper()
	epoch := time.Now().Add(-time.Millisecond)
	chat, _ := dialect.Named("chat")
	base, _ := url.Parse("http://sim/v1")
	client := &wire.Client{
		Target: wire.Target{Base: base}, Epoch: epoch, Dial: p.dial,
		Timeouts: wire.Timeouts{Connect: time.Second, TTFT: time.Minute, Idle: time.Minute, Total: time.Minute},
	}
	var file bytes.Buffer
	w, err := record.NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.Write(&record.Run{Format: record.Format, RunID: "whole", Started: epoch, Plan: []byte("{}"),
		Targets: []record.Target{{Name: sim.DefaultModel, Model: sim.DefaultModel, Dialect: "chat"}}}))
	c.Targets = []run.Target{{Name: sim.DefaultModel, Model: sim.DefaultModel, Client: client, Dialect: chat}}
	c.Prompts, c.Unique, c.RunID, c.Seed, c.Rounds, c.Timers, c.Emit = prompt.Builtin(), true, "whole", 1, 1, true, w.Write
	why, err := run.Run(t.Context(), c)
	must(err)
	must(w.Write(&record.End{At: record.Offset(time.Since(epoch)), Reason: why}))
	must(w.Close())
	return file.Bytes()
}

func recordsIn(file []byte) report.Source {
	return func() iter.Seq2[record.Record, error] { return record.Read(bytes.NewReader(file)) }
}
