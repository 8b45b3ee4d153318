package check

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/text"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server answers below /v1 as a test says: the list of models, and the chat.
type server struct {
	models string // "": 404
	chat   http.HandlerFunc
}

func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/v1/models" && s.models != "":
		_, _ = io.WriteString(w, s.models)
	case r.URL.Path == "/v1/chat/completions":
		s.chat(w, r)
	default:
		http.NotFound(w, r)
	}
}

const oneModel = `{"object":"list","data":[{"id":"toy-1"}]}`

// piece is an event of a stream and how long it lets wait.
type piece struct {
	wait time.Duration
	data string
}

func content(s string) string {
	return `{"id":"cc-1","model":"toy-1","choices":[{"index":0,"delta":{"content":"` + s + `"},"finish_reason":null}]}`
}

const (
	finish = `{"id":"cc-1","model":"toy-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	usage  = `{"id":"cc-1","model":"toy-1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":4}}`
	gap    = 20 * time.Millisecond
)

var answer = []piece{{gap, content("al")}, {gap, content("pha")}, {gap, content(" be")}, {gap, content("ta")}, {0, finish}, {0, usage}, {0, "[DONE]"}}

func stream(pieces ...piece) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range pieces {
			if p.wait > 0 {
				w.(http.Flusher).Flush()
				select {
				case <-time.After(p.wait):
				case <-r.Context().Done():
					return
				}
			}
			fmt.Fprintf(w, "data: %s\n\n", p.data)
		}
	}
}

func says(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func refuses(status int, body string) http.HandlerFunc { return says(status, "application/json", body) }

// config checks base, with limits that a test can wait for.
func config(t *testing.T, base string) Config {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := dialect.Named("chat")
	return Config{
		Client: &wire.Client{
			Target:   wire.Target{Base: u, Header: http.Header{"Authorization": {"Bearer secret-key-1"}}, Secrets: []string{"secret-key-1"}},
			Timeouts: wire.Timeouts{Connect: 2 * time.Second, TTFT: 300 * time.Millisecond, Idle: 300 * time.Millisecond, Total: 2 * time.Second},
			Epoch:    time.Now().Add(-time.Millisecond),
		},
		Dialect: d,
		Request: prompt.Request{Model: "toy-1", Stream: true, MaxTokens: 16},
		Key:     Key{Variable: "TOY_KEY"},
	}
}

// against runs a check on a server of its own.
func against(t *testing.T, h http.Handler, change func(*Config)) Result {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close()
	c := config(t, s.URL+"/v1")
	if change != nil {
		change(&c)
	}
	return Run(t.Context(), c)
}

func statuses(r Result) map[string]Status {
	m := map[string]Status{}
	for _, s := range r.Steps {
		m[s.ID] = s.Status
	}
	return m
}

// allOK is what a plain check of a loopback server gives: an address has no
// name to resolve, and there is no TLS.
func allOK(changes ...string) map[string]Status {
	m := map[string]Status{"resolve": Skipped, "tls": Skipped}
	for _, id := range order {
		if m[id] == "" {
			m[id] = OK
		}
	}
	for i := 0; i < len(changes); i += 2 {
		m[changes[i]] = Status(changes[i+1])
	}
	return m
}

func TestAnswered(t *testing.T) {
	var attempts []*record.Attempt
	r := against(t, server{oneModel, stream(answer...)}, func(c *Config) {
		c.Emit = func(a *record.Attempt) error { attempts = append(attempts, a); return nil }
	})
	if r.Fault != nil {
		t.Fatalf("%v; %v", r.Fault.What, r.Fault.Hint)
	}
	got := statuses(r)
	got["rtt"] = OK // where the system doesn't tell it is skipped
	if diff := cmp.Diff(allOK(), got); diff != "" {
		t.Error(diff)
	}
	if r.Answer != "alpha beta" || !cmp.Equal(r.Models, []string{"toy-1"}) {
		t.Errorf("%q %v", r.Answer, r.Models)
	}
	l := r.Learned
	if l.Model != "toy-1" || !l.Streamed || !l.Usage || l.InputTokens != 7 || l.OutputTokens != 4 {
		t.Errorf("%+v", l)
	}
	// TTFT 20 ms and three gaps of 20 ms: TPOT 60/3. A busy machine is later; a
	// late first frame shortens the gaps.
	if l.TTFT < gap || l.TPOT < gap/2 || l.E2E < 4*gap || l.E2E > time.Second {
		t.Errorf("TTFT %v, TPOT %v, E2E %v", l.TTFT, l.TPOT, l.E2E)
	}
	if len(attempts) != 1 || attempts[0] != r.Attempt {
		t.Fatalf("%d attempts", len(attempts))
	}
	if a := attempts[0]; a.Phase != record.Preflight || a.Number != 1 || a.Try != 1 || a.Target != "toy-1" || a.Dispatched == 0 || a.Sent < a.Dispatched {
		t.Errorf("%+v", a)
	}
}

func TestSmallRequest(t *testing.T) {
	var body struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	r := against(t, server{oneModel, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&body)
		stream(answer...)(w, r)
	}}, func(c *Config) { c.Request.Model = "" })
	if r.Fault != nil || body.Model != "toy-1" || len(body.Messages) != 1 || body.Messages[0].Content == "" || r.Learned.Model != "toy-1" {
		t.Errorf("%v, sent %+v, learned %+v", r.Fault, body, r.Learned)
	}
}

// What is odd and stands in nobody's way.
func TestWarnings(t *testing.T) {
	many := []piece{{gap, content("a")}}
	for range 4 { // clumps of five frames: 16 of 20 gaps are none
		many = append(many, piece{2 * gap, content("b")}, piece{0, content("c")}, piece{0, content("d")}, piece{0, content("e")}, piece{0, content("f")})
	}
	many = append(many, piece{0, finish}, piece{0, "[DONE]"})
	for _, c := range []struct {
		name   string
		server server
		change func(*Config)
		want   map[string]Status
	}{
		{"no usage", server{oneModel, stream(append(answer[:5:5], piece{0, "[DONE]"})...)}, nil, allOK("usage", "warning")},
		{"no finish reason", server{oneModel, stream(append(answer[:4:4], piece{0, usage}, piece{0, "[DONE]"})...)}, nil, allOK("terminal", "warning")},
		{"case json-body-although-stream-asked", server{oneModel, refuses(200, `{"model":"toy-1","choices":[{"message":{"content":"alpha beta"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":4}}`)}, nil,
			allOK("stream", "warning", "frames", "skipped")},
		{"not asked to stream", server{oneModel, refuses(200, `{"model":"toy-1","choices":[{"message":{"content":"alpha beta"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":4}}`)},
			func(c *Config) { c.Request.Stream = false }, allOK("stream", "skipped", "frames", "skipped")},
		{"case sse-many-events-in-one-read", server{oneModel, stream(piece{gap, content("al")}, piece{0, content("pha")}, piece{0, finish}, piece{0, usage})}, nil, allOK("frames", "warning")},
		{"case gateway-releases-in-clumps", server{oneModel, stream(many...)}, nil, allOK("frames", "warning", "usage", "warning")},
		{"a model that is not listed", server{oneModel, stream(answer...)}, func(c *Config) { c.Request.Model = "anything" }, allOK("model", "warning")},
		{"models not listed at all", server{"", stream(answer...)}, nil, allOK()},
		{"white space around the key", server{oneModel, stream(answer...)}, func(c *Config) { c.Key.Space = true }, allOK("key", "warning")},
		{"no key needed", server{oneModel, stream(answer...)}, func(c *Config) { c.Client.Target.Header = nil; c.Key.Empty = true }, allOK("key", "skipped")},
	} {
		r := against(t, c.server, c.change)
		if r.Fault != nil {
			t.Errorf("%s: %v", c.name, r.Fault.What)
		}
		got := statuses(r)
		got["rtt"] = OK
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		for _, s := range r.Steps {
			for _, l := range []text.Lang{text.English, text.Chinese} {
				if d := s.Detail.In(l); strings.Contains(d, "%!") || strings.HasPrefix(d, "[") {
					t.Errorf("%s: %s: %q", c.name, s.ID, d)
				}
			}
		}
	}
}

func TestRecordThatCannotBeKept(t *testing.T) {
	r := against(t, server{oneModel, stream(answer...)}, func(c *Config) {
		c.Emit = func(*record.Attempt) error { return io.ErrShortWrite }
	})
	if r.Fault == nil || !strings.Contains(r.Fault.What.String(), "short write") {
		t.Errorf("%+v", r.Fault)
	}
}

const hiddenUsage = `{"id":"cc-1","model":"toy-1","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":104,"completion_tokens_details":{"reasoning_tokens":100}}}`

// Reasoning that was counted and not shown is in no time between frames: four
// tokens of 104 were, and so three gaps of 20 ms make 20 ms a token.
func TestSpeedBesideHiddenReasoning(t *testing.T) {
	r := against(t, server{oneModel, stream(append(append([]piece{}, answer[:5]...), piece{0, hiddenUsage}, piece{0, "[DONE]"})...)}, nil)
	if r.Fault != nil || r.Attempt.Tokens.Reasoning.N != 100 {
		t.Fatal(r.Fault, r.Attempt)
	}
	if want := since(r.Attempt.FirstOut, r.Attempt.LastOut) / 3; (r.Learned.TPOT - want).Abs() > time.Microsecond {
		t.Errorf("TPOT %v, want %v", r.Learned.TPOT, want)
	}
}

// A whole answer's time ends with its body, as the report's does, not with
// what the connection does after it.
func TestTimeOfAWholeAnswer(t *testing.T) {
	const body = `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":4}}`
	r := against(t, server{oneModel, says(200, "application/json", body)}, nil)
	if r.Fault != nil || r.Attempt == nil {
		t.Fatal(r.Fault)
	}
	want := since(r.Attempt.Sent, r.Attempt.LastOut)
	if r.Learned.E2E != want || want <= 0 || r.Attempt.End <= r.Attempt.LastOut {
		t.Errorf("E2E %v, want %v; end %v after it", r.Learned.E2E, want, since(r.Attempt.LastOut, r.Attempt.End))
	}
	for _, s := range r.Steps {
		if s.ID == "stream" && s.Took != want {
			t.Errorf("the step took %v, want %v", s.Took, want)
		}
	}
}

// One run's connections have numbers of their own, whoever opened them.
func TestConnectionsAreNumberedOn(t *testing.T) {
	for first, want := range map[int]int{0: 1, 5: 5} {
		r := against(t, server{oneModel, stream(answer...)}, func(c *Config) { c.FirstConn = first })
		if r.Attempt == nil || r.Attempt.Conn != want || r.LastConn != want {
			t.Errorf("from %d: %+v, last %d", first, r.Attempt, r.LastConn)
		}
	}
}
