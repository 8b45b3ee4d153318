package render

import (
	"bytes"
	"testing"
	"time"

	"tidemark/job/check"
	"tidemark/record"
	"tidemark/run"
	"tidemark/text"
)

func TestBefore(t *testing.T) {
	o := Options{Lang: text.English}
	for name, c := range map[string]struct {
		write func(*bytes.Buffer)
		want  string
	}{
		"target": {func(b *bytes.Buffer) { Target(b, "http://h/v1/chat/completions", "key from KEY", o) },
			"target     http://h/v1/chat/completions (key from KEY)\n"},
		"an escape in a model's name": {func(b *bytes.Buffer) {
			Preflight(b, check.Learned{Model: "\x1b[31mm", Streamed: true, TTFT: 50 * time.Millisecond, E2E: 2 * time.Second}, o)
		}, "preflight  \ufffd[31mm answered: TTFT 50.0 ms, whole answer 2,000 ms\n"},
		"whole": {func(b *bytes.Buffer) { Preflight(b, check.Learned{Model: "m", E2E: time.Second}, o) },
			"preflight  m answered: whole answer 1,000 ms, not streamed\n"},
		"estimate": {func(b *bytes.Buffer) {
			Estimate(b, make([]run.Level, 4), record.Estimate{Requests: 1234, InputTokens: 4551, OutputTokens: 5904, DurationS: 143}, o)
		}, "to send    levels: 4 · requests: 1,234 · input tokens ≈ 4,551 ·\n           output tokens at most 5,904 · ≈ 2 min 23 s where answers have their\n           full length\n"},
		"nothing learned": {func(b *bytes.Buffer) { Estimate(b, make([]run.Level, 1), record.Estimate{Requests: 2}, o) },
			"to send    levels: 1 · requests: 2\n"},
	} {
		var b bytes.Buffer
		c.write(&b)
		if b.String() != c.want {
			t.Errorf("%s:\n%q\n%q", name, b.String(), c.want)
		}
	}
}
