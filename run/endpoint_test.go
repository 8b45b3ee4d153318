package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// endpoint is a scripted server in memory: net/http over net.Pipe, so that it
// lives in virtual time.
type endpoint struct {
	answer func(n int, w http.ResponseWriter, r *http.Request) // n: which arrival, from 1

	conns chan net.Conn
	gone  chan struct{}
	once  sync.Once
	down  func(dial int) error // refuses a dial, where not nil
	hang  func(dial int) bool  // never answers a dial, where not nil

	mu       sync.Mutex
	dialled  int
	inFlight int
	most     int      // requests in flight at a time
	asked    []string // the text of each request's first message
	roles    []string // of each request's messages, joined
}

func (e *endpoint) Accept() (net.Conn, error) {
	select {
	case c := <-e.conns:
		return c, nil
	case <-e.gone:
		return nil, net.ErrClosed
	}
}
func (e *endpoint) Close() error   { e.once.Do(func() { close(e.gone) }); return nil }
func (e *endpoint) Addr() net.Addr { return &net.TCPAddr{} }

func (e *endpoint) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	e.mu.Lock()
	e.dialled++
	n := e.dialled
	e.mu.Unlock()
	if e.down != nil {
		if err := e.down(n); err != nil {
			return nil, err
		}
	}
	if e.hang != nil && e.hang(n) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	near, far := net.Pipe()
	var closed atomic.Bool
	select {
	case e.conns <- &peer{far, &closed}:
		return &pipe{near, &closed}, nil
	case <-e.gone:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// peer is the server's end of a connection.
type peer struct {
	net.Conn
	closed *atomic.Bool
}

func (p *peer) Close() error { p.closed.Store(true); return p.Conn.Close() }

// pipe is the client's end. Like a socket, and unlike a net.Pipe, it can be
// asked without reading whether the peer has closed it.
type pipe struct {
	net.Conn
	closed *atomic.Bool
}

func (p *pipe) SyscallConn() (syscall.RawConn, error) {
	if p.closed.Load() {
		return nil, net.ErrClosed
	}
	return quiet{}, nil
}

// quiet is a socket on which nothing has come.
type quiet struct{}

func (quiet) Control(func(uintptr)) error    { return nil }
func (quiet) Read(func(uintptr) bool) error  { return errors.ErrUnsupported }
func (quiet) Write(func(uintptr) bool) error { return errors.ErrUnsupported }

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var ask struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(body, &ask); err != nil || len(ask.Messages) == 0 {
		http.Error(w, "not a chat request", http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.asked = append(e.asked, ask.Messages[0].Content)
	roles := ""
	for _, m := range ask.Messages {
		roles += m.Role + " "
	}
	e.roles = append(e.roles, roles)
	n := len(e.asked)
	e.inFlight++
	e.most = max(e.most, e.inFlight)
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		e.inFlight--
		e.mu.Unlock()
	}()
	e.answer(n, w, r)
}

// stream answers with n tokens, one a frame: the first after ttft, the next
// each after gap; input is always 7.
func stream(w http.ResponseWriter, r *http.Request, ttft, gap time.Duration, n int) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	say := func(data string) {
		io.WriteString(w, "data: "+data+"\n\n")
		out.Flush()
	}
	wait := ttft
	for range n {
		select {
		case <-time.After(wait):
		case <-r.Context().Done():
			return
		}
		say(`{"id":"cc-1","model":"toy-1","choices":[{"index":0,"delta":{"content":"al"}}]}`)
		wait = gap
	}
	say(`{"id":"cc-1","model":"toy-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	say(fmt.Sprintf(`{"id":"cc-1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":%d,"total_tokens":%d}}`, n, n+7))
	say(`[DONE]`)
}

// takes answers each request with four tokens, the last of them after d.
func takes(d time.Duration) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, r *http.Request) { stream(w, r, d/4, d/4, 4) }
}

// trial is a run in virtual time and what came of it.
type trial struct {
	endpoint
	c       Config
	epoch   time.Time
	records []record.Record
	reason  record.Reason
	err     error
	ended   time.Duration // since the run began
}

// prompts is a set of one group of n prompts.
func prompts(name string, n int) prompt.Group {
	g := prompt.Group{Name: name}
	for i := range n {
		id := fmt.Sprintf("%s/%d", name, i+1)
		g.Prompts = append(g.Prompts, prompt.Prompt{ID: id, Messages: []prompt.Message{{Role: "user", Text: "say " + id}}})
	}
	return g
}

// play runs what change makes of a plain plan: concurrency 2, 7 prompts, no
// warm-up, answers that take 400 ms. It must be called in a bubble.
func play(t *testing.T, change func(*trial)) *trial {
	t.Helper()
	return playIn(t, context.Background(), change)
}

func playIn(t *testing.T, ctx context.Context, change func(*trial)) *trial {
	t.Helper()
	x := &trial{epoch: time.Now().Add(-time.Second)}
	x.conns, x.gone = make(chan net.Conn), make(chan struct{})
	x.answer = takes(400 * time.Millisecond)
	chat, ok := dialect.Named("chat")
	if !ok {
		t.Fatal("no chat dialect")
	}
	client := &wire.Client{
		Target:   wire.Target{Base: &url.URL{Scheme: "http", Host: "endpoint", Path: "/v1"}},
		Timeouts: wire.Timeouts{Connect: 10 * time.Second, TTFT: 20 * time.Second, Idle: 30 * time.Second, Total: time.Minute},
		Epoch:    x.epoch, Dial: x.dial,
	}
	x.c = Config{
		Targets: []Target{{Name: "toy", Model: "toy-1", Client: client, Dialect: chat}},
		Prompts: &prompt.Set{Groups: []prompt.Group{prompts("default", 7)}},
		Ask:     prompt.Request{Stream: true, MaxTokens: 16},
		Unique:  true, RunID: "r1", Seed: 1, Concurrency: []int{2}, Rounds: 1, Timers: true,
		Emit: func(r record.Record) error { x.records = append(x.records, r); return nil },
	}
	change(x)
	server := &http.Server{Handler: &x.endpoint, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(&x.endpoint)
	began := time.Now()
	x.reason, x.err = Run(ctx, x.c)
	x.ended = time.Since(began)
	server.Close()
	x.endpoint.Close()
	synctest.Wait()
	x.holds(t)
	return x
}

// holds checks what every run must keep to.
func (x *trial) holds(t *testing.T) {
	t.Helper()
	type place struct {
		level, round int
		phase        record.Phase
		number       int
	}
	seen := map[place]bool{}
	held := map[[2]int]float64{}
	open := map[[2]int]bool{}
	for i, r := range x.records {
		switch r := r.(type) {
		case *record.Attempt:
			p := place{r.Level, r.Round, r.Phase, r.Number}
			if seen[p] || r.Number < 1 || r.Try != 1 || r.Slot < 1 || r.Prompt == "" || r.Target == "" || r.Workload == "" {
				t.Errorf("record %d: ids: %+v, seen before: %v", i, r, seen[p])
			}
			seen[p] = true
			if r.Dispatched <= 0 || r.End < r.Dispatched || r.Sent > 0 && r.Sent < r.Dispatched || r.Outcome == "" {
				t.Errorf("record %d: clocks or outcome: %+v", i, r)
			}
			at := [2]int{r.Level, r.Round}
			if r.Phase == record.Measured {
				held[at] += time.Duration(r.End - r.Dispatched).Seconds()
				if !open[at] {
					t.Errorf("record %d: measured outside its level", i)
				}
			}
		case *record.Level:
			at := [2]int{r.Level, r.Round}
			if open[at] == (r.Event == record.LevelStart) {
				t.Errorf("record %d: %s out of order", i, r.Event)
			}
			open[at] = r.Event != record.LevelEnd
			if d := held[at] - r.InFlightS; r.Event == record.LevelEnd && (d > 1e-6 || d < -1e-6) {
				t.Errorf("level %v: Σ(end−dispatched) is %v s, the counter says %v", at, held[at], r.InFlightS)
			}
		}
	}
	for at, o := range open {
		if o {
			t.Errorf("level %v has no end", at)
		}
	}
}

// attempts lists those of a phase by number.
func (x *trial) attempts(level, round int, phase record.Phase) []*record.Attempt {
	var all []*record.Attempt
	for _, r := range x.records {
		if a, ok := r.(*record.Attempt); ok && a.Level == level && a.Round == round && a.Phase == phase {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b *record.Attempt) int { return a.Number - b.Number })
	return all
}

// edge is an event of a level; nil: it did not come.
func (x *trial) edge(level, round int, e record.Event) *record.Level {
	for _, r := range x.records {
		if l, ok := r.(*record.Level); ok && l.Level == level && l.Round == round && l.Event == e {
			return l
		}
	}
	return nil
}

// at is when an event came, since the run began; -1: it did not.
func (x *trial) at(level, round int, e record.Event) time.Duration {
	if l := x.edge(level, round, e); l != nil {
		return time.Duration(l.At) - time.Second
	}
	return -1
}

// outcomes counts the attempts of a phase by outcome, as "ok:3 connect:1".
func outcomes(all []*record.Attempt) string {
	n := map[string]int{}
	for _, a := range all {
		n[string(a.Outcome)]++
	}
	var said []string
	for o, k := range n {
		said = append(said, fmt.Sprintf("%s:%d", o, k))
	}
	slices.Sort(said)
	return strings.Join(said, " ")
}

func (x *trial) notes() []string {
	var all []string
	for _, r := range x.records {
		if n, ok := r.(*record.Note); ok {
			all = append(all, n.ID+" "+strings.Join(n.Args, " "))
		}
	}
	return all
}

var errDown = errors.New("connection refused")
