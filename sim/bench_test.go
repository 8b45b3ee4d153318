package sim

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// sink is a client that costs nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}
func (s *sink) FlushError() error           { return nil }

func tokens(n int) string {
	return strings.Replace(question, `"max_tokens":4`, fmt.Sprintf(`"max_tokens":%d`, n), 1)
}

// What a streamed token costs here, net/http and the kernel apart: one
// operation is one token.
func BenchmarkToken(b *testing.B) {
	s, err := New(Config{Schedule: &Schedule{}})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	const each = 1000
	b.ReportAllocs()
	for n := 0; n < b.N; n += each {
		s.ServeHTTP(&sink{http.Header{}}, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(tokens(each))))
	}
}

// What it costs over a loopback socket, a reader that throws all away and
// never lets the server sleep included.
func BenchmarkTokenOverLoopback(b *testing.B) {
	s, err := New(Config{Schedule: &Schedule{}})
	if err != nil {
		b.Fatal(err)
	}
	base := serve(b, s)
	const each = 1000
	b.ReportAllocs()
	for n := 0; n < b.N; n += each {
		resp, err := http.Post(base+"/v1/chat/completions", "", strings.NewReader(tokens(each)))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			b.Fatal(err)
		}
		resp.Body.Close()
	}
}

// A token takes no memory: a long answer allocates no more than a short one,
// but for the gaps, whose room is made at once.
func TestTokensAllocateNothing(t *testing.T) {
	s, err := New(Config{Schedule: &Schedule{TTFT: time.Nanosecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	allocs := func(n int) float64 {
		body := tokens(n)
		return testing.AllocsPerRun(20, func() {
			s.ServeHTTP(&sink{http.Header{}}, httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(body)))
		})
	}
	if short, long := allocs(10), allocs(2010); long > short+20 {
		t.Errorf("10 tokens: %v allocations, 2,010: %v", short, long)
	}
}
