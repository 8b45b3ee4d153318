package sim

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidemark/text"
)

// write is what arrived in one write of the server, its chunked framing
// included.
type write struct {
	at    float64 // ms after the request
	bytes string
}

// raw sends one request over a connection of its own and keeps every write.
func (w *world) raw(body string, header ...string) (writes []write) {
	conn, err := w.pipes.Dial(w.Context(), "", "")
	if err != nil {
		w.Fatal(err)
	}
	defer conn.Close()
	req := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: sim\r\nConnection: close\r\nContent-Length: %d\r\n", len(body))
	for i := 0; i < len(header); i += 2 {
		req += header[i] + ": " + header[i+1] + "\r\n"
	}
	if _, err := io.WriteString(conn, req+"\r\n"+body); err != nil {
		w.Fatal(err)
	}
	start := time.Now()
	buf := make([]byte, 64<<10)
	for {
		n, err := conn.Read(buf)
		if n > 0 {
			writes = append(writes, write{float64(time.Since(start)) / 1e6, string(buf[:n])})
		}
		if errors.Is(err, io.EOF) {
			return writes
		}
		if err != nil {
			w.Fatal(err)
		}
	}
}

// The pieces of an answer to question, whose id is sim-1, in virtual time's
// first second. Seed 0 begins its first answer at the words below.
const (
	chunkOpen = `data: {"id":"sim-1","object":"chat.completion.chunk","created":946684800,"model":"MODEL","system_fingerprint":"fp_tidemark_sim",`
	roleFrame = chunkOpen + `"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n"
	endFrame  = chunkOpen + `"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}` + "\n\n"
	useFrame  = chunkOpen + `"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9}}` + "\n\n"
	doneFrame = "data: [DONE]\n\n"
)

func wordFrame(w string) string {
	return chunkOpen + `"choices":[{"index":0,"delta":{"content":"` + w + `"},"finish_reason":null}]}` + "\n\n"
}

// dechunk joins the bodies of chunked writes and tells whether the last chunk
// came.
func dechunk(t *testing.T, writes []write) (parts []write, ended bool) {
	for i, w := range writes {
		b := w.bytes
		if i == 0 {
			_, after, ok := strings.Cut(b, "\r\n\r\n")
			if !ok {
				t.Fatalf("no headers: %q", b)
			}
			b = after
		}
		var joined string
		for b != "" {
			var n int
			size, rest, _ := strings.Cut(b, "\r\n")
			if _, err := fmt.Sscanf(size, "%x", &n); err != nil || n+2 > len(rest) && n > 0 {
				t.Fatalf("bad chunk in %q", w.bytes)
			}
			if n == 0 {
				ended, b = true, strings.TrimPrefix(rest, "\r\n")
				continue
			}
			joined += rest[:n]
			b = rest[n+2:]
		}
		parts = append(parts, write{w.at, joined})
	}
	return parts, ended
}

func TestFaultsInsideOfStreams(t *testing.T) {
	w1, w2, w3, w4 := firstWords()
	tail := endFrame + useFrame + doneFrame
	errFrame := `data: {"error":{"message":"The engine stopped.","type":"server_error","param":null,"code":500}}` + "\n\n" + doneFrame
	for _, c := range []struct {
		fault string
		want  []write
		ended bool
		ok    bool
	}{
		{"", []write{{0, roleFrame}, {50, w1}, {60, w2}, {70, w3}, {80, w4 + tail}}, true, true},
		{"stall:after=2:wait=1s", []write{{0, roleFrame}, {50, w1}, {60, w2}, {1070, w3}, {1080, w4 + tail}}, true, true},
		{"role_wait:wait=3s", []write{{0, roleFrame}, {3050, w1}, {3060, w2}, {3070, w3}, {3080, w4 + tail}}, true, true},
		{"no_usage", []write{{0, roleFrame}, {50, w1}, {60, w2}, {70, w3}, {80, w4 + endFrame + doneFrame}}, true, true},
		{"no_finish", []write{{0, roleFrame}, {50, w1}, {60, w2}, {70, w3}, {80, w4 + useFrame + doneFrame}}, true, true},
		{"no_end", []write{{0, roleFrame}, {50, w1}, {60, w2}, {70, w3}, {80, w4}}, true, false},
		{"buffer", []write{{80, roleFrame + w1 + w2 + w3 + w4 + tail}, {80, ""}}, true, true},
		{"error:after=1", []write{{0, roleFrame}, {50, w1}, {60, errFrame}, {60, ""}}, true, false},
		{"error:after=0", []write{{0, roleFrame}, {50, errFrame}, {50, ""}}, true, false},
		{"cut:after=2", []write{{0, roleFrame}, {50, w1}, {60, w2}}, false, false},
		{"cut:after=99", []write{{0, roleFrame}, {50, w1}, {60, w2}, {70, w3}}, false, false},
		{"rst:after=2", []write{{0, roleFrame}, {50, w1}, {60, w2}}, false, false},
		{"no_output", []write{
			{0, roleFrame},
			{0, strings.Replace(endFrame, "length", "stop", 1) + strings.Replace(strings.Replace(useFrame, `completion_tokens":4`, `completion_tokens":0`, 1), `total_tokens":9`, `total_tokens":5`, 1) + doneFrame},
			{0, ""},
		}, true, false},
		{"empty", []write{{0, ""}, {0, ""}}, true, false},
	} {
		t.Run(c.fault, func(t *testing.T) {
			virtual(t, Config{Schedule: &Schedule{TTFT: 50 * time.Millisecond, ITL: 10 * time.Millisecond}}, func(w *world) {
				var header []string
				if c.fault != "" {
					header = []string{faultHeader, c.fault}
				}
				got, ended := dechunk(w.T, w.raw(question, header...))
				for i := range c.want {
					c.want[i].bytes = strings.ReplaceAll(c.want[i].bytes, "MODEL", DefaultModel)
				}
				if d := cmp.Diff(c.want, got, cmp.AllowUnexported(write{})); d != "" {
					w.Error(d)
				}
				if ended != c.ended {
					w.Errorf("last chunk: %v, want %v", ended, c.ended)
				}
				truth := w.server.Truth(0)
				if got := truth.OK == 1; got != c.ok || truth.Requests != 1 || truth.InFlight != 0 {
					w.Errorf("%+v", truth)
				}
			})
		})
	}
}

// firstWords are the content frames of the first answer of seed 0.
func firstWords() (a, b, c, d string) {
	s := &Server{}
	list := words[false]
	start := int(s.draw(1, drawWords) * float64(len(list)))
	return wordFrame(word(list, start, 0)), wordFrame(word(list, start, 1)), wordFrame(word(list, start, 2)), wordFrame(word(list, start, 3))
}

func TestFaultsInPlaceOfAnswers(t *testing.T) {
	for _, c := range []struct {
		fault  string
		status int
		retry  string
		kind   string // of content
		body   string
	}{
		{"429:wait=7s", 429, "7", "application/json", `{"error":{"message":"Rate limit reached for requests.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`},
		{"429:wait=1.2s", 429, "2", "application/json", `{"error":{"message":"Rate limit reached for requests.","type":"requests","param":null,"code":"rate_limit_exceeded"}}`},
		{"quota", 429, "", "application/json", `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`},
		{"500", 500, "", "application/json", `{"error":{"message":"The server had an error while processing your request.","type":"server_error","param":null,"code":null}}`},
		{"503", 503, "", "application/json", `{"error":{"message":"The server is overloaded, please try again later.","type":"server_error","param":null,"code":"overloaded"}}`},
		{"401", 401, "", "application/json", `{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`},
		{"404", 404, "", "application/json", `{"error":{"message":"The model \"fault:404\" does not exist.","type":"invalid_request_error","param":"model","code":"model_not_found"}}`},
		{"html", 200, "", "text/html; charset=utf-8", htmlPage},
		{"nonsense", 400, "", "application/json", `{"error":{"message":"no fault is called \"nonsense\"","type":"invalid_request_error","param":"model","code":null}}`},
	} {
		for _, stream := range []string{"true", "false"} {
			t.Run(c.fault+"/stream "+stream, func(t *testing.T) {
				virtual(t, Config{}, func(w *world) {
					body := strings.Replace(asking("fault:"+c.fault), `"stream":true`, `"stream":`+stream, 1)
					status, header, got := w.do("POST", "/v1/chat/completions", body)
					if status != c.status || header.Get("Retry-After") != c.retry || header.Get("Content-Type") != c.kind {
						w.Errorf("%d %v", status, header)
					}
					if d := cmp.Diff(c.body, got); d != "" {
						w.Error(d)
					}
					if truth := w.server.Truth(0); truth.Requests != 1 || truth.OK != 0 || truth.Rows[0].Status != c.status {
						w.Errorf("%+v", truth)
					}
				})
			})
		}
	}
}

func TestFaultsOfWholeAnswers(t *testing.T) {
	a, b, c, d := firstWords()
	var text string
	for _, f := range []string{a, b, c, d} {
		_, after, _ := strings.Cut(f, `"content":"`)
		before, _, _ := strings.Cut(after, `"}`)
		text += before
	}
	full := func(content, finish, usage string) string {
		return `{"id":"sim-1","object":"chat.completion","created":946684800,"model":"sim","system_fingerprint":"fp_tidemark_sim",` +
			`"choices":[{"index":0,"message":{"role":"assistant","content":"` + content + `"},"logprobs":null,"finish_reason":` + finish + `}]` + usage + `}`
	}
	use := `,"usage":{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9}`
	for _, c := range []struct {
		fault string
		at    float64
		body  string
		cut   bool
		ok    bool
	}{
		{"", 80, full(text, `"length"`, use), false, true},
		{"stall:wait=1s", 1080, full(text, `"length"`, use), false, true},
		{"role_wait:wait=1s", 1080, full(text, `"length"`, use), false, true},
		{"buffer", 80, full(text, `"length"`, use), false, true},
		{"no_usage", 80, full(text, `"length"`, ""), false, true},
		{"no_finish", 80, full(text, `null`, use), false, true},
		{"no_output", 80, full("", `"stop"`, `,"usage":{"prompt_tokens":5,"completion_tokens":0,"total_tokens":5}`), false, false},
		{"empty", 0, "", false, false},
		{"error", 0, `{"error":{"message":"The server had an error while processing your request.","type":"server_error","param":null,"code":null}}`, false, false},
		{"cut", 80, full(text, `"length"`, use), true, false},
		{"rst", 80, full(text, `"length"`, use), true, false},
	} {
		t.Run(c.fault, func(t *testing.T) {
			virtual(t, Config{Schedule: &Schedule{TTFT: 50 * time.Millisecond, ITL: 10 * time.Millisecond}}, func(w *world) {
				var header []string
				if c.fault != "" {
					header = []string{faultHeader, c.fault}
				}
				writes := w.raw(strings.Replace(question, `"stream":true`, `"stream":false`, 1), header...)
				head, got, _ := strings.Cut(writes[0].bytes, "\r\n\r\n")
				want := c.body
				if c.cut {
					want = want[:len(want)/2]
				}
				if d := cmp.Diff(want, got); d != "" {
					w.Error(d)
				}
				if len(writes) != 1 || writes[0].at != c.at || !strings.Contains(head, fmt.Sprintf("Content-Length: %d\r\n", len(c.body))) {
					w.Errorf("%v", writes)
				}
				truth := w.server.Truth(0)
				if (truth.OK == 1) != c.ok || truth.TTFT != nil || truth.Gap != nil || (truth.E2E != nil) != c.ok {
					w.Errorf("%+v", truth)
				}
			})
		})
	}
}

func TestResetIsAReset(t *testing.T) {
	s, err := New(Config{Schedule: &Schedule{TTFT: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	base := serve(t, s)
	for fault, want := range map[string]string{"rst": "connection reset by peer", "cut": "unexpected EOF"} {
		resp, err := http.Post(base+"/v1/chat/completions", "", strings.NewReader(asking("fault:"+fault)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", fault, err, want)
		}
	}
}

func TestConfiguredFaults(t *testing.T) {
	c := Config{Schedule: &Schedule{}, Seed: 7, Faults: []Fault{{Kind: ServerError, Every: 5}, {Kind: RateLimited, Rate: .25}}}
	statuses := func() (out string) {
		virtual(t, c, func(w *world) {
			for range 400 {
				out += string(rune('0' + w.ask(w.Context(), question).status/100))
			}
			limited := 0
			for _, r := range w.server.Truth(0).Rows {
				if r.Number%5 == 0 && r.Status != 500 {
					w.Errorf("request %d: %d", r.Number, r.Status)
				}
				if r.Status == 429 {
					limited++
				}
			}
			// 320 draws at 1/4: 80, and four standard deviations of 7.7 either way.
			if limited < 49 || limited > 111 {
				w.Errorf("%d of 320 were limited", limited)
			}
		})
		return out
	}
	if d := cmp.Diff(statuses(), statuses()); d != "" {
		t.Errorf("the same seed, other faults: %s", d)
	}
}

func TestParseFault(t *testing.T) {
	for in, want := range map[string]Fault{
		"stall":                                 {Kind: Stall, After: 3, Wait: 2 * time.Second},
		"cut:rate=0.05:after=0":                 {Kind: Cut, Rate: .05, Wait: 2 * time.Second},
		"429:every=10:wait=500ms":               {Kind: RateLimited, Every: 10, After: 3, Wait: 500 * time.Millisecond},
		"error:after=1:after=2:every=0:wait=0s": {Kind: InbandError, After: 2},
	} {
		got, err := ParseFault(in)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", in, err, d)
		}
	}
	for in, id := range map[string]string{
		"":                 "sim.unknown_fault",
		"fire":             "sim.unknown_fault",
		"cut:":             "sim.bad_fault",
		"cut:after":        "sim.bad_fault",
		"cut:often=3":      "sim.bad_fault",
		"cut:every=x":      "sim.bad_fault",
		"cut:rate=2":       "sim.fault_range",
		"cut:rate=NaN":     "sim.fault_range",
		"cut:after=-1":     "sim.fault_range",
		"stall:wait=2h":    "sim.fault_range",
		"stall:wait=-1s":   "sim.fault_range",
		"stall:every=-1":   "sim.fault_range",
		"stall,after=5":    "sim.unknown_fault",
		"stall:wait=1e99s": "sim.bad_fault",
	} {
		_, err := ParseFault(in)
		var f *text.Fault
		if !errors.As(err, &f) || f.What.ID != id || f.Hint.ID == "" {
			t.Errorf("%q: %v, want %s", in, err, id)
		}
	}
}

func FuzzParseFault(f *testing.F) {
	f.Add("stall:every=10:rate=0.5:after=5:wait=2s")
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := ParseFault(s); err == nil && got.check() != nil {
			t.Errorf("%q gives %+v", s, got)
		}
	})
}

// Every kind has its words in both languages, and does something of its own.
func TestFaultsAreDescribed(t *testing.T) {
	said := map[string]bool{}
	for _, i := range Faults() {
		if !text.Has(i.What.ID) || said[i.What.ID] || i.What.ID != "sim.fault."+string(i.ID) {
			t.Errorf("%s: %s", i.ID, i.What.ID)
		}
		said[i.What.ID] = true
	}
}
