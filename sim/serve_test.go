package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tidemark/sim/transcript"
	"tidemark/text"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve puts a server onto a real socket and ends it with the test.
func serve(t testing.TB, s *Server) (base string) {
	t.Helper()
	l, err := Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return "http://" + l.Addr().String()
}

func TestRequestsThatAreRefused(t *testing.T) {
	ask := func(rest string) string {
		return `{"model":"sim","messages":[{"role":"user","content":"hi"}]` + rest + `}`
	}
	for _, c := range []struct {
		name, body string
		status     int
		code       string // in the body
	}{
		{"no JSON", `{"model":`, 400, `"code":null`},
		{"a list", `[]`, 400, `"code":null`},
		{"wrong type", ask(`,"stream":"yes"`), 400, `"code":null`},
		{"no messages", `{"model":"sim"}`, 400, `"param":"messages"`},
		{"no role", `{"model":"sim","messages":[{"content":"hi"}]}`, 400, `messages[0].role`},
		{"content", `{"model":"sim","messages":[{"role":"user","content":7}]}`, 400, `messages[0].content`},
		{"n", ask(`,"n":2`), 400, `"param":"n"`},
		{"zero tokens", ask(`,"max_tokens":0`), 400, `"param":"max_tokens"`},
		{"newer name", ask(`,"max_completion_tokens":-1`), 400, `"param":"max_completion_tokens"`},
		{"too many tokens", ask(`,"max_tokens":32769`), 400, "context_length_exceeded"},
		{"model", strings.Replace(ask(""), "sim", "other", 1), 404, "model_not_found"},
		{"long fault", strings.Replace(ask(""), "sim", "fault:"+strings.Repeat("x", 300), 1), 400, "too long"},
		{"parts", `{"model":"sim","n":1,"max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url"}]},{"role":"assistant","content":null}]}`, 200, `"prompt_tokens":9,`},
		{"both names", ask(`,"max_tokens":3,"max_completion_tokens":2`), 200, `"completion_tokens":2,`},
		{"no limit", ask(``), 200, `"completion_tokens":128,`},
	} {
		t.Run(c.name, func(t *testing.T) {
			virtual(t, Config{}, func(w *world) {
				status, header, body := w.do("POST", "/v1/chat/completions", c.body)
				if status != c.status || !strings.Contains(body, c.code) || header.Get("X-Request-Id") != "sim-1" {
					w.Errorf("%d %s", status, body)
				}
				if !json.Valid([]byte(body)) {
					w.Errorf("no JSON: %s", body)
				}
			})
		})
	}
}

func TestBodyIsBounded(t *testing.T) {
	virtual(t, Config{}, func(w *world) {
		body := `{"model":"` + strings.Repeat("x", mostBody) + `"}`
		req, err := http.NewRequest("POST", "http://sim/v1/chat/completions", strings.NewReader(body))
		if err != nil {
			w.Fatal(err)
		}
		rec := httptest.NewRecorder()
		w.server.ServeHTTP(rec, req)
		if rec.Code != http.StatusRequestEntityTooLarge || !strings.Contains(rec.Body.String(), "8388608") {
			w.Errorf("%d %s", rec.Code, rec.Body)
		}
	})
}

func TestRoutes(t *testing.T) {
	const models = `{"data":[{"id":"a","object":"model","created":946684800,"owned_by":"tidemark"},{"id":"b","object":"model","created":946684800,"owned_by":"tidemark"}],"object":"list"}`
	for _, c := range []struct {
		method, path string
		header       []string
		status       int
		body         string
	}{
		{"GET", "/v1/models", []string{"Authorization", "Bearer secret"}, 200, models},
		{"GET", "/v1/models", nil, 401, ""},
		{"GET", "/v1/models", []string{"Authorization", "Bearer wrong"}, 401, ""},
		{"GET", "/v1/models", []string{"Authorization", "secret"}, 401, ""},
		{"POST", "/v1/chat/completions", []string{"Authorization", "Bearer secret2"}, 401, ""},
		{"POST", "/v1/models", []string{"Authorization", "Bearer secret"}, 405, ""},
		{"GET", "/v1/chat/completions", nil, 405, ""},
		{"POST", "/chat/completions", nil, 404, "404 page not found\n"},
		{"POST", "/v1/v1/chat/completions", nil, 404, "404 page not found\n"},
		{"GET", "/models", nil, 404, "404 page not found\n"},
		{"GET", "/", nil, 404, "404 page not found\n"},
		{"GET", "/sim/other", nil, 404, "404 page not found\n"},
		{"GET", "/sim/truth?since=x", nil, 400, ""},
		{"PUT", "/sim/truth", nil, 405, ""},
		{"DELETE", "/sim/truth", nil, 204, ""},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			virtual(t, Config{Models: []string{"a", "b"}, APIKey: "secret"}, func(w *world) {
				status, _, body := w.do(c.method, c.path, question, c.header...)
				if status != c.status || c.body != "" && body != c.body {
					w.Errorf("%d %s", status, body)
				}
			})
		})
	}
}

func TestTruthOverHTTP(t *testing.T) {
	virtual(t, Config{Schedule: &Schedule{TTFT: 50 * time.Millisecond}}, func(w *world) {
		for range 3 {
			w.ask(w.Context(), question)
		}
		status, _, body := w.do("GET", "/sim/truth?since=2", "")
		var got Truth
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 {
			w.Fatalf("%d %v %s", status, err, body)
		}
		if d := cmp.Diff(w.server.Truth(2), got); d != "" || len(got.Rows) != 1 || got.TTFT.P99 != 50 {
			w.Errorf("%s\n%s", d, body)
		}
		w.do("DELETE", "/sim/truth", "")
		if _, _, body := w.do("GET", "/sim/truth", ""); !strings.Contains(body, `"requests":0,`) || !strings.Contains(body, `"ttft_ms":null`) {
			w.Error(body)
		}
	})
}

func TestAnswers(t *testing.T) {
	c := Config{Schedule: &Schedule{}, RoleWithFirst: true, Lengths: Lengths{Least: 2, Most: 6}, Seed: 3}
	virtual(t, c, func(w *world) {
		got := w.ask(w.Context(), strings.Replace(question, `"max_tokens":4`, `"max_tokens":50,"ignore_eos":true`, 1))
		if len(got.tokens) != 50 || got.finish != "length" || !strings.Contains(got.text, "harbour") || got.text[0] == ' ' {
			w.Errorf("%+v", got)
		}
		if !strings.Contains(got.frames[0], `"role":"assistant"`) {
			w.Errorf("first frame %s", got.frames[0])
		}
		got = w.ask(w.Context(), strings.Replace(question, `"hi"`, `"潮水什么时候涨？"`, 1))
		if len([]rune(got.text)) < 4 || strings.ContainsFunc(got.text, func(r rune) bool { return r < 0x80 }) {
			w.Errorf("%q", got.text)
		}
		seen := map[string]int{}
		for range 100 {
			got := w.ask(w.Context(), question)
			n := len(got.tokens)
			seen[fmt.Sprint(n, got.finish)]++
			if got.usage.Output != n {
				w.Errorf("usage %+v for %d tokens", got.usage, n)
			}
		}
		// 2 to 6, evenly, but never above 4: a fifth, a fifth, and three fifths cut.
		if len(seen) != 3 || seen["2stop"] < 5 || seen["3stop"] < 5 || seen["4length"] < 40 {
			w.Error(seen)
		}
	})
}

func TestRoleWithFirst(t *testing.T) {
	c := Config{Schedule: &Schedule{TTFT: 50 * time.Millisecond, ITL: 10 * time.Millisecond}, RoleWithFirst: true}
	virtual(t, c, func(w *world) {
		writes := w.raw(question)
		if len(writes) != 5 || writes[0].at != 0 || writes[1].at != 50 || strings.Contains(writes[0].bytes, "data:") ||
			!strings.Contains(writes[1].bytes, `"role"`) || strings.Count(writes[1].bytes, "data:") != 2 {
			w.Errorf("%+v", writes)
		}
	})
}

func TestTranscripts(t *testing.T) {
	const file = `
case first
0    HEAD
100  ROLE
300  C "al"
360  C "ta"  FIN stop  DONE  EOF
want outcome ok

case second
0    HEAD
200  C "x"
250  CLOSE
want outcome incomplete_stream
`
	scripts, err := transcript.Parse("t", []byte(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	virtual(t, Config{Transcripts: scripts}, func(w *world) {
		for range 2 {
			got := w.ask(w.Context(), question)
			if d := cmp.Diff(millis(300, 360), got.tokens); d != "" || !got.done || got.text != "alta" {
				w.Errorf("%s %+v", d, got)
			}
			// Over the same connection, which the first left usable.
			got = w.ask(w.Context(), question)
			if d := cmp.Diff(millis(200), got.tokens); d != "" || !errors.Is(got.err, io.ErrUnexpectedEOF) {
				w.Errorf("%s %v", d, got.err)
			}
		}
		if n := w.server.Truth(0).Connections; n != 2 {
			w.Errorf("%d connections", n)
		}
	})
}

// Close ends what is under way, wherever it stands.
func TestCloseEndsAll(t *testing.T) {
	for _, c := range []Config{{}, {Schedule: &Schedule{TTFT: time.Hour}}, {Faults: []Fault{{Kind: Stall, Wait: time.Hour}}}} {
		virtual(t, c, func(w *world) {
			ended := make(chan seen)
			go func() {
				ended <- w.ask(w.Context(), strings.Replace(question, `"max_tokens":4`, `"max_tokens":30000`, 1))
			}()
			time.Sleep(time.Second)
			if err := w.server.Close(); err != nil {
				w.Error(err)
			}
			if got := <-ended; got.err == nil || got.done {
				w.Errorf("done %v, error %v", got.done, got.err)
			}
			if truth := w.server.Truth(0); truth.InFlight != 0 || truth.Requests != 1 || truth.OK != 0 {
				w.Errorf("%+v", truth)
			}
		})
	}
}

// A reader that takes nothing is given up.
func TestReaderThatTakesNothing(t *testing.T) {
	virtual(t, Config{Schedule: &Schedule{}}, func(w *world) {
		conn, err := w.pipes.Dial(w.Context(), "", "")
		if err != nil {
			w.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: sim\r\nContent-Length: %d\r\n\r\n%s", len(question), question)
		time.Sleep(2*patience + time.Second)
		if truth := w.server.Truth(0); truth.InFlight != 0 || truth.Requests != 1 || truth.OK != 0 {
			w.Errorf("%+v", truth)
		}
	})
}

// On a real socket the truth counts from the kernel's stamp: the two ends
// agree but for the loopback and the wait for a core.
func TestTruthOnARealSocket(t *testing.T) {
	s, err := New(Config{Schedule: &Schedule{TTFT: 20 * time.Millisecond, ITL: 2 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, s)
	for range 5 {
		start := time.Now()
		resp, err := http.Post(base+"/v1/chat/completions", "application/json", strings.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		took := float64(time.Since(start)) / 1e6
		if err != nil || !strings.HasSuffix(string(body), done) {
			t.Fatalf("%v %s", err, body)
		}
		truth := s.Truth(0)
		r := truth.Rows[len(truth.Rows)-1]
		if r.TTFTMs < 20 || r.E2EMs < 26 || r.E2EMs > took || truth.Connections != 1 {
			t.Errorf("took %v ms, %+v", took, r)
		}
	}
}

func TestListen(t *testing.T) {
	for addr, id := range map[string]string{
		"127.0.0.1:0":    "",
		"localhost:0":    "",
		"127.9.9.9:0":    "",
		":0":             "sim.exposed",
		"0.0.0.0:0":      "sim.exposed",
		"[::]:0":         "sim.exposed",
		"example.com:80": "sim.exposed",
		"127.0.0.1":      "sim.bad_address",
		"127.0.0.1:x":    "sim.listen",
	} {
		l, err := Listen(addr, false)
		var f *text.Fault
		switch {
		case err == nil:
			l.Close()
			fallthrough
		case errors.As(err, &f):
			if got := idOf(f); got != id {
				t.Errorf("%s: %q, want %q", addr, got, id)
			}
		default:
			t.Errorf("%s: %v is no fault", addr, err)
		}
	}
	l, err := Listen("0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

func idOf(f *text.Fault) string {
	if f == nil {
		return ""
	}
	return f.What.ID
}

func TestConfigIsChecked(t *testing.T) {
	for id, c := range map[string]Config{
		"sim.bad_max_tokens": {MaxTokens: mostTokens + 1},
		"sim.bad_lengths":    {Lengths: Lengths{Least: 5, Most: 4}},
		"sim.negative":       {Engine: Engine{Base: -1}},
		"sim.unknown_fault":  {Faults: []Fault{{}}},
		"sim.fault_range":    {Faults: []Fault{{Kind: Cut, Rate: 1.5}}},
	} {
		_, err := New(c)
		var f *text.Fault
		if !errors.As(err, &f) || f.What.ID != id {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestTranscriptLeftOpenEndsWithClose(t *testing.T) {
	scripts, err := transcript.Parse("t", []byte("case open\n0 HEAD\n100 ROLE\nwant outcome idle_timeout\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	virtual(t, Config{Transcripts: scripts}, func(w *world) {
		ended := make(chan seen)
		go func() { ended <- w.ask(w.Context(), question) }()
		time.Sleep(time.Minute)
		if err := w.server.Close(); err != nil {
			w.Error(err)
		}
		if got := <-ended; got.err == nil || len(got.frames) != 1 {
			w.Errorf("%d frames, %v", len(got.frames), got.err)
		}
	})
}

// Whatever comes is answered with JSON, and nothing breaks.
func FuzzRequest(f *testing.F) {
	f.Add([]byte(question), "")
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"text":null}]}],"model":"fault:html","max_tokens":1}`), "buffer")
	f.Add([]byte(`{"stream_options":null,"n":1,"messages":[{}]}`), "500:wait=1s")
	s, err := New(Config{Schedule: &Schedule{}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	f.Fuzz(func(t *testing.T, body []byte, fault string) {
		if strings.Contains(fault+string(body), "wait") {
			return // an hour is a fault's right
		}
		defer func() {
			if r := recover(); r != nil && r != http.ErrAbortHandler {
				t.Errorf("%v", r)
			}
		}()
		req := httptest.NewRequest("POST", "/v1/chat/completions", strings.NewReader(string(body)))
		req.Header.Set(faultHeader, fault)
		rec := httptest.NewRecorder()
		s.ServeHTTP(rec, req)
		if rec.Code != 200 && !json.Valid(rec.Body.Bytes()) {
			t.Errorf("%d %q", rec.Code, rec.Body)
		}
	})
}
