package plan

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidemark/load/arrival"
	"tidemark/text"
)

var update = flag.Bool("update", false, "write the golden files anew")

// refused asserts a fault in these words, with something to do.
func refused(t *testing.T, err error, want string) *text.Fault {
	t.Helper()
	f := (*text.Fault)(nil)
	if !errors.As(err, &f) {
		t.Fatalf("error %v: want a fault", err)
	}
	if diff := cmp.Diff(want, f.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, l := range []text.Lang{text.English, text.Chinese} {
		if said := f.Hint.In(l); said == "" || strings.Contains(said+f.What.In(l), "%!") {
			t.Errorf("%s: %q, hint %q", l, f.What.In(l), said)
		}
	}
	return f
}

func TestDefault(t *testing.T) {
	got, err := Parse("p.yaml", []byte("url: http://h\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Plan{
		URL: "http://h", Dialect: "chat", MaxTokens: 128, Stream: true, Cache: "unique",
		Arrival: arrival.Poisson, CV: 1, TraceScale: 1, Rounds: 1, WarmUp: -1, Seed: 1,
		ConnectTimeout: 10 * time.Second, TTFTTimeout: 120 * time.Second,
		IdleTimeout: 60 * time.Second, Timeout: 600 * time.Second,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := got.Validate([]string{"chat"}, nil); err != nil {
		t.Error(err)
	}
}

func full() *Plan {
	warm := 0.7
	return &Plan{
		URL: "https://host:8000/v1?api-version=2024", Provider: "taotoken", Dialect: "chat", Models: []string{"a", "b:7b"},
		KeyEnv: "MY_KEY", Headers: map[string]string{"X-Team": "search", "Authorization": "Bearer ${TOKEN}"},
		Prompts: "prompts.jsonl", System: "be kind\nand: brief ", MaxTokens: 0, MaxTokensField: "max_completion_tokens",
		Temperature: &warm, Extra: map[string]any{
			"top_p": 0.9, "seed": int64(7), "stop": []any{"x", nil}, "chat_template_kwargs": map[string]any{"enable_thinking": false},
		},
		Stream: false, Cache: "allow", SaveAnswers: true,
		Concurrency: []int{5, 10}, Requests: 40, Rounds: 5, WarmUp: 0, KeepClimbing: true, Seed: 9,
		ConnectTimeout: 1500 * time.Millisecond, TTFTTimeout: 2 * time.Minute, IdleTimeout: 0, Timeout: time.Hour,
		OutputIdleTimeout: time.Second, Drain: 30 * time.Second, MaxTime: 90 * time.Minute, MaxTotalTokens: 1e6,
		Labels: map[string]string{"gpu": "a100", "note": "it's: new"}, IgnorePreflight: true,
		Arrival: arrival.Poisson, CV: 1, TraceScale: 1, MaxErrorPercent: 12.5, PrefixTokens: 300,
		Mix: map[string]float64{"short": 3, "b:7b/long": .5}, CancelPercent: 10, CancelAfter: Leave{After: 2 * time.Second},
	}
}

const (
	pacedYAML = `url: http://h
rate: [5, 60/min, 1..50@1m]
arrival: gamma
cv: 2.5
max_in_flight: 100
turns: 3
think: 2s
user_prefix_tokens: 50
cancel_percent: 5
cancel_after: 20
`
	tokensYAML = `url: http://h
token_rate: 100000/min
arrival: constant
`
	usersYAML = `url: http://h
sessions: 10,50
turns: 4
`
	traceYAML = `url: http://h
trace: a.csv
scale: 0.1
slice: 10m..20m
trace_columns:
  time: when
  input: isl
`
)

// Each way to offer load is read, and is saved to the same plan again.
func TestWaysToOffer(t *testing.T) {
	for _, c := range []struct {
		file string
		want func(*Plan)
	}{
		{pacedYAML, func(p *Plan) {
			p.Rates = []arrival.Pace{pace("5"), pace("60/min"), pace("1..50@1m")}
			p.Arrival, p.CV, p.MaxInFlight = arrival.Gamma, 2.5, 100
			p.Turns, p.Think, p.UserPrefixTokens = 3, 2*time.Second, 50
			p.CancelPercent, p.CancelAfter = 5, Leave{Frames: 20}
		}},
		{tokensYAML, func(p *Plan) {
			p.TokenRates, p.Arrival = []arrival.Pace{pace("100000/min")}, arrival.Constant
		}},
		{usersYAML, func(p *Plan) { p.Sessions, p.Turns = []int{10, 50}, 4 }},
		{traceYAML, func(p *Plan) {
			p.Trace, p.TraceScale, p.Slice = "a.csv", .1, Slice{10 * time.Minute, 20 * time.Minute}
			p.TraceColumns = map[string]string{"time": "when", "input": "isl"}
		}},
	} {
		want := Default()
		want.URL = "http://h"
		c.want(want)
		got, err := Parse("p.yaml", []byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if err := got.Validate([]string{"chat"}, nil); err != nil {
			t.Errorf("%s: %v", c.file, err)
		}
		if got.Ladder() != nil {
			t.Error("a closed loop beside it")
		}
		saved, err := got.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(saved), "concurrency") {
			t.Errorf("a ladder that is not climbed is saved:\n%s", saved)
		}
		body, err := got.JSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range [][]byte{saved, body} {
			again, err := Parse("p.yaml", form)
			if err != nil {
				t.Fatalf("%v in\n%s", err, form)
			}
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("(-saved +parsed):\n%s\n%s", diff, form)
			}
		}
	}
}

// What a plan offers is told where it says nothing of it.
func TestWhatIsNotSaid(t *testing.T) {
	type effect struct {
		ladder []int
		open   bool
		turns  int
		length time.Duration
	}
	for _, c := range []struct {
		name, file string
		want       effect
	}{
		{"nothing", "url: http://h", effect{[]int{1, 8, 32}, false, 1, 30 * time.Second}},
		{"concurrency", "concurrency: 4", effect{[]int{4}, false, 1, 30 * time.Second}},
		{"sessions", "sessions: 5", effect{nil, false, 8, 30 * time.Second}},
		{"sessions of one turn", "sessions: 5\nturns: 1", effect{nil, false, 1, 30 * time.Second}},
		{"a rate", "rate: 5", effect{nil, true, 1, 30 * time.Second}},
		{"sessions that arrive", "rate: 5\nturns: 3\nduration: 10s", effect{nil, true, 3, 10 * time.Second}},
		{"so many at a rate of tokens", "token_rate: 60/min\nrequests: 7", effect{nil, true, 1, 0}},
		{"a trace", "trace: a.csv", effect{nil, true, 1, 30 * time.Second}},
	} {
		p, err := Parse("p.yaml", []byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		got := effect{p.Ladder(), p.Open(), p.SessionTurns(), p.LevelDuration()}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(effect{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// A saved plan shows the ladder that was climbed, and is saved the same again.
func TestSavedShowsTheLadder(t *testing.T) {
	for _, c := range []struct{ file, has, hasNot string }{
		{"url: http://h", "\nconcurrency: [1,8,32]\n", "\narrival:"},
		{"concurrency: 4", "concurrency: [4]\n", "[1,8,32]"},
		{"rate: 5", "rate: \"5\"\narrival: poisson\n", "concurrency"},
		{"rate: 5", "rate:", "\ncv:"},
		{"rate: 5\narrival: gamma", "arrival: gamma\ncv: 1\n", "scale"},
		{"trace: a.csv", "trace: a.csv\nscale: 1\n", "arrival"},
		// Refused as a whole, but nothing of it is lost.
		{"rate: 5\nconcurrency: [1, 8, 32]", "concurrency: [1,8,32]\n", "cv"},
		{"arrival: gamma\nscale: 2", "arrival: gamma\nscale: 2\n", "cv"},
	} {
		p, err := Parse("p.yaml", []byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		saved, err := p.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if s := string(saved); !strings.Contains(s, c.has) || strings.Contains(s, c.hasNot) {
			t.Errorf("%q is saved as\n%s", c.file, s)
		}
		again, err := Parse("p.yaml", saved)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := again.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(saved), string(twice)); diff != "" {
			t.Errorf("%q, saved again (-once +twice):\n%s", c.file, diff)
		}
	}
}

const fullYAML = `# every key, as a person would write it
url: https://host:8000/v1?api-version=2024
provider: taotoken
dialect: chat
model: [a, "b:7b"]
key_env: MY_KEY
header:
  x-team: search
  Authorization: Bearer ${TOKEN}
prompts: prompts.jsonl
system: "be kind\nand: brief "
max_tokens: 0
max_tokens_field: max_completion_tokens
temperature: .7
extra:
  top_p: 0.9
  seed: 7.0
  stop: [x, null]
  chat_template_kwargs: {enable_thinking: false}
stream: false
cache: allow
save_answers: true
concurrency: 5, 10
requests: 40
rounds: 5
warmup: 0
keep_climbing: true
seed: 9
connect_timeout: 1.5s
ttft_timeout: 2m
idle_timeout: 0
timeout: 1h
output_idle_timeout: 1s
drain: 30s
max_time: 1h30m
max_total_tokens: 1000000
max_error_percent: 12.5
prefix_tokens: 300
mix:
  short: 3
  b:7b/long: 0.5
cancel_percent: 10
cancel_after: 2s
label:
  gpu: a100
  note: "it's: new"
ignore_preflight: true
`

func TestParseEveryKey(t *testing.T) {
	got, err := Parse("p.yaml", []byte("\ufeff"+strings.ReplaceAll(fullYAML, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, r := range table {
		if !strings.Contains(fullYAML+pacedYAML+tokensYAML+usersYAML+traceYAML, "\n"+r.name+":") && r.name != "duration" && r.name != "key_file" {
			t.Errorf("%s is not tried", r.name)
		}
	}
}

func TestWaysToWrite(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       func(*Plan)
	}{
		{"numbers in a list", "concurrency: [1, 2]", func(p *Plan) { p.Concurrency = []int{1, 2} }},
		{"a block list", "concurrency:\n  - 1\n  - 2", func(p *Plan) { p.Concurrency = []int{1, 2} }},
		{"one number", "concurrency: 4", func(p *Plan) { p.Concurrency = []int{4} }},
		{"a version is a name", "model: 1.10", func(p *Plan) { p.Models = []string{"1.10"} }},
		{"a model with a comma", `model: ["a,b"]`, func(p *Plan) { p.Models = []string{"a,b"} }},
		{"a block text", "system: |\n  one\n  two\n", func(p *Plan) { p.System = "one\ntwo\n" }},
		{"JSON", `{"url":"http://h","concurrency":[2],"extra":{"a":{"b":[1]}}}`, func(p *Plan) {
			p.URL, p.Concurrency = "http://h", []int{2}
			p.Extra = map[string]any{"a": map[string]any{"b": []any{int64(1)}}}
		}},
		{"quoted number", `requests: "7"`, func(p *Plan) { p.Requests = 7 }},
		{"large numbers", "extra: {a: 18446744073709551615, b: 184467440737095516150, c: 1e300, d: 3.0, e: \"5\"}", func(p *Plan) {
			p.Extra = map[string]any{"a": uint64(18446744073709551615), "b": 1.8446744073709552e20, "c": 1e300, "d": int64(3), "e": "5"}
		}},
		{"nothing in a mapping", "label: {}", func(p *Plan) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := Default()
			c.want(want)
			got, err := Parse("p.yaml", []byte(c.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSavedGolden(t *testing.T) {
	p := full()
	yaml, err := p.YAML()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/full.yaml", yaml)
	body, err := p.JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/full.json", body)
	if !json.Valid(body) {
		t.Error("no JSON")
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// jsonValue draws what an extra field may hold.
func jsonValue(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Uint64(), func(n uint64) any { return tidy(n) }),
		rapid.Map(rapid.Float64(), func(f float64) any { return tidy(f) }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Just[any](nil),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Map(rapid.SliceOfN(jsonValue(depth-1), 0, 3), func(l []any) any { return l }),
			rapid.Map(rapid.MapOfN(rapid.String(), jsonValue(depth-1), 0, 3), func(m map[string]any) any { return m }))
	}
	return rapid.OneOf(kinds...)
}

// plans draws plans that can be run and hold no secret.
func plans() *rapid.Generator[*Plan] {
	words := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", "true", "NO", "~", "1.10", "0x1f", "a: b", "#x", " x ", "'", "\"", "- a", "a\nb\n", "${X}", "é潮\u2028", "\x00\x1b", "key:", "12:30", "2020-01-01",
	}))
	names := rapid.StringMatching(`[A-Za-z][A-Za-z0-9._:/-]{0,20}`)
	spans := rapid.Map(rapid.Int64Range(0, 1e14), func(n int64) time.Duration { return time.Duration(n) })
	return rapid.Custom(func(t *rapid.T) *Plan {
		p := Default()
		p.URL = rapid.SampledFrom([]string{"http://h", "https://host:8000/v1/chat/completions", "http://[::1]:1/a%20b"}).Draw(t, "url")
		p.Dialect = rapid.SampledFrom([]string{"chat", "messages"}).Draw(t, "dialect")
		p.Models = rapid.SliceOfNDistinct(names, 0, 3, rapid.ID).Draw(t, "models")
		if len(p.Models) == 0 {
			p.Models = nil
		}
		p.KeyEnv = rapid.SampledFrom([]string{"", "MY_KEY"}).Draw(t, "key_env")
		if rapid.Bool().Draw(t, "headers") {
			p.Headers = map[string]string{"Authorization": "Bearer ${TOKEN}", "X-A": "${A}${B}"}
		}
		p.Prompts = strings.TrimSpace(words.Draw(t, "prompts"))
		p.System = words.Draw(t, "system")
		p.MaxTokens = rapid.IntRange(0, 1e6).Draw(t, "max_tokens")
		if rapid.Bool().Draw(t, "heat") {
			heat := rapid.Float64Range(0, 2).Draw(t, "temperature")
			p.Temperature = &heat
		}
		p.Extra = rapid.MapOfN(rapid.OneOf(names, words), jsonValue(2), 0, 3).Draw(t, "extra")
		if len(p.Extra) == 0 {
			p.Extra = nil
		}
		for _, b := range []*bool{&p.Stream, &p.SaveAnswers, &p.KeepClimbing, &p.IgnorePreflight} {
			*b = rapid.Bool().Draw(t, "switch")
		}
		p.Cache = rapid.SampledFrom([]string{"unique", "allow"}).Draw(t, "cache")
		p.Requests = rapid.IntRange(0, 1e6).Draw(t, "requests")
		offer(t, p, names)
		p.Rounds = rapid.IntRange(1, maxRounds).Draw(t, "rounds")
		p.WarmUp = rapid.IntRange(-1, 100).Draw(t, "warmup")
		p.Seed = rapid.Uint64().Draw(t, "seed")
		for _, d := range []*time.Duration{
			&p.ConnectTimeout, &p.TTFTTimeout, &p.IdleTimeout, &p.Timeout, &p.OutputIdleTimeout, &p.Drain, &p.MaxTime,
		} {
			*d = spans.Draw(t, "duration")
		}
		p.MaxTotalTokens = rapid.Int64Range(0, 1e15).Draw(t, "max_total_tokens")
		p.Labels = rapid.MapOfN(names, words, 0, 3).Draw(t, "labels")
		if len(p.Labels) == 0 {
			p.Labels = nil
		}
		return p
	})
}

// offer draws what a plan offers.
func offer(t *rapid.T, p *Plan, names *rapid.Generator[string]) {
	steps := rapid.SliceOfNDistinct(rapid.IntRange(1, maxConcurrency), 1, 5, rapid.ID)
	turns, paced := rapid.IntRange(2, maxTurns), false
	percent := rapid.Float64Range(0.001, 100)
	switch rapid.SampledFrom(p.ladders()).Draw(t, "ladder").key {
	case "concurrency":
		p.Concurrency = steps.Draw(t, "concurrency")
	case "sessions":
		p.Sessions, p.Turns = steps.Draw(t, "sessions"), turns.Draw(t, "turns")
	case "rate":
		p.Rates, paced = rates().Draw(t, "rates"), true
	case "token_rate":
		p.TokenRates, paced = rates().Draw(t, "token rates"), true
	case "trace":
		p.Trace, p.TraceScale = "a.csv", rapid.Float64Range(minScale, maxScale).Draw(t, "scale")
		p.Slice.From = time.Duration(rapid.Int64Range(0, 1e14).Draw(t, "from"))
		if rapid.Bool().Draw(t, "to") {
			p.Slice.To = p.Slice.From + time.Duration(rapid.Int64Range(1, 1e14).Draw(t, "length"))
		}
		if rapid.Bool().Draw(t, "columns") {
			p.TraceColumns = rapid.MapOfN(rapid.SampledFrom(traceColumns), names, 1, 3).Draw(t, "trace_columns")
		}
	}
	if paced && rapid.Bool().Draw(t, "talk") {
		p.Turns = turns.Draw(t, "turns")
	}
	if paced {
		if p.Arrival = rapid.SampledFrom(arrival.Laws()).Draw(t, "arrival"); p.Arrival == arrival.Gamma {
			p.CV = rapid.Float64Range(0.001, maxCV).Draw(t, "cv")
		}
	}
	if p.Turns > 0 {
		p.Think = time.Duration(rapid.Int64Range(0, 1e13).Draw(t, "think"))
		p.UserPrefixTokens = rapid.IntRange(0, maxPrefix).Draw(t, "user_prefix_tokens")
	}
	if p.Trace == "" {
		p.PrefixTokens = rapid.IntRange(0, maxPrefix).Draw(t, "prefix_tokens")
	}
	if p.Open() {
		p.MaxInFlight = rapid.IntRange(0, maxConcurrency).Draw(t, "max_in_flight")
	}
	if rapid.Bool().Draw(t, "mixed") {
		p.Mix = rapid.MapOfN(names, rapid.Float64Range(1e-9, heaviest), 1, 3).Draw(t, "mix")
	}
	switch rapid.IntRange(0, 2).Draw(t, "cancel") {
	case 1:
		p.CancelPercent, p.CancelAfter.Frames = percent.Draw(t, "cancelled"), rapid.IntRange(1, 1e9).Draw(t, "frames")
	case 2:
		p.CancelPercent = percent.Draw(t, "cancelled")
		p.CancelAfter.After = time.Duration(rapid.Int64Range(1, 1e13).Draw(t, "after"))
	}
	if rapid.Bool().Draw(t, "errors") {
		p.MaxErrorPercent = percent.Draw(t, "max_error_percent")
	}
}

// rates draws levels of a pace.
func rates() *rapid.Generator[[]arrival.Pace] {
	pace := rapid.Custom(func(t *rapid.T) arrival.Pace {
		s := rapid.StringMatching(`[1-9][0-9]{0,3}(\.[0-9]{1,3})?(/s|/min|/h)?(@[1-9]s(\+[0-9]\.\.[1-9]@[1-9]m)?)?`).Draw(t, "pace")
		return pace(s)
	})
	return rapid.SliceOfNDistinct(pace, 1, 4, func(p arrival.Pace) string { return p.Text })
}

// pace is what s says.
func pace(s string) arrival.Pace {
	p, err := arrival.ParsePace(s)
	if err != nil {
		panic(err)
	}
	return p
}

func TestSavedParsesToTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plans().Draw(t, "plan")
		if err := p.Validate([]string{"chat", "messages"}, nil); err != nil {
			t.Skip(err.Error()) // an extra field that the plan decides
		}
		yaml, err := p.YAML()
		if err != nil {
			t.Fatal(err)
		}
		body, err := p.JSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, saved := range [][]byte{yaml, body} {
			got, err := Parse("p.yaml", saved)
			if err != nil {
				t.Fatalf("%v in\n%s", err, saved)
			}
			if diff := cmp.Diff(p, got); diff != "" {
				t.Fatalf("(-saved +parsed):\n%s\n%s", diff, saved)
			}
		}
	})
}

func TestSavedHoldsNoSecret(t *testing.T) {
	p := Default()
	p.URL = "https://user:hunter2@host/v1?key=hunter2&hunter2&x=hunter2=hunter2"
	p.Headers = map[string]string{"X-Any": "hunter2", "X-Mixed": "hunter2${A}hunter2", "X-Ref": "Bearer ${A}"}
	yaml, err := p.YAML()
	if err != nil {
		t.Fatal(err)
	}
	body, err := p.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if s := string(yaml) + string(body); strings.Contains(s, "hunter2") {
		t.Errorf("a secret in\n%s", s)
	}
	if p.Headers["X-Any"] != "hunter2" {
		t.Error("the plan itself has changed")
	}
	p.URL = "https://host/v1?key=hunter2"
	if yaml, err = p.YAML(); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("p.yaml", yaml)
	if err != nil {
		t.Fatal(err)
	}
	if again.URL != "https://host/v1?key=•••" || again.Headers["X-Mixed"] != "•••${A}•••" || again.Headers["X-Ref"] != "Bearer ${A}" {
		t.Errorf("%q %q", again.URL, again.Headers)
	}
	refused(t, again.Validate([]string{"chat"}, nil), "url was left out when this plan was saved")
	again.URL = "http://h"
	delete(again.Headers, "X-Mixed")
	refused(t, again.Validate([]string{"chat"}, nil), "header X-Any was left out when this plan was saved")
}
