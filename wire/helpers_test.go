package wire

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

// toy is an API for tests. A frame is {op|op|…}: a:TEXT answer, r:TEXT
// reasoning, x:TEXT refusal, t:TEXT tool, f:REASON finish, u:IN,OUT usage,
// k:N reasoning tokens, m:MODEL, e:WORDS a failure, n: nothing, p: a
// keep-alive; [DONE] is the sentinel.
type toy struct{}

func (toy) Name() string                                { return "toy" }
func (toy) Encode(prompt.Request) (dialect.Call, error) { return dialect.Call{}, nil }
func (toy) NewDecoder() dialect.Decoder                 { return toy{} }

func (toy) Error(status int, h http.Header, body []byte) dialect.Failure {
	said := string(body[:min(len(body), 500)]) + h.Get("Location")
	return dialect.Failure{Class: outcome.FromStatus(status, "", said), Message: said}
}

func (toy) Body(b []byte, o *dialect.Observation) error {
	return toy{}.Frame(dialect.Frame{Data: b}, o)
}

var errToy = errors.New("no frame")

func (toy) Frame(f dialect.Frame, o *dialect.Observation) error {
	if len(f.Error) > 0 {
		o.Failure = &dialect.Failure{Class: outcome.InbandError, Message: string(f.Error)}
		return nil
	}
	if string(f.Data) == "[DONE]" {
		o.Done = true
		return nil
	}
	d := f.Data
	if len(d) < 2 || slices.Contains(d, '\n') || d[0] != '{' || d[len(d)-1] != '}' {
		return errToy
	}
	for d = d[1 : len(d)-1]; len(d) > 0; {
		op := d
		i := slices.Index(d, '|')
		if i >= 0 {
			op, d = d[:i], d[i+1:]
		} else {
			d = nil
		}
		if len(op) < 2 || op[1] != ':' {
			return errToy
		}
		toyOp(op[0], op[2:], o)
	}
	return nil
}

func toyOp(op byte, v []byte, o *dialect.Observation) {
	count := func(s string) record.Count {
		n, _ := strconv.ParseInt(s, 10, 64)
		return record.Count{N: n, Source: record.FromUsage}
	}
	switch op {
	case 'a':
		o.Answer = append(o.Answer, v...)
	case 'r':
		o.Reasoning = append(o.Reasoning, v...)
	case 'x':
		o.Refusal = append(o.Refusal, v...)
	case 't':
		o.Tool = append(o.Tool, v...)
	case 'f':
		o.Finish = string(v)
	case 'u':
		in, out, _ := strings.Cut(string(v), ",")
		o.Usage.Input, o.Usage.Output = count(in), count(out)
	case 'k':
		o.Usage.Reasoning = count(string(v))
	case 'm':
		o.Model = string(v)
	case 'e':
		o.Failure = &dialect.Failure{Class: outcome.InbandError, Message: string(v)}
	case 'p':
		o.Empty = true
	}
}

// ask is a stream asked of the toy.
func ask() Ask {
	return Ask{Dialect: toy{}, KeepAnswer: true, Call: dialect.Call{
		Method: "POST", Path: "/go", Body: []byte(`{"q":1}`), Framing: dialect.SSE,
	}}
}

const (
	chunkedHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	closeHead   = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
	lastChunk   = "0\r\n\r\n"
)

// chunk frames bytes of a body.
func chunk(s string) string { return strconv.FormatInt(int64(len(s)), 16) + "\r\n" + s + "\r\n" }

// ev is an event in a chunk of its own.
func ev(s string) string { return chunk("data: " + s + "\n\n") }

func sized(head, body string) string {
	return head + "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// step is bytes that the server writes at a moment, in milliseconds after the
// request; with none it keeps the connection open until the client is gone.
type step struct {
	at    int
	bytes string
	close bool
}

// play is a server of one connection: it reads requests and answers each with
// the next script.
func play(c net.Conn, scripts ...[]step) {
	defer c.Close()
	for _, script := range scripts {
		if !readRequest(c) {
			return
		}
		begun := time.Now()
		for _, s := range script {
			time.Sleep(time.Until(begun.Add(time.Duration(s.at) * time.Millisecond)))
			if s.close {
				return
			}
			if s.bytes == "" {
				io.Copy(io.Discard, c)
				return
			}
			if _, err := io.WriteString(c, s.bytes); err != nil {
				return
			}
		}
	}
	io.Copy(io.Discard, c)
}

func readRequest(c net.Conn) bool {
	var got []byte
	p := make([]byte, 4096)
	for {
		n, err := c.Read(p)
		got = append(got, p[:n]...)
		head, body, ok := strings.Cut(string(got), "\r\n\r\n")
		if ok {
			_, v, _ := strings.Cut(head, "Content-Length: ")
			v, _, _ = strings.Cut(v, "\r\n")
			if want, _ := strconv.Atoi(v); len(body) >= want {
				return true
			}
		}
		if err != nil {
			return false
		}
	}
}

// virtual runs f in virtual time, with a connection to a server that plays
// the scripts.
func virtual(t *testing.T, limits Timeouts, scripts [][]step, f func(t *testing.T, c *Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var server sync.WaitGroup
		client := toyClient(func(context.Context, string, string) (net.Conn, error) {
			ours, theirs := net.Pipe()
			server.Go(func() { play(theirs, scripts...) })
			return ours, nil
		})
		client.Timeouts = limits
		c, err := client.Open(t.Context(), 7)
		if err != nil {
			t.Fatal(err)
		}
		f(t, c)
		c.Close()
		server.Wait()
	})
}

func toyClient(dial func(context.Context, string, string) (net.Conn, error)) *Client {
	base, _ := url.Parse("http://toy.test/v1")
	return &Client{Target: Target{Base: base}, Epoch: time.Now().Add(-time.Second), Dial: dial}
}

// ms is a moment of an attempt in milliseconds after it was sent; -1: absent.
func ms(a *record.Attempt, o record.Offset) int {
	if o == 0 {
		return -1
	}
	return int(time.Duration(o-a.Sent) / time.Millisecond)
}

func gapsOf(a *record.Attempt) []int {
	var out []int
	for g := range a.Gaps.All() {
		out = append(out, int(time.Duration(g)/time.Millisecond))
	}
	return out
}

func warningsOf(a *record.Attempt) string {
	return strings.Join(slices.Sorted(maps.Keys(a.Warnings)), " ")
}
