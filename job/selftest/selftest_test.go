package selftest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tidemark/record"
	"tidemark/run/machine"
	"tidemark/sim"
	"tidemark/text"
)

const ms = time.Millisecond

// asEndpoint makes this test's own program a simulated endpoint.
const asEndpoint = "SELFTEST_ENDPOINT"

func TestMain(m *testing.M) {
	switch os.Getenv(asEndpoint) {
	case "":
		goleak.VerifyTestMain(m)
	case "silent":
		fmt.Fprintln(os.Stderr, "no port is free")
		os.Exit(1)
	case "elsewhere":
		fmt.Println("ftp://here")
		select {}
	default:
		serve()
	}
}

func serve() {
	l, err := sim.Listen("127.0.0.1:0", false)
	if err != nil {
		panic(err)
	}
	s, err := sim.New(sim.Config{Schedule: &sim.Schedule{TTFT: 20 * ms, ITL: 5 * ms}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("模拟接口：http://%s/v1（模型：sim）\nmore\n", l.Addr())
	_ = s.Serve(l)
}

// pipes is a listener whose connections are pipes, so that client and server
// can meet in virtual time.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
	near  func(net.Conn) net.Conn // what the client has of a pipe
}

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
		return p.near(ours), nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reach makes an endpoint in memory.
func reach(c sim.Config, near func(net.Conn) net.Conn) func(context.Context) (*Endpoint, error) {
	return func(context.Context) (*Endpoint, error) {
		if c.Schedule == nil {
			c.Schedule = &sim.Schedule{TTFT: 50 * ms, ITL: 10 * ms}
		}
		server, err := sim.New(c)
		if err != nil {
			return nil, err
		}
		p := &pipes{conns: make(chan net.Conn), done: make(chan struct{}), near: near}
		served := make(chan struct{})
		go func() { _ = server.Serve(p); close(served) }()
		base, _ := url.Parse("http://sim/v1")
		return &Endpoint{Base: base, Dial: p.dial, Timers: true, Close: func() { server.Close(); <-served }}, nil
	}
}

func plain(c net.Conn) net.Conn { return c }

func figure(t *testing.T, s Step, name Name) Figure {
	t.Helper()
	i := slices.IndexFunc(s.Figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("%v streams, %v/s: no %s", s.Streams, s.RatePerS, name)
	}
	return s.Figures[i]
}

// Nothing takes time but the endpoint's schedule, so that every figure is the
// schedule's and the truth's.
func TestInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var seen []Step
		r, err := Run(t.Context(), Config{
			Reach: reach(sim.Config{}, plain), Streams: []int{2, 5}, Rates: []float64{10, 20},
			Tidemark: "v1", Machine: record.Machine{CPUs: 3},
			Progress: func(s Step) { seen = append(seen, s) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if r.Tidemark != "v1" || r.Machine.CPUs != 3 || !r.At.Equal(began) || len(r.Steps) != 4 || !reflect.DeepEqual(seen, r.Steps) {
			t.Errorf("%+v", r)
		}
		for _, s := range r.Steps {
			// An answer of 40 tokens lasts 50 + 39 × 10 ms, one of 8 tokens 120 ms.
			tokens, e2e := 40.0, 440.0
			if s.RatePerS > 0 {
				tokens, e2e = 8, 120
			}
			if !s.Fine || s.Wrong || s.Uncertain || s.OK != s.Requests || s.Ended != record.Done {
				t.Errorf("%+v", s)
			}
			for name, want := range map[Name]float64{
				TTFTMean: 50, TTFTP99: 50, E2EMean: e2e, ITLP99: 10,
				Requests: float64(s.Requests), Tokens: tokens * float64(s.Requests), Frames: tokens * float64(s.Requests),
			} {
				f := figure(t, s, name)
				if near := .001 * want; f.Client < want-near || f.Client > want+near || f.Truth < want-near || f.Truth > want+near {
					t.Errorf("%v streams, %v/s: %s is %v, in truth %v, not %v", s.Streams, s.RatePerS, name, f.Client, f.Truth, want)
				}
			}
		}
		// Two turns of 5 streams last 880 ms and bring 400 frames.
		if r.Streams != 5 || r.FramesPerS < 454 || r.FramesPerS > 455 {
			t.Errorf("%d streams, %v frames/s", r.Streams, r.FramesPerS)
		}
		if r.RatePerS != 20 || r.RequestsPerS < 19 || r.RequestsPerS > 21 || !r.Fine() || r.Wrong {
			t.Errorf("%+v", r)
		}
		// 40 requests at 20/s: those due in the first 120 ms are the warm-in.
		if f := figure(t, r.Steps[3], Timed); f.Truth != 37 || !f.Agrees {
			t.Errorf("%+v", f)
		}
		if late := r.Steps[3].LateMs; late == nil || *late != 0 || r.Steps[0].LateMs != nil {
			t.Error("late", late)
		}
	})
}

// late is a connection whose reads come later than the bytes.
type late struct {
	net.Conn
	by time.Duration
}

func (l late) Read(b []byte) (int, error) {
	n, err := l.Conn.Read(b)
	if n > 0 {
		time.Sleep(l.by)
	}
	return n, err
}

// A client that stamps 6 ms late measures what isn't so, and no check can
// know it: that is wrong, and nothing above two more steps is tried.
func TestAWrongToolIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), Config{
			Reach:   reach(sim.Config{}, func(c net.Conn) net.Conn { return late{c, 6 * ms} }),
			Streams: []int{1, 2, 3, 4, 5}, Rates: []float64{},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Steps) != 3 || !r.Wrong || r.Fine() || r.Streams != 0 || r.FramesPerS != 0 {
			t.Errorf("%+v", r)
		}
		for _, s := range r.Steps {
			if f := figure(t, s, TTFTMean); f.Agrees || f.Error() < 5 || s.Fine || !s.Wrong {
				t.Errorf("%+v", s)
			}
			if f := figure(t, s, Requests); !f.Agrees {
				t.Errorf("%+v", f)
			}
		}
	})
}

// Requests that the endpoint refuses are its own doing: nothing is wrong, but
// nothing is measured.
func TestFailuresAreNotFine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault, err := sim.ParseFault("500:every=4")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), Config{
			Reach: reach(sim.Config{Faults: []sim.Fault{fault}}, plain), Streams: []int{4}, Turns: 4, Rates: []float64{},
		})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Steps[0]
		if s.OK != 12 || s.Requests != 16 || s.Fine || s.Wrong || !s.Agrees || r.Fine() {
			t.Errorf("%+v", s)
		}
	})
}

// A step that time ran out for is not judged, and the ladder ends there.
func TestTheLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		r, err := Run(t.Context(), Config{
			Reach: reach(sim.Config{}, plain), Streams: []int{1, 2, 3}, Turns: 10, Rates: []float64{}, Limit: 10 * time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		// A step of 10 turns lasts 4.4 s, and the ladder has 5.
		if len(r.Steps) != 2 || !r.Steps[0].Fine || r.Streams != 1 {
			t.Fatalf("%+v", r)
		}
		if s := r.Steps[1]; s.Ended == record.Done || s.Fine || s.Wrong || s.Agrees {
			t.Errorf("%+v", s)
		}
		if took := time.Since(began); took > 6*time.Second {
			t.Error("took", took)
		}
	})
}

func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := Run(ctx, Config{
			Reach: reach(sim.Config{}, plain), Streams: []int{1, 2, 3},
			Progress: func(Step) { time.AfterFunc(100*ms, cancel) },
		})
		if !errors.Is(err, context.Canceled) || len(r.Steps) != 1 {
			t.Errorf("%v: %+v", err, r)
		}
	})
}

func TestWhatTheMachineLacksIsNotTried(t *testing.T) {
	const many = 1 << 30
	if machine.Lacks(machine.Need{Connections: many}) == (machine.Lack{}) {
		t.Skip("this machine lacks nothing")
	}
	synctest.Test(t, func(t *testing.T) {
		r, err := Run(t.Context(), Config{Reach: reach(sim.Config{}, plain), Streams: []int{1, many}, Rates: []float64{}})
		if err != nil {
			t.Fatal(err)
		}
		if l := r.Steps[1].Lack; l == nil || l.Want <= l.Have || r.Streams != 1 || r.Steps[1].Fine || r.Steps[1].Wrong {
			t.Errorf("%+v", r.Steps[1])
		}
	})
}

// Against another process what is counted is exact; times are the machine's.
func TestASecondProcess(t *testing.T) {
	t.Setenv(asEndpoint, "serve")
	r, err := Run(t.Context(), Config{
		Command: []string{os.Args[0]}, Streams: []int{3}, Rates: []float64{20}, For: 300 * ms, Tokens: 5, Short: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) != 2 {
		t.Fatalf("%+v", r)
	}
	for i, want := range []float64{6, 6} { // two turns of 3; 0.3 s of 20/s
		s := r.Steps[i]
		for name, each := range map[Name]float64{Requests: 1, Tokens: float64(s.Tokens), Frames: float64(s.Tokens)} {
			if f := figure(t, s, name); f.Client != want*each || f.Truth != want*each {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if f := figure(t, s, TTFTMean); f.Truth < 20 || f.Client < 15 {
			t.Errorf("%+v", f)
		}
	}
}

func TestAnEndpointThatIsNone(t *testing.T) {
	for _, c := range []struct {
		as      string
		command []string
		says    string
	}{
		{"silent", []string{os.Args[0]}, "no port is free"},
		{"elsewhere", []string{os.Args[0]}, "ftp://here"},
		{"silent", []string{filepath.Join(t.TempDir(), "nothing")}, "nothing"},
		{"silent", nil, "started"},
	} {
		t.Setenv(asEndpoint, c.as)
		_, err := Run(t.Context(), Config{Command: c.command})
		var fault *text.Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %v: %v", c.as, c.command, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	t.Setenv(asEndpoint, "elsewhere")
	if _, err := Run(ctx, Config{Command: []string{os.Args[0]}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Where the endpoint is gone there is no truth.
func TestAnEndpointThatIsGone(t *testing.T) {
	base, _ := url.Parse("http://sim/v1")
	gone := func(context.Context, string, string) (net.Conn, error) { return nil, net.ErrClosed }
	_, err := Run(t.Context(), Config{Reach: func(context.Context) (*Endpoint, error) {
		return &Endpoint{Base: base, Dial: gone, Close: func() {}}, nil
	}})
	var fault *text.Fault
	if !errors.As(err, &fault) {
		t.Error(err)
	}
}

func TestJudge(t *testing.T) {
	yes, no := true, false
	good, bad := Figure{Agrees: true}, Figure{}
	for _, c := range []struct {
		name        string
		step        Step
		fine, wrong bool
	}{
		{"fine", Step{Valid: &yes, Figures: []Figure{good}, Ended: record.Done}, true, false},
		{"wrong", Step{Valid: &yes, Figures: []Figure{good, bad}, Ended: record.Done}, false, true},
		{"nothing to compare", Step{Valid: &yes, Ended: record.Done}, false, true},
		{"the report said so", Step{Valid: &no, Figures: []Figure{bad}, Ended: record.Done}, false, false},
		{"invalid, though it agrees", Step{Valid: &no, Figures: []Figure{good}, Ended: record.Done}, false, false},
		{"not known to be valid", Step{Figures: []Figure{bad}, Ended: record.Done}, false, false},
		{"not vouched for", Step{Valid: &yes, Uncertain: true, Figures: []Figure{bad}, Ended: record.Done}, false, false},
		{"failures", Step{Valid: &yes, Requests: 1, Figures: []Figure{good}, Ended: record.Done}, false, false},
		{"cut", Step{Valid: &yes, Figures: []Figure{bad}, Ended: record.Interrupted}, false, false},
	} {
		s := c.step
		if s.judge(); s.Fine != c.fine || s.Wrong != c.wrong {
			t.Errorf("%s: fine %v, wrong %v", c.name, s.Fine, s.Wrong)
		}
	}
}

// The greatest counts only with everything below it, and a ladder of which
// nothing is fine is not.
func TestResult(t *testing.T) {
	var r Result
	if r.Fine() {
		t.Error("nothing tried is fine")
	}
	r.add(Step{Streams: 10, FramesPerS: 5, Fine: true}, true)
	r.add(Step{Streams: 20, FramesPerS: 50}, false)
	r.add(Step{Streams: 30, FramesPerS: 70, Fine: true}, false)
	if r.Streams != 10 || r.FramesPerS != 5 || !r.Fine() {
		t.Errorf("%+v", r)
	}
	r.add(Step{RatePerS: 10, RequestsPerS: 9}, false)
	if r.Fine() {
		t.Error("no rate is fine")
	}
	r.add(Step{RatePerS: 5, RequestsPerS: 4.9, FramesPerS: 1, Fine: true}, true)
	if r.RatePerS != 5 || r.RequestsPerS != 4.9 || r.FramesPerS != 5 || !r.Fine() {
		t.Errorf("%+v", r)
	}
	if r.add(Step{Streams: 40, Wrong: true}, false); r.Fine() || !r.Wrong {
		t.Error("wrong is fine")
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name          Name
		client, truth float64
		agrees        bool
	}{
		{TTFTMean, 51, 50, true}, // 0.5 + 1 % of 50
		{TTFTMean, 51.01, 50, false},
		{TTFTMean, 48.99, 50, false},
		{TTFTP99, 54.5, 50, true}, // 2 + 5 %
		{TTFTP99, 54.51, 50, false},
		{ITLP99, 11, 10, true},
		{ITLP99, 11.1, 10, false},
		{Requests, 10, 10, true},
		{Requests, 10, 11, false},
	} {
		if f := compare(c.name, c.client, c.truth); f.Agrees != c.agrees {
			t.Errorf("%+v", f)
		}
	}
}

func TestP99(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 2: 2, 100: 99, 101: 100, 200: 198} {
		var xs []float64
		for i := range n {
			xs = append(xs, float64(i+1))
		}
		if got := p99(xs); got != want {
			t.Errorf("of %d: %v, not %v", n, got, want)
		}
	}
}

func TestSavedAndLoaded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "selftest.json")
	if _, err := Load(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	valid, cpu := true, 3.5
	r := &Result{
		Format: Format, Tidemark: "v1", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Streams: 5,
		Steps: []Step{{
			Streams: 5, Valid: &valid, CPUFrameUs: &cpu, Ended: record.Done, Failed: []string{"V2"}, Fine: true,
			Figures: []Figure{compare(TTFTMean, 1, 2)}, Lack: &machine.Lack{What: machine.Files, Want: 2, Have: 1},
		}},
	}
	for range 2 { // over an older one too
		if err := r.Save(path); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Load(path)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%v: %+v", err, got)
	}
	left, _ := os.ReadDir(filepath.Dir(path))
	if len(left) != 1 {
		t.Error("left behind:", left)
	}
	var fault *text.Fault
	for _, odd := range []string{"", "{", "[]", "{}", `{"format":2}`, `{"format":-1}`} {
		if err := os.WriteFile(path, []byte(odd), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); !errors.As(err, &fault) {
			t.Errorf("%q: %v", odd, err)
		}
	}
	if err := r.Save(filepath.Join(path, "under-a-file")); !errors.As(err, &fault) {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":1,"steps":[{"streams":5,"figures":[{"name":"requests"}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if r, err := parse(body); err == nil {
			r.Fine()
		}
	})
}
