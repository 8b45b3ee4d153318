package check

import (
	"strings"
	"testing"
	"time"

	"tidemark/record/outcome"
	"tidemark/text"
)

const tokensName = `{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}`

// What stands in the way of a run: the step that failed, the sentence, and
// what its hint must hold.
func TestFaults(t *testing.T) {
	noKey := func(c *Config) { c.Client.Target.Header = nil; c.Key = Key{Variable: "TOY_KEY", Empty: true} }
	for _, c := range []struct {
		name   string
		server server
		change func(*Config)
		step   string
		what   string // in the sentence
		hint   string // in the hint
		class  outcome.Class
	}{
		{"no key", server{"", refuses(401, `{"error":{"message":"no key"}}`)}, noKey, "key", "TOY_KEY is not set", "export TOY_KEY", outcome.Auth},
		{"an empty file", server{"", refuses(401, "")}, func(c *Config) { c.Key = Key{File: "/k", Empty: true} }, "key", "the file /k holds none", "--key-file", outcome.Auth},
		{"none given", server{"", refuses(401, "")}, func(c *Config) { c.Client.Target.Header = nil; c.Key = Key{} }, "key", "none was given", "--key-env", outcome.Auth},
		{"a wrong key", server{"", refuses(401, `{"error":{"message":"bad secret-key-1"}}`)}, nil, "key", "key from $TOY_KEY is not accepted (HTTP 401): bad", "console", outcome.Auth},
		{"a key with white space", server{"", refuses(403, "")}, func(c *Config) { c.Key.Space = true }, "key", "(HTTP 403): it gives no reason", "white space", outcome.Auth},
		{"a balance", server{"", refuses(429, `{"error":{"code":"insufficient_quota","message":"x"}}`)}, nil, "key", "spent", "top up", outcome.Quota},
		{"a rate", server{"", refuses(429, `slow down`)}, nil, "stream", "slow down", "--concurrency", outcome.RateLimited},
		{"case 404-model-vs-404-path a", server{`{"data":[{"id":"toy-1"},{"id":"big-1"}]}`, refuses(404, `{"error":{"message":"model 'toy-9' missing","code":"model_not_found"}}`)},
			func(c *Config) { c.Request.Model = "toy-9" }, "model", "toy-9", "--model toy-1?", outcome.ModelNotFound},
		{"a model like none", server{`{"data":[{"id":"toy-1"},{"id":"big-1"}]}`, refuses(404, `{"error":"model not found"}`)},
			func(c *Config) { c.Request.Model = "completely-different" }, "model", "model", "toy-1, big-1", outcome.ModelNotFound},
		{"several models, none named", server{`{"data":[` + strings.Repeat(`{"id":"a"},`, 1) + `{"id":"b"},{"id":"c"},{"id":"d"},{"id":"e"},{"id":"f"},{"id":"g"},{"id":"h"},{"id":"i"},{"id":"j"},{"id":"k"}]}`, stream(answer...)},
			func(c *Config) { c.Request.Model = "" }, "model", "lists 11", "i, j, …", ""},
		{"no list, none named", server{"", stream(answer...)}, func(c *Config) { c.Request.Model = "" }, "model", "does not list", "--model", ""},
		{"an empty list, none named", server{`{"data":[]}`, stream(answer...)}, func(c *Config) { c.Request.Model = "" }, "model", "lists none", "--model", ""},
		{"case 400-max-tokens-name", server{"", refuses(400, tokensName)}, nil, "stream", "Unsupported parameter", "--max-tokens-field max_completion_tokens", outcome.BadRequest},
		{"case 400-max-tokens-name, the other way", server{"", refuses(400, `{"error":{"message":"unknown field max_completion_tokens"}}`)},
			func(c *Config) { c.Request.MaxTokensField = "max_completion_tokens" }, "stream", "unknown field", "--max-tokens-field max_tokens", outcome.BadRequest},
		{"too many tokens", server{"", refuses(400, `{"error":{"message":"max_tokens is too large: 100000"}}`)}, nil, "stream", "too large", "--max-tokens", outcome.BadRequest},
		{"case 400-temperature", server{"", refuses(400, `{"error":{"message":"temperature does not support 0.5","code":"unsupported_value"}}`)}, nil, "stream", "temperature", "--temperature", outcome.BadRequest},
		{"stream_options unknown", server{"", refuses(400, `{"detail":"stream_options: extra fields not permitted"}`)}, nil, "stream", "stream_options", "--extra stream_options=null", outcome.BadRequest},
		{"another 400", server{"", refuses(400, `{"error":{"message":"bad"}}`)}, nil, "stream", "bad", "message", outcome.BadRequest},
		{"case 502-504-html-from-proxy", server{"", says(502, "text/html", "<html><title>502 Bad Gateway</title></html>")}, nil, "stream", "502 Bad Gateway", "gateway", "http_502"},
		{"overloaded", server{"", refuses(503, "")}, nil, "stream", "no capacity", "--concurrency", outcome.Overloaded},
		{"case zero-byte-200", server{"", says(200, "text/event-stream", "")}, nil, "stream", "nothing in it", "log", outcome.EmptyBody},
		{"an answer without text", server{"", stream(piece{0, finish}, piece{0, "[DONE]"})}, nil, "stream", "no text", "--max-tokens", outcome.EmptyOutput},
		{"case no-finish-no-done", server{"", stream(piece{gap, content("al")})}, nil, "terminal", "ended before", "log", outcome.IncompleteStream},
		{"case error-object-then-done", server{"", stream(piece{0, `{"error":{"message":"engine gone","code":500}}`}, piece{0, "[DONE]"})}, nil, "stream", "engine gone", "provider", outcome.InbandError},
		{"another API", server{"", stream(piece{0, `{"type":"response.created"}`})}, nil, "stream", "response.created", "--dialect", outcome.WrongProtocol},
		{"no first token", server{"", stream(piece{0, `{"choices":[]}`}, piece{time.Second, content("al")})}, nil, "stream", "first token", "--ttft-timeout", outcome.TTFTTimeout},
		{"a stall", server{"", stream(piece{gap, content("al")}, piece{time.Second, content("pha")})}, nil, "terminal", "between bytes", "--idle-timeout", outcome.IdleTimeout},
		{"too long", server{"", stream(piece{gap, content("al")}, piece{time.Second, content("pha")})},
			func(c *Config) { c.Client.Timeouts.Total = 200 * time.Millisecond; c.Client.Timeouts.Idle = 0 }, "terminal", "did not end", "--timeout", outcome.TotalTimeout},
	} {
		r := against(t, c.server, c.change)
		expectFault(t, c.name, r, c.step, c.what, c.hint)
		if c.class == "" && r.Attempt != nil || c.class != "" && (r.Attempt == nil || r.Attempt.Outcome != c.class) {
			t.Errorf("%s: attempt %+v, want outcome %q", c.name, r.Attempt, c.class)
		}
	}
}

func expectFault(t *testing.T, name string, r Result, step, what, hint string) {
	t.Helper()
	if r.Fault == nil {
		t.Errorf("%s: no fault; %+v", name, r.Attempt)
		return
	}
	if got := r.Fault.What.In(text.English); !strings.Contains(got, what) {
		t.Errorf("%s: says %q, want %q", name, got, what)
	}
	if got := r.Fault.Hint.In(text.English); !strings.Contains(got, hint) {
		t.Errorf("%s: hints %q, want %q", name, got, hint)
	}
	past := false
	for _, s := range r.Steps {
		switch {
		case s.ID == step && s.Status != Failed, s.ID != step && s.Status == Failed, past && s.Status != Skipped:
			t.Errorf("%s: step %s is %s, and %s should have failed", name, s.ID, s.Status, step)
		}
		past = past || s.ID == step
	}
	for _, l := range []text.Lang{text.English, text.Chinese} {
		for _, m := range []text.Message{r.Fault.What, r.Fault.Hint} {
			if s := m.In(l); s == "" || strings.Contains(s, "%!") || strings.HasPrefix(s, "[") || strings.Contains(s, "secret-key-1") {
				t.Errorf("%s: %q", name, s)
			}
		}
	}
}

func TestNearestModel(t *testing.T) {
	for _, c := range []struct {
		name   string
		models []string
		want   string
	}{
		{"toy-9", []string{"other", "toy-1", "toy-2"}, "toy-1"},
		{"Llama-3-8B", []string{"llama-3-8b"}, "llama-3-8b"},
		{"llama-3-8b", []string{"qwen/qwen3", "meta/llama-3-8b"}, "meta/llama-3-8b"},
		{"meta/llama-3-8b", []string{"qwen3", "llama-3-8b"}, "llama-3-8b"},
		{"deepseek-chat", []string{"qwen3-max", "glm-5"}, ""},
		{"toy", nil, ""},
	} {
		if got := nearestModel(c.name, c.models); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}
