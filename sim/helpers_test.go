package sim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections are net.Pipes.
type pipes struct {
	ch   chan net.Conn
	done chan struct{}
	once sync.Once
}

func newPipes() *pipes { return &pipes{ch: make(chan net.Conn), done: make(chan struct{})} }

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.ch:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}
func (l *pipes) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *pipes) Addr() net.Addr { return &net.TCPAddr{} }
func (l *pipes) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	a, b := net.Pipe()
	select {
	case l.ch <- b:
		return a, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// world is a server and a client in virtual time.
type world struct {
	*testing.T
	server *Server
	pipes  *pipes
	client *http.Client
}

// virtual runs f in virtual time with a server of that configuration.
func virtual(t *testing.T, c Config, f func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		l := newPipes()
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }()
		transport := &http.Transport{DialContext: l.Dial, MaxIdleConnsPerHost: 1000}
		f(&world{t, s, l, &http.Client{Transport: transport}})
		transport.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// seen is what a reader saw of a stream.
type seen struct {
	status int
	header http.Header
	frames []string // data of each
	tokens []time.Duration
	text   string
	usage  struct {
		Prompt int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	}
	finish string
	done   bool
	err    error
}

const question = `{"model":"sim","stream":true,"stream_options":{"include_usage":true},"max_tokens":4,"messages":[{"role":"user","content":"hi"}]}`

func asking(model string) string { return strings.Replace(question, DefaultModel, model, 1) }

// ask sends a body and reads the stream that comes; times count from the
// moment it is called.
func (w *world) ask(ctx context.Context, body string) (s seen) {
	start := time.Now()
	req, err := http.NewRequestWithContext(ctx, "POST", "http://sim/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	resp, err := w.client.Do(req)
	if err != nil {
		s.err = err
		return s
	}
	defer resp.Body.Close()
	s.status, s.header = resp.StatusCode, resp.Header
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
			s.frame(w, data, time.Since(start))
		}
	}
	s.err = lines.Err()
	return s
}

func (s *seen) frame(w *world, data []byte, at time.Duration) {
	s.frames = append(s.frames, string(data))
	if string(data) == "[DONE]" {
		s.done = true
		return
	}
	var c struct {
		Choices []struct {
			Delta struct {
				Content string `json:"content"`
			} `json:"delta"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		w.Errorf("frame %s: %v", data, err)
	}
	for _, choice := range c.Choices {
		if choice.Delta.Content != "" {
			s.tokens = append(s.tokens, at)
			s.text += choice.Delta.Content
		}
		s.finish += choice.Finish
	}
	if c.Usage != nil {
		if err := json.Unmarshal(c.Usage, &s.usage); err != nil {
			w.Error(err)
		}
	}
}

// get asks a plain question.
func (w *world) do(method, path, body string, header ...string) (int, http.Header, string) {
	req, err := http.NewRequest(method, "http://sim"+path, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := w.client.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

func millis(n ...float64) []time.Duration {
	var out []time.Duration
	for _, ms := range n {
		out = append(out, time.Duration(ms*1e6))
	}
	return out
}
