package sim

import (
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestScheduleIsExact(t *testing.T) {
	c := Config{Schedule: &Schedule{TTFT: 50 * time.Millisecond, ITL: 10 * time.Millisecond}}
	virtual(t, c, func(w *world) {
		for range 2 { // the second on a connection that was used
			got := w.ask(w.Context(), question)
			if d := cmp.Diff(millis(50, 60, 70, 80), got.tokens); d != "" {
				t.Error(d)
			}
			// "hi": a word of two letters, 0.9 of a token, and 4 for the message.
			if got.usage.Prompt != 5 || got.usage.Output != 4 || got.finish != "length" || !got.done || got.err != nil {
				t.Errorf("%+v", got)
			}
		}
		truth := w.server.Truth(0)
		want := Truth{
			Engine: "schedule", Requests: 2, OK: 2, Tokens: 8, Frames: 16, MaxInFlight: 1, Connections: 1, Last: 2,
			TTFT: &Spread{2, 50, 50, 50, 50}, E2E: &Spread{2, 80, 80, 80, 80}, Gap: &Spread{6, 10, 10, 10, 10},
			Rows: []Sent{
				{Number: 1, Status: 200, OK: true, Streamed: true, TTFTMs: 50, E2EMs: 80, GapMeanMs: 10, GapMaxMs: 10, PromptTokens: 5, Tokens: 4, Frames: 8},
				{Number: 2, ArrivedMs: 80, Status: 200, OK: true, Streamed: true, TTFTMs: 50, E2EMs: 80, GapMeanMs: 10, GapMaxMs: 10, PromptTokens: 5, Tokens: 4, Frames: 8},
			},
		}
		if d := cmp.Diff(want, truth, nearly); d != "" {
			t.Error(d)
		}
		if got := w.server.Truth(1); len(got.Rows) != 1 || got.Requests != 2 {
			t.Errorf("since 1: %+v", got)
		}
		w.server.ResetTruth()
		after := w.server.Truth(0)
		if after.Requests != 0 || after.TTFT != nil || after.Gap != nil || len(after.Rows) != 0 || after.Last != 2 {
			t.Errorf("after reset: %+v", after)
		}
	})
}

// nearly is the histogram's precision.
var nearly = cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 0.001*math.Abs(b) })

// A slow token does not push back those after it: their moments are fixed.
func TestScheduleIsAbsolute(t *testing.T) {
	virtual(t, Config{}, func(w *world) {
		from := time.Now()
		a := Schedule{TTFT: 50 * time.Millisecond, ITL: 10 * time.Millisecond}.from(from, false)
		for k := range 4 {
			if err := a.wait(w.Context(), k); err != nil {
				t.Fatal(err)
			}
			want := millis(50, 65, 70, 80)[k]
			if got := time.Since(from); got != want {
				t.Errorf("token %d at %v, want %v", k, got, want)
			}
			if k == 0 {
				time.Sleep(15 * time.Millisecond)
			}
		}
	})
}

func TestManyStreamsAtOnce(t *testing.T) {
	c := Config{Schedule: &Schedule{TTFT: 50 * time.Millisecond, ITL: 10 * time.Millisecond}}
	virtual(t, c, func(w *world) {
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() {
				got := w.ask(w.Context(), strings.Replace(question, `"max_tokens":4`, `"max_tokens":100`, 1))
				if len(got.tokens) != 100 || got.tokens[99] != 1040*time.Millisecond || !got.done {
					t.Errorf("%d tokens, %v", len(got.tokens), got.err)
				}
			})
		}
		all.Wait()
		truth := w.server.Truth(math.MaxInt64)
		if truth.OK != 200 || truth.MaxInFlight != 200 || truth.Connections != 200 || truth.E2E.Max != 1040 || len(truth.Rows) != 0 {
			t.Errorf("%+v", truth)
		}
	})
}
