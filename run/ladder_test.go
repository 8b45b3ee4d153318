package run

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"tidemark/load/prompt"
	"tidemark/record"
)

func TestLevels(t *testing.T) {
	set := &prompt.Set{Groups: []prompt.Group{prompts("short", 7), prompts("long", 30)}}
	c := Config{Targets: []Target{{Name: "a"}, {Name: "b"}}, Prompts: set, Concurrency: []int{1, 8, 0}, WarmUp: -1}
	// 20 requests are three turns of 7, so 21; 32 are five, so 35. A set of 30
	// has more prompts than 20 requests; for 32 it takes two turns.
	got, err := Levels(c)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "levels", got, []Level{
		{Number: 1, Target: "a", Workload: "short", Concurrency: 1, Requests: 21, WarmUp: 1},
		{Number: 2, Target: "a", Workload: "short", Concurrency: 8, Requests: 35, WarmUp: 8},
		{Number: 3, Target: "a", Workload: "long", Concurrency: 1, Requests: 20, WarmUp: 1},
		{Number: 4, Target: "a", Workload: "long", Concurrency: 8, Requests: 60, WarmUp: 8},
		{Number: 5, Target: "b", Workload: "short", Concurrency: 1, Requests: 21, WarmUp: 1},
		{Number: 6, Target: "b", Workload: "short", Concurrency: 8, Requests: 35, WarmUp: 8},
		{Number: 7, Target: "b", Workload: "long", Concurrency: 1, Requests: 20, WarmUp: 1},
		{Number: 8, Target: "b", Workload: "long", Concurrency: 8, Requests: 60, WarmUp: 8},
	})
	got, _ = Levels(Config{})
	expect(t, "nothing asked", len(got), 0)
}

func TestRequests(t *testing.T) {
	for _, c := range []struct {
		name                         string
		c                            Config
		concurrency, prompts, expect int
	}{
		{"floor", Config{}, 1, 100, 20},
		{"four each", Config{}, 32, 1000, 128},
		{"as many prompts as requests", Config{}, 5, 20, 20},
		{"one prompt", Config{}, 6, 1, 24},
		{"exact", Config{Requests: 3}, 8, 7, 3},
		{"duration", Config{Duration: time.Second}, 8, 7, 0},
		{"both", Config{Duration: time.Second, Requests: 5}, 8, 7, 5},
	} {
		if got := requests(c.c, c.concurrency, c.prompts); got != c.expect {
			t.Errorf("%s: %d", c.name, got)
		}
	}
}

func TestEstimate(t *testing.T) {
	learned := Learned{Overhead: 28, TTFT: 100 * ms, TPOT: 10 * ms, E2E: 150 * ms}
	group := prompts("default", 20)
	for i := range group.Prompts {
		group.Prompts[i].Messages = []prompt.Message{{Role: "user", Text: "to be"}}
	}
	plain := Config{
		Targets: []Target{{Name: "a"}}, Prompts: &prompt.Set{Groups: []prompt.Group{group}},
		Concurrency: []int{1, 8}, WarmUp: -1, Rounds: 2, Ask: prompt.Request{MaxTokens: 91},
	}
	with := func(change func(*Config)) Config { c := plain; change(&c); return c }
	for _, c := range []struct {
		name    string
		c       Config
		learned Learned
		want    record.Estimate
	}{
		// 20 + 1 and 40 + 8 a round: 138. "to be" is 2 tokens. An answer of 91 tokens takes 1 s, so a
		// round takes 20 + 1 and 5 + 1 s.
		{"counted", plain, learned, record.Estimate{Requests: 138, InputTokens: 4140, OutputTokens: 12558, DurationS: 54}},
		// No limit on the answers: as long as the one that was seen.
		{"no max tokens", with(func(c *Config) { c.Ask.MaxTokens = 0 }), learned,
			record.Estimate{Requests: 138, InputTokens: 4140, DurationS: 54 * .15}},
		// 1.5 s are two turns of each slot: 2 + 1 and 16 + 8 a round; 1.5 + 1 s each.
		{"a duration", with(func(c *Config) { c.Duration = 1500 * ms }), learned,
			record.Estimate{Requests: 54, InputTokens: 1620, OutputTokens: 4914, DurationS: 10}},
		{"nothing learned", plain, Learned{}, record.Estimate{Requests: 138, InputTokens: 276, OutputTokens: 12558}},
	} {
		got, err := Estimate(c.c, c.learned)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.DurationS-c.want.DurationS) < 1e-9 {
			got.DurationS = c.want.DurationS
		}
		expect(t, c.name, got, c.want)
	}
}

func TestWarmUpAsksWhatWasAskedLast(t *testing.T) {
	for _, c := range []struct{ offset, number, want int }{
		{10, 1, 9}, {10, 10, 0}, {10, 11, 6}, {0, 1, 6}, {0, 7, 0}, {0, 8, 6},
	} {
		st := &stage{phase: record.WarmUp, step: &step{offset: c.offset, ladder: &ladder{parts: []part{{group: prompts("g", 7)}}}}}
		if got := st.position(c.number); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestPlansFieldsLieOverThePrompts(t *testing.T) {
	raw := func(s string) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(s), &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	mine := raw(`{"seed":1,"stop":["x"]}`)
	expect(t, "both", over(mine, raw(`{"seed":2,"top_p":1}`)), raw(`{"seed":2,"stop":["x"],"top_p":1}`))
	expect(t, "the prompt's own are left alone", mine, raw(`{"seed":1,"stop":["x"]}`))
	expect(t, "plan's", over(nil, mine), mine)
	expect(t, "prompt's", over(mine, nil), mine)
}
