package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

// slow is a toy whose decoder takes a while for each frame: a client robbed
// of its time.
type slow struct{ toy }

func (slow) NewDecoder() dialect.Decoder { return slow{} }
func (slow) Frame(f dialect.Frame, o *dialect.Observation) error {
	time.Sleep(30 * time.Millisecond)
	return toy{}.Frame(f, o)
}

// loopback opens a connection to a server of one connection.
func loopback(t testing.TB, serve func(c *net.TCPConn)) *Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		c, err := l.Accept()
		close(accepted)
		if err != nil {
			return
		}
		defer c.Close()
		serve(c.(*net.TCPConn))
	}()
	client := toyClient(nil)
	client.Target.Base, _ = url.Parse("http://" + l.Addr().String())
	client.Timeouts = Timeouts{Connect: 5 * time.Second, Total: 10 * time.Second}
	c, err := client.Open(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	<-accepted
	t.Cleanup(func() { c.Close(); <-done })
	return c
}

func hasKernelStamps() bool {
	return runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")
}

// writes sends each piece by itself, 5 ms apart.
func writes(c net.Conn, pieces ...string) {
	for _, p := range pieces {
		io.WriteString(c, p)
		time.Sleep(5 * time.Millisecond)
	}
}

func TestUncertainFrames(t *testing.T) {
	if !hasKernelStamps() {
		t.Skip("no kernel stamps here")
	}
	end := ev("{f:stop}") + lastChunk
	for _, tt := range []struct {
		name      string
		pieces    []string
		uncertain int
		first     bool
	}{
		// The reader is busy for 30 ms with the first event; what comes
		// meanwhile is one read.
		{"one write of two frames", []string{chunkedHead + ev("{n:}"), ev("{a:A}") + ev("{a:B}") + end}, 0, false},
		{"two writes of a frame each", []string{chunkedHead + ev("{n:}"), ev("{a:A}"), ev("{a:B}") + end}, 1, true},
		{"three, behind a first output", []string{chunkedHead + ev("{a:A}"), ev("{a:B}"), ev("{a:C}"), ev("{a:D}") + end}, 2, false},
		{"an output and its finish", []string{chunkedHead + ev("{n:}"), ev("{a:A}"), end}, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			c := loopback(t, func(c *net.TCPConn) {
				readRequest(c)
				writes(c, tt.pieces...)
				io.Copy(io.Discard, c)
			})
			defer c.Close()
			q := ask()
			q.Dialect = slow{}
			var a record.Attempt
			c.Do(t.Context(), q, &a)
			if a.Outcome != outcome.OK || a.Stamps != "kernel" || a.RTT == 0 {
				t.Fatalf("%s %q, stamps of the %s, RTT %d", a.Outcome, a.Message, a.Stamps, a.RTT)
			}
			bounds := 0
			for by := range a.UncertainBy.All() {
				bounds++
				if by < int64(time.Millisecond) || by > int64(20*time.Second) {
					t.Errorf("uncertain by %v", time.Duration(by))
				}
			}
			if a.Frames.Uncertain != tt.uncertain || bounds != tt.uncertain || (a.FirstUncertain > 0) != tt.first {
				t.Errorf("%d uncertain, %d bounds, first by %d; want %d, %v", a.Frames.Uncertain, bounds, a.FirstUncertain, tt.uncertain, tt.first)
			}
		})
	}
}

// A reader that is late still says when the bytes came.
func TestLateReader(t *testing.T) {
	if !hasKernelStamps() {
		t.Skip("no kernel stamps here")
	}
	sent := make(chan time.Time, 1)
	c := loopback(t, func(c *net.TCPConn) {
		readRequest(c)
		io.WriteString(c, chunkedHead+ev("{n:}")) // keeps the reader busy for 30 ms
		time.Sleep(10 * time.Millisecond)
		sent <- time.Now()
		io.WriteString(c, ev("{a:x|f:stop}")+lastChunk)
		io.Copy(io.Discard, c)
	})
	q := ask()
	q.Dialect = slow{}
	var a record.Attempt
	c.Do(t.Context(), q, &a)
	arrived := c.client.Epoch.Add(time.Duration(a.FirstOut))
	if off := arrived.Sub(<-sent); off < -time.Millisecond || off > 5*time.Millisecond {
		t.Errorf("first output %v after it was sent", off)
	}
	for lag := range a.Lags.All() {
		if lag < int64(10*time.Millisecond) {
			t.Errorf("the reader was late, and its lag is %v", time.Duration(lag))
		}
	}
	if a.Lags == nil {
		t.Error("no lag")
	}
}

func TestReset(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, tt := range []struct {
		name   string
		before string
		want   outcome.Class
	}{
		{"in the stream", chunkedHead + ev("{a:x}") + ev("{a:y}"), outcome.ConnectionReset},
		{"after the finish", chunkedHead + ev("{a:x|f:stop}"), outcome.OK},
		{"before an answer", "", outcome.ConnectionReset},
	} {
		c := loopback(t, func(c *net.TCPConn) {
			readRequest(c)
			io.WriteString(c, tt.before)
			time.Sleep(20 * time.Millisecond)
			c.SetLinger(0)
		})
		var a record.Attempt
		c.Do(t.Context(), ask(), &a)
		if a.Outcome != tt.want || c.Usable() {
			t.Errorf("%s: %s %q", tt.name, a.Outcome, a.Message)
		}
		c.Close()
	}
}

func TestStale(t *testing.T) {
	for _, how := range []string{"close", "reset", "unasked"} {
		c := loopback(t, func(c *net.TCPConn) {
			readRequest(c)
			io.WriteString(c, chunkedHead+ev("{a:x|f:stop}")+lastChunk)
			time.Sleep(20 * time.Millisecond)
			switch how {
			case "reset":
				c.SetLinger(0)
			case "unasked":
				io.WriteString(c, "HTTP/1.1 408 Request Timeout\r\n\r\n")
				io.Copy(io.Discard, c)
			}
		})
		var a record.Attempt
		c.Do(t.Context(), ask(), &a)
		if a.Outcome != outcome.OK || !c.Usable() || c.Stale() {
			t.Errorf("%s: %s, stale %v", how, a.Outcome, c.Stale())
		}
		time.Sleep(60 * time.Millisecond)
		if hasKernelStamps() && !c.Stale() {
			t.Errorf("%s was not seen", how)
		}
		c.Close()
	}
}

// A request too large for the socket's buffers, refused before it is read.
func TestEarlyRefusal(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := loopback(t, func(c *net.TCPConn) {
		c.Read(make([]byte, 100))
		io.WriteString(c, sized("HTTP/1.1 413 Too Large\r\n", "no"))
		time.Sleep(200 * time.Millisecond)
	})
	q := ask()
	q.Call.Body = make([]byte, 32<<20)
	var a record.Attempt
	begun := time.Now()
	c.Do(t.Context(), q, &a)
	if a.Outcome != outcome.BadRequest || a.Written != 0 || c.Usable() || time.Since(begun) > 8*time.Second {
		t.Errorf("%s %q, written %d, usable %v", a.Outcome, a.Message, a.Written, c.Usable())
	}
	c.Close()
}

func TestLargeRequest(t *testing.T) {
	c := loopback(t, func(c *net.TCPConn) {
		readRequest(c)
		io.WriteString(c, chunkedHead+ev("{a:x|f:stop}")+lastChunk)
		io.Copy(io.Discard, c)
	})
	q := ask()
	q.Call.Body = []byte(strings.Repeat("x", 3<<20))
	var a record.Attempt
	c.Do(t.Context(), q, &a)
	if a.Outcome != outcome.OK || a.Written <= a.Sent || a.Written > a.Headers || !c.Usable() {
		t.Errorf("%s %q, sent %d, written %d, headers %d", a.Outcome, a.Message, a.Sent, a.Written, a.Headers)
	}
}

func TestTLS(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.Copy(io.Discard, r.Body)
		for i := range 3 {
			fmt.Fprintf(w, "data: {a:w%d}\n\n", i)
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
		io.WriteString(w, "data: {f:stop|m:"+r.URL.Path+"}\n\n")
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	client := toyClient(nil)
	client.Target.Base, _ = url.Parse(s.URL + "/v1/")
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	client.TLS = &tls.Config{RootCAs: roots}
	c, err := client.Open(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if c.Stale() {
			t.Fatal("stale")
		}
		var a record.Attempt
		c.Do(t.Context(), ask(), &a)
		if a.Outcome != outcome.OK || a.Frames.Output != 3 || a.ServedModel != "/v1/go" || !c.Usable() {
			t.Fatalf("%s %q: %+v", a.Outcome, a.Message, a.Frames)
		}
		if (a.TLS > a.Connected) != (i == 0) {
			t.Errorf("attempt %d: connected %d, TLS %d", i, a.Connected, a.TLS)
		}
		for gap := range a.Gaps.All() {
			if gap < int64(8*time.Millisecond) && a.Frames.Uncertain == 0 {
				t.Errorf("gap %v", time.Duration(gap))
			}
		}
	}
	s.CloseClientConnections()
	time.Sleep(20 * time.Millisecond)
	if hasKernelStamps() && !c.Stale() {
		t.Error("a close under TLS was not seen")
	}
	c.Close()

	client.TLS = nil // the system's roots don't know the server
	_, err = client.Open(t.Context(), 2)
	if e, ok := err.(*OpenError); !ok || e.Class != outcome.Connect || e.Stage != StageTLS || e.Message == "" {
		t.Errorf("err = %+v", err)
	}
}

// What the protocol itself sends between two answers is no reason to leave a
// connection: here tickets, which a client that keeps sessions is sent.
func TestTicketsAreNotStale(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert} // then tickets follow the handshake
	s.StartTLS()
	defer s.Close()
	base, _ := url.Parse(s.URL)
	raw, err := net.Dial("tcp", base.Host)
	if err != nil {
		t.Fatal(err)
	}
	client := toyClient(nil)
	c := newConn(client, 1, stampOf(raw))
	defer c.Close()
	secure := tls.Client(c.sock, &tls.Config{InsecureSkipVerify: true, ClientSessionCache: tls.NewLRUClientSessionCache(1), ServerName: "x"})
	if err := secure.Handshake(); err != nil {
		t.Fatal(err)
	}
	c.over(secure)
	time.Sleep(20 * time.Millisecond)
	if hasKernelStamps() && !c.sock.Closed() {
		t.Fatal("no ticket came")
	}
	for range 2 {
		if c.Stale() {
			t.Error("a ticket was taken for a close")
		}
	}
	secure.SetReadDeadline(past) // as an attempt long ago may have left it
	s.CloseClientConnections()
	time.Sleep(20 * time.Millisecond)
	if hasKernelStamps() && !c.Stale() {
		t.Error("a close was not seen")
	}
}

func TestOpenErrors(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	client := toyClient(nil)
	client.Target.Base, _ = url.Parse("http://" + l.Addr().String())
	check := func(ctx context.Context, want outcome.Class, at Stage, said string) {
		t.Helper()
		_, err := client.Open(ctx, 1)
		e, ok := err.(*OpenError)
		if !ok || e.Class != want || e.Stage != at || !strings.Contains(e.Message, said) {
			t.Errorf("err = %+v, want %s in %s, %q", err, want, at, said)
		}
	}
	check(t.Context(), outcome.Connect, StageConnect, "refused")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	check(over, outcome.CutByRunEnd, StageConnect, "")
	client.Target.Base = &url.URL{Scheme: "http", Host: "no-such-host.invalid"}
	check(t.Context(), outcome.Connect, StageResolve, "no-such-host.invalid")
	client.Target.Base = &url.URL{Scheme: "ftp", Host: "x"}
	check(t.Context(), outcome.Connect, StageConnect, "ftp")
	client.Target.Base = nil
	check(t.Context(), outcome.Connect, StageConnect, "not a URL")

	synctest.Test(t, func(t *testing.T) {
		client := toyClient(func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		client.Timeouts.Connect = 10 * time.Second
		_, err := client.Open(t.Context(), 1)
		if e, ok := err.(*OpenError); !ok || e.Class != outcome.Connect || !strings.Contains(e.Message, "no connection within 10s") {
			t.Errorf("err = %v", err)
		}
	})
}

func TestFetch(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("Authorization"), r.URL.RawQuery)
		case "/v1/large":
			w.Write(make([]byte, fetchLimit+1))
		case "/v1/hang":
			<-r.Context().Done()
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	client := toyClient(nil)
	client.Target.Base, _ = url.Parse(s.URL + "/v1?a=b")
	client.Target.Header = http.Header{"authorization": {"Bearer k"}}
	client.Timeouts.Total = 10 * time.Second
	r, err := client.Fetch(t.Context(), "/models")
	if err != nil || r.Status != 200 || string(r.Body) != "GET Bearer k a=b" {
		t.Errorf("%d %q, %v", r.Status, r.Body, err)
	}
	if r, err := client.Fetch(t.Context(), "/none"); err != nil || r.Status != 404 {
		t.Errorf("%d, %v", r.Status, err)
	}
	if _, err := client.Fetch(t.Context(), "/large"); err == nil || !strings.Contains(err.Error(), "4 MiB") {
		t.Errorf("err = %v", err)
	}
	client.Timeouts.Total = 200 * time.Millisecond
	if _, err := client.Fetch(t.Context(), "/hang"); err == nil {
		t.Error("no limit")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := client.Fetch(ctx, "/hang"); err != context.DeadlineExceeded {
		t.Errorf("err = %v", err)
	}
}
