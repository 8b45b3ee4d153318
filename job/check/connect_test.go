package check

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire"
)

// quiet starts a server with TLS that doesn't log the handshakes that fail.
func quiet(s *httptest.Server) *httptest.Server {
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	return s
}

func TestNoConnection(t *testing.T) {
	plain := httptest.NewServer(server{oneModel, stream(answer...)})
	defer plain.Close()
	secure := quiet(httptest.NewUnstartedServer(server{oneModel, stream(answer...)}))
	defer secure.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := l.Addr().String()
	l.Close()
	for _, c := range []struct {
		name, base       string
		step, what, hint string
	}{
		{"refused", "http://" + closed + "/v1", "connect", "refused", "server is running"},
		{"no such name", "http://no-such-host.invalid/v1", "resolve", "no-such-host.invalid", "DNS"},
		{"TLS to plain HTTP", "https://" + plain.Listener.Addr().String() + "/v1", "tls", "does not speak TLS", "use --url http://" + plain.Listener.Addr().String()},
		{"an unknown authority", secure.URL + "/v1", "tls", "does not trust", "SSL_CERT_FILE"},
		{"plain HTTP to TLS", "http://" + secure.Listener.Addr().String() + "/v1", "stream", "HTTPS", "use --url https://" + secure.Listener.Addr().String() + "/v1"},
	} {
		made := 0
		cfg := config(t, c.base)
		cfg.Emit = func(*record.Attempt) error { made++; return nil }
		r := Run(t.Context(), cfg)
		expectFault(t, c.name, r, c.step, c.what, c.hint)
		if made != 1 || r.Attempt == nil || r.Attempt.Outcome.Side() == outcome.Success {
			t.Errorf("%s: %d attempts, %+v", c.name, made, r.Attempt)
		}
	}
}

func TestTLS(t *testing.T) {
	s := quiet(httptest.NewUnstartedServer(server{oneModel, stream(answer...)}))
	defer s.Close()
	trusting := s.Client().Transport.(*http.Transport).TLSClientConfig
	c := config(t, s.URL+"/v1")
	c.Client.TLS = trusting
	r := Run(t.Context(), c)
	if r.Fault != nil || statuses(r)["tls"] != OK {
		t.Errorf("%v %v", r.Fault, statuses(r))
	}
	for _, step := range r.Steps {
		if (step.ID == "tls" || step.ID == "connect" || step.ID == "stream") && step.Took <= 0 {
			t.Errorf("%s took %v", step.ID, step.Took)
		}
	}
	// The certificate is for 127.0.0.1 and example.com.
	c = config(t, strings.Replace(s.URL, "127.0.0.1", "localhost", 1)+"/v1")
	c.Client.TLS = trusting
	expectFault(t, "another name", Run(t.Context(), c), "tls", "another name than localhost", "host name")
}

func TestSilentHandshake(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := config(t, "https://"+l.Addr().String()+"/v1")
	c.Client.Timeouts.Connect = 100 * time.Millisecond
	// The connection stands, so it is the handshake that failed.
	expectFault(t, "silence", Run(t.Context(), c), "tls", "100ms", "--connect-timeout")
}

func TestClosedInTheHandshake(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	expectFault(t, "closed", Run(t.Context(), config(t, "https://"+l.Addr().String()+"/v1")), "tls", "TLS handshake", "speaks TLS")
}

// The connection that was opened first may be closed while the models are
// listed: another is opened, and nothing is blamed.
func TestClosedWhileModelsAreListed(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			time.Sleep(300 * time.Millisecond)
		}
		server{oneModel, stream(answer...)}.ServeHTTP(w, r)
	}))
	s.Config.ReadHeaderTimeout = 100 * time.Millisecond
	s.Start()
	defer s.Close()
	r := Run(t.Context(), config(t, s.URL+"/v1"))
	if r.Fault != nil || r.Attempt.Conn != 2 || r.Attempt.Number != 1 {
		t.Errorf("%v, %+v", r.Fault, r.Attempt)
	}
}

func TestInterrupted(t *testing.T) {
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer s.Close()
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	c := config(t, s.URL+"/v1")
	c.Client.Timeouts = wire.Timeouts{}
	r := Run(ctx, c)
	if r.Fault == nil || r.Attempt == nil || r.Attempt.Outcome != outcome.CutByRunEnd {
		t.Errorf("%v, %+v", r.Fault, r.Attempt)
	}
}
