// Package sim is an endpoint to practise on: an OpenAI-compatible server with
// a batching engine whose figures bend as a real one's do, a fixed schedule
// with exact figures, faults on demand, and its own truth about what it sent.
// It knows nothing of the client's side.
//
// It answers POST /v1/chat/completions (streamed and whole), GET /v1/models,
// GET /sim/truth (?since=N leaves out the rows of the first N requests) and
// DELETE /sim/truth, and nothing else. A request can ask for a fault by its
// model's name ("fault:stall:wait=5s") or the header X-Sim-Fault; see
// [ParseFault]. The sentences it puts into refusals are an API's own words, in
// English like every API's.
package sim

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/sim/transcript"
	"tidemark/text"
)

// DefaultModel is the model that is served where [Config] names none.
const DefaultModel = "sim"

const (
	defaultTokens = 128    // of an answer whose request names no limit
	mostTokens    = 32_768 // of any answer
	mostBody      = 8 << 20

	headerLimit = 10 * time.Second // to read a request's headers
	bodyLimit   = 30 * time.Second // to read its body
	idleLimit   = 5 * time.Minute  // between two requests of a connection
)

// Config says how the endpoint behaves. The zero Config is a batching engine
// with the speeds of [Engine]'s defaults, no key and no faults.
type Config struct {
	// Models that are listed and answered; a request for another is a 404.
	// Empty: DefaultModel.
	Models []string
	// APIKey that requests must bring as a bearer token; "": none is asked for.
	APIKey string

	// Engine is the batching engine's size and speeds. Unused with a Schedule.
	Engine Engine
	// Schedule, if not nil, replaces the engine.
	Schedule *Schedule

	// MaxTokens of an answer whose request names no limit, 1 to 32,768;
	// 0: 128.
	MaxTokens int
	// Lengths of answers in tokens; the zero value: each is as long as its
	// request allows and finishes with "length".
	Lengths Lengths
	// RoleWithFirst sends the role-only chunk in the first token's write;
	// otherwise it goes out with the headers, at once.
	RoleWithFirst bool

	// Faults are tried in order for each request; the first that strikes is
	// used. A fault that a request asks for goes before them.
	Faults []Fault
	// Transcripts, if any, are played in turn to every POST, in place of all
	// the above. The truth counts their connections and no more.
	Transcripts []*transcript.Transcript

	// Seed of lengths, words and the faults' rates. Every value is good.
	Seed uint64
}

// Lengths are drawn for each answer, evenly from Least to Most, in tokens. An
// answer that is shorter than its request allows finishes with "stop".
type Lengths struct{ Least, Most int }

// Server is the endpoint. It is safe for use by many goroutines.
type Server struct {
	config  Config
	http    http.Server
	truth   truth
	engine  *engine // nil with a Schedule
	started time.Time
	played  atomic.Uint64 // transcripts

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	mu      sync.Mutex // guards closed, and Add against Wait
	closed  bool
	working sync.WaitGroup // handlers and the engine
}

// New makes an endpoint. Its engine runs until Close. An error is a
// *text.Fault.
func New(c Config) (*Server, error) {
	if len(c.Models) == 0 {
		c.Models = []string{DefaultModel}
	}
	if c.MaxTokens == 0 {
		c.MaxTokens = defaultTokens
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	s := &Server{config: c, started: time.Now()}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.truth.reset()
	s.http = http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerLimit,
		IdleTimeout:       idleLimit,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
	}
	if c.Schedule == nil {
		s.engine = newEngine(c.Engine.filled())
		s.working.Go(func() { s.engine.run(s.ctx) })
	}
	return s, nil
}

func (c Config) check() error {
	if c.MaxTokens < 1 || c.MaxTokens > mostTokens {
		return text.Wrong(text.Msg("sim.bad_max_tokens", c.MaxTokens, mostTokens), text.Msg("sim.bad_max_tokens_hint"))
	}
	if l := c.Lengths; l != (Lengths{}) && (l.Least < 1 || l.Most < l.Least) {
		return text.Wrong(text.Msg("sim.bad_lengths", l.Least, l.Most), text.Msg("sim.bad_lengths_hint"))
	}
	if c.Engine.negative() || c.Schedule != nil && (c.Schedule.TTFT < 0 || c.Schedule.ITL < 0) {
		return text.Wrong(text.Msg("sim.negative"), text.Msg("sim.negative_hint"))
	}
	for _, f := range c.Faults {
		if err := f.check(); err != nil {
			return err
		}
	}
	return nil
}

// Serve answers the connections of l until Close, and then returns nil. It
// closes l.
func (s *Server) Serve(l net.Listener) error {
	err := s.http.Serve(&listener{Listener: l, server: s})
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close ends everything at once, requests in flight included.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	err := s.http.Close()
	s.working.Wait()
	return err
}

// enter counts a handler in, unless the server is closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.working.Add(1)
	return true
}
