package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/load/arrival"
	"tidemark/text"
)

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, want, hint string }{
		{"nothing", "", "p.yaml:1:1: there is no key in the plan", "a line such as"},
		{"comments alone", "# x\n", "p.yaml:1:1: there is no key in the plan", ""},
		{"a text", "hello", "p.yaml:1:1: a plan is a list of keys with values", "key: value"},
		{"a list", "- url: x", "p.yaml:1:1: a plan is a list of keys with values", ""},
		{"no UTF-8", "url: \xff", "p.yaml:1:1: a byte that is not UTF-8", ""},
		{"too large", strings.Repeat("#\n", maxFile/2+1), "p.yaml:1:1: larger than 1 MiB", "prompts"},
		{"too many keys", strings.Repeat("a:\n", maxColons+1), "p.yaml:1:1: too many keys, or lists too deep in each other", ""},
		{"too deep", "url: x\na: " + strings.Repeat("[", 500), "p.yaml:2:1: too many keys, or lists too deep in each other", ""},
		{"too deep in one line", strings.Repeat("- ", 500), "p.yaml:1:1: too many keys, or lists too deep in each other", ""},
		{"bad YAML", "url: http://h\nmodel: [a", "p.yaml:2:8: not valid YAML: sequence end token ']' not found", "each line is key: value"},
		{"a tab", "extra:\n\ta: 1", "p.yaml:2:1: not valid YAML: found character '\t' that cannot start any token", ""},
		{"two documents", "url: http://h\n---\nurl: http://g", "p.yaml:3:1: a second document in one file", "one document"},
		{"a key twice", "url: http://h\nseed: 1\nurl: http://g", `p.yaml:3:1: "url" is there twice`, "keep one"},
		{"a body field twice", "extra: {a: 1, a: 2}", `p.yaml:1:15: "a" is there twice`, ""},
		{"an alias", "url: &a http://h\nprompts: *a", "p.yaml:1:6: anchors, aliases, merges and tags have no use in a plan", ""},
		{"a merge", "extra:\n  <<: {a: 1}", "p.yaml:2:3: anchors, aliases, merges and tags have no use in a plan", ""},
		{"a tag", "system: !!binary aGk=", "p.yaml:1:9: anchors, aliases, merges and tags have no use in a plan", ""},
		{"no value", "url: http://h\nsystem:", "p.yaml:2:1: system: no value", "leave the key out"},

		{"mistyped", "url: http://h\nconcurency: 1", `p.yaml:2:1: unknown key "concurency"`, "did you mean concurrency?"},
		{"begun", "conc: 1", `p.yaml:1:1: unknown key "conc"`, "did you mean concurrency?"},
		{"dashes", "max-tokens: 1", `p.yaml:1:1: unknown key "max-tokens"`, "did you mean max_tokens?"},
		{"humps", "maxTokens: 1", `p.yaml:1:1: unknown key "maxTokens"`, "did you mean max_tokens?"},
		{"another tool's", "num_prompts: 1", `p.yaml:1:1: unknown key "num_prompts"`, "did you mean requests?"},
		{"another tool's warm-up", "warmup_rounds: 1", `p.yaml:1:1: unknown key "warmup_rounds"`, "did you mean warmup?"},
		{"retries", "max_retries: 3", `p.yaml:1:1: unknown key "max_retries"`, "there are no retries: each failure counts"},
		{"a rate", "request_rate: 3", `p.yaml:1:1: unknown key "request_rate"`, "did you mean rate?"},
		{"burstiness", "burstiness: 3", `p.yaml:1:1: unknown key "burstiness"`, "cv = 1/√burstiness"},
		{"a rate of zero", "url: http://h\nrate: [5, 0]", `p.yaml:2:11: rate: a rate of zero ("0") sends nothing`, "60/min"},
		{"a rate of zero, per minute", "token_rate:\n  - 100000/min\n  - 0/min", `p.yaml:3:5: token_rate: a rate of zero ("0/min") sends nothing`, "60/min"},
		{"no rate", "rate: [5, fast]", `p.yaml:1:11: rate: "fast" is no rate`, "60/min"},
		{"a list of no level", "url: http://h\nconcurrency: []", "p.yaml:2:14: concurrency: no level", "1,8,32"},
		{"no users", "sessions: []", "p.yaml:1:11: sessions: no level", "10,50"},
		{"no rates", "rate: []", "p.yaml:1:7: rate: no level", "60/min"},
		{"users", "users: 50", `p.yaml:1:1: unknown key "users"`, "sessions for so many users in conversations"},
		{"a ramp", "ramp_up: 1m", `p.yaml:1:1: unknown key "ramp_up"`, "rate: 1..50@1m"},
		{"per minute", "rpm: 60", `p.yaml:1:1: unknown key "rpm"`, "rate: 60/min"},
		{"how fast a trace is", "speedup: 10", `p.yaml:1:1: unknown key "speedup"`, "0.1 for ten"},
		{"a share that is none", "mix:\n  short: 3\n  long: 0", `p.yaml:3:3: mix: "0" is no share`, "short=3"},
		{"a share of nothing", "mix:\n  \"\": 1", "p.yaml:2:3: mix: a share without a name", "short=3"},
		{"a column for nothing", "trace: a.csv\ntrace_columns:\n  when: x", `p.yaml:3:3: trace_columns: "when" is nothing that a column of a trace is for`, "known: time input output blocks session"},
		{"a column without a name", "trace_columns: {time: \"\"}", "p.yaml:1:16: trace_columns: no column is named for time", "time=NAME"},
		{"steps without an end", "rate: 5+6", `p.yaml:1:7: rate: "5" has no duration, and something follows it`, ""},
		{"a key in the plan", "api_key: sk-123", `p.yaml:1:1: unknown key "api_key"`, "keys never stand in a plan: use key_env or key_file"},
		{"a key as a name", "sk-12345: x", "p.yaml:1:1: what looks like a key of the endpoint stands where a name belongs", "key_env"},
		{"far from all", "zzz: 1", `p.yaml:1:1: unknown key "zzz"`, "known: url provider"},

		{"a list for one", "url: [a]", "p.yaml:1:6: url: one value is needed, not a list or a mapping", ""},
		{"a mapping for a list", "model: {a: 1}", "p.yaml:1:8: model: a list of values is needed", "1,8,32"},
		{"a list in a list", "model: [a, [b]]", "p.yaml:1:12: model: a list of values is needed", ""},
		{"one for a mapping", "header: a", "p.yaml:1:9: header: names with values are needed", ""},
		{"no number", "requests: many", `p.yaml:1:11: requests: "many" is not a whole number`, ""},
		{"no number in a list", "concurrency: [1,\n  x]", `p.yaml:2:3: concurrency: "x" is not a whole number`, ""},
		{"no number in a text", "concurrency: 1,,2", `p.yaml:1:14: concurrency: "" is not a whole number`, ""},
		{"a fraction", "rounds: 1.5", `p.yaml:1:9: rounds: "1.5" is not a whole number`, ""},
		{"no switch", "stream: yes", `p.yaml:1:9: stream: "yes" is neither true nor false`, ""},
		{"no unit", "duration: 30", `p.yaml:1:11: duration: "30" is not a duration`, "write 30s for seconds"},
		{"no duration", "duration: long", `p.yaml:1:11: duration: "long" is not a duration`, "500ms, 30s"},
		{"no decimal", "temperature: hot", `p.yaml:1:14: temperature: "hot" is not a number`, ""},
		{"not in JSON", "extra: {a: .inf}", "p.yaml:1:12: extra: JSON has no infinity and no NaN", ""},
		{"not in JSON, deeper", "extra:\n  a: [{b: .nan}]", "p.yaml:2:11: extra: JSON has no infinity and no NaN", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("p.yaml", []byte(c.file))
			f := refused(t, err, c.want)
			if hint := f.Hint.String(); !strings.Contains(hint, c.hint) {
				t.Errorf("hint %q, want %q", hint, c.hint)
			}
			if p != nil {
				t.Error("a plan with an error")
			}
		})
	}
}

// What each key refuses is refused alike in a file, with its place, and on
// the command line, with its flag.
func TestKeysRefuse(t *testing.T) {
	const secret = "sk-abc123"
	for _, c := range []struct{ key, value, want, hint string }{
		{"url", "host:8000/v1", "neither http:// nor https:// at its front", "write http://host:8000/v1"},
		{"url", "//host", "neither http:// nor https:// at its front", "write http://host"},
		{"url", "user:hunter2@host", "neither http:// nor https:// at its front", "http://host:8000/v1"},
		{"url", "ftp://host", `"ftp" is neither http nor https`, ""},
		{"url", "http://", "no host in it", ""},
		{"url", "http://:80", "no host in it", ""},
		{"url", "http://user:hunter2@host", "a user or password in the URL", "${NAME}"},
		{"url", "http://user:hunt er2@host", "not a URL", ""},
		{"url", "http://h/#x", "a # in the URL, which is never sent", ""},
		{"model", "a,,b", "an empty name", ""},
		{"model", "a,b,a", `"a" is there twice`, ""},
		{"key_env", secret, "this takes the name of a variable, not the key", "MY_KEY"},
		{"key_env", "some-lower-key", "this takes the name of a variable, not the key", ""},
		{"key_env", strings.Repeat("A", 65), "this takes the name of a variable, not the key", ""},
		{"key_env", "d41d8cd98f00b204e9800998ecf8427e", "this takes the name of a variable, not the key", ""},
		{"key_file", secret, "this takes the path of a file, not the key", ""},
		{"max_tokens", "-1", "less than zero", ""},
		{"max_tokens_field", "max tokens", "not a name for this field", ""},
		{"max_tokens_field", "stream", "not a name for this field", ""},
		{"temperature", "2.1", "2.1 is not between 0 and 2", ""},
		{"temperature", "-0.1", "-0.1 is not between 0 and 2", ""},
		{"temperature", "NaN", `"NaN" is not a number`, ""},
		{"cache", "reset", `unknown choice "reset"`, "unique makes every prompt new"},
		{"concurrency", "0", "0 is not between 1 and 100000", ""},
		{"concurrency", "1,100001", "100001 is not between 1 and 100000", ""},
		{"concurrency", "1,8,1", "level 1 is there twice", ""},
		{"sessions", "0", "0 is not between 1 and 100000", ""},
		{"sessions", "5,5", "level 5 is there twice", ""},
		{"sessions", "5,100001", "100001 is not between 1 and 100000", "10,50"},
		{"rate", "x", `"x" is no rate`, "60/min"},
		{"rate", "5/day", `"day" is no unit of a rate`, "/min"},
		{"rate", "5,5", `"5" is there twice`, "name each once"},
		{"rate", "0", `a rate of zero ("0") sends nothing`, "60/min"},
		{"rate", "0..0@1m", `a rate of zero ("0..0@1m") sends nothing`, ""},
		{"rate", "5@30s+20@0s", `"0s" is no duration of a part of the load`, ""},
		{"token_rate", "0/min", `a rate of zero ("0/min") sends nothing`, ""},
		{"token_rate", "5@1m,5@1m", `"5@1m" is there twice`, ""},
		{"arrival", "poison", `"poison" is no kind of arrival`, "did you mean poisson?"},
		{"arrival", "uniform", `"uniform" is no kind of arrival`, "known: constant poisson gamma"},
		{"cv", "0", "0 is not above 0 and at most 10", "1 is Poisson"},
		{"cv", "10.5", "10.5 is not above 0 and at most 10", ""},
		{"cv", "much", `"much" is not a number`, ""},
		{"scale", "0", "0 is not between 0.001 and 1000", "ten times as fast"},
		{"scale", "1001", "1001 is not between 0.001 and 1000", ""},
		{"slice", "5m", `"5m" is no part of a trace`, "10m..20m"},
		{"slice", "5m..1m", `"5m..1m" is no part of a trace`, ""},
		{"slice", "5m..5m", `"5m..5m" is no part of a trace`, ""},
		{"slice", "5m..0s", `"5m..0s" is no part of a trace`, ""},
		{"slice", "-5m..", `"-5m.." is no part of a trace`, ""},
		{"slice", "..", `".." is no part of a trace`, ""},
		{"slice", "5..10", `"5..10" is no part of a trace`, ""},
		{"max_in_flight", "-1", "-1 is not between 0 and 100000", "0 for no cap"},
		{"turns", "0", "0 is not between 1 and 1000", "1 is no conversation"},
		{"turns", "1001", "1001 is not between 1 and 1000", ""},
		{"think", "-1s", "less than zero", ""},
		{"think", "2", `"2" is not a duration`, "write 2s"},
		{"prefix_tokens", "1000001", "1000001 is not between 0 and 1000000", "2000"},
		{"user_prefix_tokens", "-1", "-1 is not between 0 and 1000000", ""},
		{"cancel_percent", "101", "101 is not between 0 and 100", "such as 10"},
		{"cancel_percent", "-1", "-1 is not between 0 and 100", ""},
		{"cancel_after", "0", `"0" is neither a number of output frames nor a time`, "2s"},
		{"cancel_after", "-1s", `"-1s" is neither a number of output frames nor a time`, ""},
		{"cancel_after", "1.5", `"1.5" is neither a number of output frames nor a time`, ""},
		{"max_error_percent", "0", "0 is not above 0 and at most 100", "leave it out"},
		{"max_error_percent", "-1", "-1 is not above 0 and at most 100", ""},
		{"max_error_percent", "100.1", "100.1 is not above 0 and at most 100", ""},
		{"requests", "-5", "-5 is not between 1 and 1000000000", ""},
		{"duration", "999ms", "shorter than one second", ""},
		{"duration", "-1s", "shorter than one second", ""},
		{"rounds", "0", "0 is not between 1 and 1000", ""},
		{"rounds", "1001", "1001 is not between 1 and 1000", ""},
		{"warmup", "-2", "-2 is not between 0 and 100000", ""},
		{"seed", "-1", `"-1" is not a whole number`, ""},
		{"connect_timeout", "-1s", "less than zero", ""},
		{"drain", "-1s", "less than zero", ""},
		{"max_total_tokens", "-1", "less than zero", ""},
	} {
		t.Run(c.key+" "+c.value, func(t *testing.T) {
			_, err := Parse("p.yaml", fmt.Appendf(nil, "seed: 1\n%s: %s", c.key, jsonText(c.value)))
			if c.key == "seed" {
				_, err = Parse("p.yaml", fmt.Appendf(nil, "rounds: 1\n%s: %s", c.key, c.value))
			}
			refused(t, err, fmt.Sprintf("p.yaml:2:%d: %s: %s", len(c.key)+3, c.key, c.want))
			err = Default().Set(c.key, c.value)
			f := refused(t, err, "--"+strings.ReplaceAll(c.key, "_", "-")+": "+c.want)
			said := f.Error() + f.Hint.String()
			if !strings.Contains(said, c.hint) {
				t.Errorf("hint %q, want %q", f.Hint, c.hint)
			}
			for _, s := range []string{secret, "hunter2", "d41d8"} {
				if strings.Contains(said, s) {
					t.Errorf("%q repeats a secret", said)
				}
			}
		})
	}
}

func TestPairsRefuse(t *testing.T) {
	for _, c := range []struct{ key, value, want, hint string }{
		{"header", "X-Team", "a name with a value is needed", "name=value"},
		{"header", "=x", "a name with a value is needed", ""},
		{"header", "X Team=a", "not a header's name", ""},
		{"header", "X-Übung=a", "not a header's name", ""},
		{"header", "content-length=5", "Content-Length is set by the client itself", ""},
		{"header", "X-A=a\nb", "a line break or control character in X-A", ""},
		{"header", "X-A=${my-var}", "the ${…} in X-A names no variable", ""},
		{"header", "authorization: Bearer hunter2", "the value of Authorization is a secret and would stand in the plan", `write Authorization: "${NAME}"`},
		{"header", "Authorization=hunter2${A}", "the value of Authorization is a secret and would stand in the plan", ""},
		{"header", "X-API-Key=hunter2", "the value of X-Api-Key is a secret and would stand in the plan", ""},
		{"header", "api-key=hunter2", "the value of Api-Key is a secret and would stand in the plan", ""},
		{"header", "Cookie=a=hunter2", "the value of Cookie is a secret and would stand in the plan", ""},
		{"extra", "model=x", "model is set by the plan itself", ""},
		{"extra", "messages=[]", "messages is set by the plan itself", ""},
		{"extra", "stream=true", "stream is set by the plan itself", ""},
		{"extra", "api_key=hunter2", "a field that holds a key", "key_env"},
		{"extra", `litellm={"params":[{"apiKey":"hunter2"}]}`, "a field that holds a key", ""},
		{"label", "x", "a name with a value is needed", ""},
		{"label", " =x", "a label without a name", ""},
	} {
		t.Run(c.key+" "+c.value, func(t *testing.T) {
			f := refused(t, Default().Set(c.key, c.value), "--"+c.key+": "+c.want)
			said := f.Error() + f.Hint.String()
			if !strings.Contains(said, c.hint) || strings.Contains(said, "hunter2") {
				t.Errorf("hint %q, want %q and no secret", f.Hint, c.hint)
			}
		})
	}
}

// Pairs are refused from a flag as they are from a file.
func TestOfferedPairsRefuse(t *testing.T) {
	for _, c := range []struct{ key, flag, file, want string }{
		{"trace_columns", "when=x", "{when: x}", `"when" is nothing that a column of a trace is for`},
		{"mix", "short=0", "{short: 0}", `"0" is no share`},
		{"mix", "short=NaN", "{short: .nan}", " is no share"},
	} {
		if err := Default().Set(c.key, c.flag); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.flag, err)
		}
		if _, err := Parse("p.yaml", []byte(c.key+": "+c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.file, err)
		}
	}
}

func rate(s string) []arrival.Pace { return []arrival.Pace{pace(s)} }

func TestValidateRefuses(t *testing.T) {
	for _, c := range []struct {
		name       string
		change     func(*Plan)
		want, hint string
	}{
		{"no target", func(p *Plan) { p.URL = "" }, "no endpoint is named", "--url http://host/v1, or try tidemark demo"},
		{"unknown dialect", func(p *Plan) { p.Dialect = "caht" }, `unknown dialect "caht"`, "did you mean chat?"},
		{"no such dialect", func(p *Plan) { p.Dialect = "" }, `unknown dialect ""`, "known: chat messages"},
		{"unknown provider", func(p *Plan) { p.Provider = "TaoTokens" }, `unknown provider "TaoTokens"`, "did you mean taotoken?"},
		{"count and time", func(p *Plan) { p.Requests, p.Duration = 5, 1e10 }, "requests and duration are both set", ""},
		{"two keys", func(p *Plan) { p.KeyEnv, p.KeyFile = "A", "f" }, "key_env and key_file are both set", ""},
		{"out of range", func(p *Plan) { p.Rounds = 0 }, "rounds: 0 is not between 1 and 1000", ""},
		{"the default ladder, named, and rates", func(p *Plan) { p.Concurrency, p.Rates = []int{1, 8, 32}, rate("5") }, "concurrency and rate are both set", "one ladder"},
		{"levels and users", func(p *Plan) { p.Concurrency, p.Sessions = []int{4}, []int{4} }, "concurrency and sessions are both set", "one ladder"},
		{"levels and a trace", func(p *Plan) { p.Concurrency, p.Trace = []int{4}, "t" }, "concurrency and trace are both set", "one ladder"},
		{"two kinds of rate", func(p *Plan) { p.Rates, p.TokenRates = rate("5"), rate("9") }, "rate and token_rate are both set", "one ladder"},
		{"rates and a trace", func(p *Plan) { p.Rates, p.Trace = rate("5"), "t" }, "rate and trace are both set", "one ladder"},
		{"users and a trace", func(p *Plan) { p.Sessions, p.Trace = []int{4}, "t" }, "sessions and trace are both set", "one ladder"},
		{"users and rates", func(p *Plan) { p.Sessions, p.Rates = []int{4}, rate("5") }, "sessions and rate are both set", "leave sessions out and give turns"},
		{"users and rates of tokens", func(p *Plan) { p.Sessions, p.TokenRates = []int{4}, rate("5") }, "sessions and token_rate are both set", "give turns"},

		{"arrivals of a closed loop", func(p *Plan) { p.Arrival = arrival.Constant }, "arrival means nothing without rate", "give rate, or leave arrival out"},
		{"cv of Poisson", func(p *Plan) { p.Rates, p.CV = rate("5"), 2 }, "cv means nothing without arrival: gamma", "give arrival: gamma"},
		{"arrivals of a trace", func(p *Plan) { p.Trace, p.Arrival = "t", arrival.Gamma }, "arrival means nothing without rate", "a trace says itself when requests come: leave arrival out"},
		{"cv of a trace", func(p *Plan) { p.Trace, p.CV = "t", 2 }, "cv means nothing without rate", "leave cv out"},
		{"scale of no trace", func(p *Plan) { p.TraceScale = 2 }, "scale means nothing without trace", "give trace"},
		{"slice of no trace", func(p *Plan) { p.Slice.To = 2 }, "slice means nothing without trace", ""},
		{"columns of no trace", func(p *Plan) { p.TraceColumns = map[string]string{"time": "t"} }, "trace_columns means nothing without trace", ""},
		{"a cap on a closed loop", func(p *Plan) { p.MaxInFlight = 4 }, "max_in_flight means nothing without rate", "concurrency or sessions is the cap"},
		{"a cap on users", func(p *Plan) { p.Sessions, p.MaxInFlight = []int{5}, 4 }, "max_in_flight means nothing without rate", "concurrency or sessions is the cap"},
		{"turns of nobody", func(p *Plan) { p.Turns = 2 }, "turns means nothing without sessions", "give sessions (so many users at a time) or a rate"},
		{"turns of a trace", func(p *Plan) { p.Trace, p.Turns = "t", 2 }, "turns means nothing without sessions", "a trace has its own sessions"},
		{"a prefix of a trace", func(p *Plan) { p.Trace, p.PrefixTokens = "t", 2 }, "prefix_tokens means nothing without concurrency", "a trace says itself"},
		{"thinking of nothing", func(p *Plan) { p.Rates, p.Think = rate("5"), 2 }, "think means nothing without turns", "give turns of 2 or more, or leave think out"},
		{"thinking after the only turn", func(p *Plan) { p.Sessions, p.Turns, p.Think = []int{5}, 1, 2 }, "think means nothing without turns", "2 or more"},
		{"a prefix of no session", func(p *Plan) { p.UserPrefixTokens = 2 }, "user_prefix_tokens means nothing without turns", "2 or more"},
		{"cancelled when", func(p *Plan) { p.CancelPercent = 2 }, "cancel_percent means nothing without cancel_after", "give cancel_after"},
		{"cancelled how many", func(p *Plan) { p.CancelAfter.Frames = 2 }, "cancel_after means nothing without cancel_percent", "give cancel_percent"},
		{"frames of nothing", func(p *Plan) { p.CancelAfter.Frames, p.CancelPercent, p.Stream = 2, 5, false }, "cancel_after means nothing without stream", "no frames"},

		{"a trace's length", func(p *Plan) { p.Trace, p.Duration = "t", 1e10 }, "trace and duration are both set", "slice"},
		{"a pace's length", func(p *Plan) { p.Rates, p.Duration = rate("20@1m"), 1e10 }, `both duration and the rate "20@1m" say how long a level is`, "leave duration out"},
		{"one pace's length", func(p *Plan) { p.TokenRates, p.Duration = append(rate("5"), pace("20@1m")), 1e10 }, `both duration and the rate "20@1m" say how long a level is`, ""},
		{"wrong in code", func(p *Plan) { p.Turns = -1 }, "turns: -1 is not between 1 and 1000", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Default()
			p.URL = "http://h"
			c.change(p)
			f := refused(t, p.Validate([]string{"chat", "messages"}, []string{"taotoken"}), c.want)
			if !strings.Contains(f.Hint.String(), c.hint) {
				t.Errorf("hint %q, want %q", f.Hint, c.hint)
			}
		})
	}
	p := Default()
	p.Provider = "taotoken"
	if err := p.Validate([]string{"chat"}, []string{"taotoken"}); err != nil {
		t.Errorf("a provider alone: %v", err)
	}
}

// What goes together is let through.
func TestValidateAllows(t *testing.T) {
	for _, file := range []string{
		"sessions: 50\nturns: 8\nthink: 2s\nprefix_tokens: 2000",
		"sessions: 50\nthink: 2s\nuser_prefix_tokens: 20",
		"rate: 5,20,80\narrival: poisson",
		"rate: 5\nturns: 3\nthink: 1s\nmax_in_flight: 9",
		"rate: 5@30s+20\nduration: 1m",
		"rate: 1..50@1m\nrequests: 30",
		"trace: a.csv\nscale: 0.1\nslice: ..20m\nrequests: 5\nmax_in_flight: 9",
		"trace: a.csv\nslice: 10m..",
		"concurrency: 8\nturns: 1\nprefix_tokens: 5\nmix: {short: 3, long: 1}",
		"cancel_percent: 10\ncancel_after: 20",
		"max_error_percent: 100",
	} {
		p, err := Parse("p.yaml", []byte("url: http://h\n"+file))
		if err == nil {
			err = p.Validate([]string{"chat"}, nil)
		}
		if err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// Names that others use lead to keys that are there.
func TestForeignNamesLeadSomewhere(t *testing.T) {
	for name, f := range foreign {
		if _, ok := rowOf(name); ok {
			t.Errorf("%s is a key of ours", name)
		}
		if name != underscored(name) {
			t.Errorf("%s is never found: names are looked up as %s", name, underscored(name))
		}
		if f.key != "" {
			if _, ok := rowOf(f.key); !ok {
				t.Errorf("%s leads to %s, which is no key", name, f.key)
			}
		} else if !text.Has(f.note.ID) {
			t.Errorf("%s has no note", name)
		}
	}
}

func TestSet(t *testing.T) {
	p := Default()
	for _, s := range [][2]string{
		{"concurrency", "2,4"}, {"concurrency", " 5 , 6 "}, // a list replaces
		{"max-tokens", "7"}, {"max_time", "1m"},
		{"header", "x-a=1"}, {"header", "X-B: b: c"}, {"header", "X-A=2"},
		{"header", "Authorization=Bearer ${T}"},
		{"extra", "top_p=0.5"}, {"extra", "top_k=5.0"}, {"extra", `stop=["a",1]`}, {"extra", "effort=low"}, {"extra", `user="x"`},
		{"label", "gpu=a=b"},
		{"no-stream", "true"}, {"save-answers", "true"},
	} {
		if err := p.Set(s[0], s[1]); err != nil {
			t.Fatal(err)
		}
	}
	want := Default()
	want.Concurrency, want.MaxTokens, want.MaxTime = []int{5, 6}, 7, 60e9
	want.Headers = map[string]string{"X-A": "2", "X-B": "b: c", "Authorization": "Bearer ${T}"}
	want.Extra = map[string]any{"top_p": 0.5, "top_k": int64(5), "stop": []any{"a", int64(1)}, "effort": "low", "user": "x"}
	want.Labels = map[string]string{"gpu": "a=b"}
	want.Stream, want.SaveAnswers = false, true
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := p.Set("no-stream", "false"); err != nil || !p.Stream {
		t.Errorf("stream %v, %v", p.Stream, err)
	}
	if err := p.Set("stream", "false"); err != nil || p.Stream {
		t.Errorf("stream %v, %v", p.Stream, err)
	}
	refused(t, p.Set("no-stream", "x"), `--no-stream: "x" is neither true nor false`)
	refused(t, p.Set("label", "a=\xff"), "--label: a byte that is not UTF-8")
	if f := refused(t, p.Set("api_key", "sk-123"), `unknown key "api_key"`); f.Hint.ID != "plan.foreign.key" {
		t.Errorf("hint %v", f.Hint)
	}
}

// A copy of a plan stays as it is when the plan gets more pairs.
func TestSetSparesCopies(t *testing.T) {
	p := Default()
	if err := p.Set("label", "a=1"); err != nil {
		t.Fatal(err)
	}
	before := *p
	if err := p.Set("label", "b=2"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "1"}, before.Labels); diff != "" {
		t.Error(diff)
	}
}

func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Keys() {
		if seen[k.Name] || seen[k.Flag] {
			t.Errorf("%s is there twice", k.Name)
		}
		seen[k.Name], seen[k.Flag] = true, true
		if k.Help.ID != "plan.key."+k.Name || !text.Has(k.Help.ID) {
			t.Errorf("%s: help %s", k.Name, k.Help.ID)
		}
		if k.Default != "" {
			if err := Default().Set(k.Name, k.Default); err != nil {
				t.Errorf("%s: its own default: %v", k.Name, err)
			}
		}
	}
	find := func(name string) Key {
		for _, k := range Keys() {
			if k.Name == name {
				return k
			}
		}
		t.Fatalf("no key %s", name)
		return Key{}
	}
	for _, want := range []Key{
		{Name: "concurrency", Flag: "concurrency", Kind: List, Load: true, Default: "1,8,32"},
		{Name: "ttft_timeout", Flag: "ttft-timeout", Kind: Duration, Default: "2m"},
		{Name: "stream", Flag: "no-stream", Kind: Switch, Switch: true, Off: true, Default: "true"},
		{Name: "save_answers", Flag: "save-answers", Kind: Switch, Switch: true, Load: true},
		{Name: "header", Flag: "header", Kind: Pairs, Repeat: true},
		{Name: "warmup", Flag: "warmup", Kind: Number, Load: true},
		{Name: "sessions", Flag: "sessions", Kind: List, Load: true},
		{Name: "rate", Flag: "rate", Kind: List, Load: true},
		{Name: "token_rate", Flag: "token-rate", Kind: List, Load: true},
		{Name: "arrival", Flag: "arrival", Kind: Word, Load: true, Default: "poisson"},
		{Name: "cv", Flag: "cv", Kind: Decimal, Load: true, Default: "1"},
		{Name: "trace", Flag: "trace", Kind: Word, Load: true},
		{Name: "scale", Flag: "scale", Kind: Decimal, Load: true, Default: "1"},
		{Name: "slice", Flag: "slice", Kind: Word, Load: true},
		{Name: "trace_columns", Flag: "trace-columns", Kind: Pairs, Repeat: true, Load: true},
		{Name: "max_in_flight", Flag: "max-in-flight", Kind: Number, Load: true},
		{Name: "turns", Flag: "turns", Kind: Number, Load: true},
		{Name: "think", Flag: "think", Kind: Duration, Load: true},
		{Name: "prefix_tokens", Flag: "prefix-tokens", Kind: Number, Load: true},
		{Name: "user_prefix_tokens", Flag: "user-prefix-tokens", Kind: Number, Load: true},
		{Name: "mix", Flag: "mix", Kind: Pairs, Repeat: true, Load: true},
		{Name: "cancel_percent", Flag: "cancel-percent", Kind: Decimal, Load: true},
		{Name: "cancel_after", Flag: "cancel-after", Kind: Word, Load: true},
		{Name: "max_error_percent", Flag: "max-error-percent", Kind: Decimal, Load: true},
	} {
		got := find(want.Name)
		got.Help = text.Message{}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.Name, diff)
		}
	}
}

func TestResolveHeaders(t *testing.T) {
	env := map[string]string{"T": " secret\n", "BAD": "a\nb"}
	getenv := func(name string) string { return env[name] }
	p := Default()
	p.Headers = map[string]string{"Authorization": "Bearer ${T}", "X-A": "plain $T", "X-B": "${T}${T}"}
	got, err := p.ResolveHeaders(getenv)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"Authorization": "Bearer secret", "X-A": "plain $T", "X-B": "secretsecret"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p.Headers = map[string]string{"X-A": "${NONE}"}
	_, err = p.ResolveHeaders(getenv)
	refused(t, err, "header X-A needs the variable NONE, which is not set")
	p.Headers = map[string]string{"X-A": "${BAD}"}
	_, err = p.ResolveHeaders(getenv)
	refused(t, err, "header X-A: the variable BAD holds a line break or control character")
}

func TestNearest(t *testing.T) {
	known := []string{"concurrency", "connect_timeout", "timeout", "chat", "messages", "model", "seed"}
	for _, c := range []struct{ name, want string }{
		{"concurency", "concurrency"}, {"CONCURRENCY", "concurrency"}, {"caht", "chat"}, {"mesages", "messages"},
		{"timeuot", "timeout"}, {"conc", "concurrency"}, {"con", ""}, {"see", "seed"},
		{"", ""}, {"x", ""}, {"xyz", ""}, {"completely_other", ""}, {strings.Repeat("a", 1e6), ""},
	} {
		if got := Nearest(c.name, known); got != c.want {
			t.Errorf("Nearest(%.20q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		fullYAML, pacedYAML, tokensYAML, usersYAML, traceYAML,
		"rate: 5@30s+20\nconcurrency: 8\narrival: gamma", "scale: 1e-3\nslice: 1h..\ncancel_after: 1ns", "mix: {a/b: 0x1p3, ~: 1}", "rate: [5, [6]]",
		"", "url: [", "? a\n: b", "a: &x [*x]", "<<: *a", "url: !!str x", "- - -", "{\"url\":\"http://h\"}", "---\n...\n", "a: |\n x", "%YAML 1.2\n---\na: 1",
		"extra: {a: 0x1F, b: 1e400, c: .nan, d: 18446744073709551615}", "label: {1: 2, true: x}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("p.yaml", data)
		if err != nil {
			fault := (*text.Fault)(nil)
			if !errors.As(err, &fault) || fault.Hint.ID == "" || !strings.HasPrefix(fault.Error(), "p.yaml:") {
				t.Fatalf("error %v: want a fault with its place and a hint", err)
			}
			return
		}
		saved, err := p.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse("p.yaml", saved)
		if err != nil {
			t.Fatalf("what was saved is refused: %v\n%s", err, saved)
		}
		p.URL, p.Concurrency = withoutSecrets(p.URL), p.Ladder()
		for name, value := range p.Headers {
			p.Headers[name] = withoutLiterals(value)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Fatalf("(-saved +parsed):\n%s\n%s", diff, saved)
		}
	})
}
