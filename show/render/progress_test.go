package render

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidemark/record"
	"tidemark/run"
	"tidemark/text"
)

func snapshot(level, done int, over bool) run.Snapshot {
	return run.Snapshot{Target: "glm-4.6", Workload: "default", Level: level, Levels: 2, Round: 1, Rounds: 1, Concurrency: 8, Phase: record.Measured,
		Done: done, Total: 80, InFlight: 8, TokensPerS: 412.2, TTFTp50: 312 * time.Millisecond, Elapsed: 12 * time.Second, Left: 31 * time.Second, Over: over}
}

func TestProgressPlain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := NewProgress(&b, false, Options{})
		for i := range 45 { // 0 to 22 s: a line at 10 s and at 20 s
			p.Update(snapshot(1, i, false))
			time.Sleep(500 * time.Millisecond)
		}
		p.Update(snapshot(1, 80, true))
		p.Update(snapshot(1, 80, true)) // said once
		p.Update(snapshot(2, 3, false)) // a new level waits its own ten seconds
		p.Close()
		want := `glm-4.6
[1/2] concurrency 8  20/80  in flight 8  ≈412 tok/s  TTFT p50 312 ms  31 s left
[1/2] concurrency 8  40/80  in flight 8  ≈412 tok/s  TTFT p50 312 ms  31 s left
[1/2] concurrency 8  80/80  ≈412 tok/s  TTFT p50 312 ms  took 12 s
`
		if d := cmp.Diff(want, b.String()); d != "" {
			t.Error(d)
		}
	})
}

func TestProgressLiveRedrawsALine(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, true, Options{Lang: text.Chinese, Width: 100})
	warm := snapshot(1, 2, false)
	warm.Phase, warm.Total, warm.TokensPerS, warm.TTFTp50, warm.Errors = record.WarmUp, 8, 0, 0, 1
	p.Update(warm)
	p.Update(snapshot(1, 34, false))
	p.Update(snapshot(1, 80, true))
	p.Update(snapshot(2, 1, false))
	p.Close()
	p.Close()
	const redraw = "\r\x1b[2K"
	want := "glm-4.6\n" +
		redraw + "[1/2] 并发 8  预热  2/8  错误 1  在途 8  剩余 31 s" +
		redraw + "[1/2] 并发 8  34/80  在途 8  ≈412 token/s  TTFT p50 312 ms  剩余 31 s" +
		redraw + "[1/2] 并发 8  80/80  ≈412 token/s  TTFT p50 312 ms  用时 12 s\n" +
		redraw + "[2/2] 并发 8  1/80  在途 8  ≈412 token/s  TTFT p50 312 ms  剩余 31 s\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

// In a narrow window the least needed goes first; what is left is whole.
func TestProgressLeavesOutTheLeastNeeded(t *testing.T) {
	s := snapshot(1, 34, false)
	s.Errors = 3
	for width, want := range map[int]string{
		100: "[1/2] concurrency 8  34/80  errors 3  in flight 8  ≈412 tok/s  TTFT p50 312 ms  31 s left",
		80:  "concurrency 8  34/80  errors 3  in flight 8  ≈412 tok/s  31 s left",
		60:  "concurrency 8  34/80  errors 3  ≈412 tok/s  31 s left",
		24:  "concurrency 8  34/80",
		12:  "concurrenc…",
	} {
		if got := newPage(Options{Width: width}).standing(s); got != want {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
}

// An open loop shows its rate, and what was due beside what is done.
func TestProgressOfOpenLoops(t *testing.T) {
	s := snapshot(1, 34, false)
	s.Concurrency, s.Schedule, s.Due = 0, &record.Schedule{Name: "20"}, 42
	trace := s
	trace.Schedule = &record.Schedule{Name: "conv.csv", Trace: "conv.csv"}
	warm, over := s, s
	warm.Phase, warm.Due = record.WarmUp, 0
	over.Over = true
	for _, c := range []struct {
		s     run.Snapshot
		width int
		want  string
	}{
		{s, 100, "[1/2] rate 20/s  34/80  42 due  in flight 8  ≈412 tok/s  TTFT p50 312 ms  31 s left"},
		{s, 64, "rate 20/s  34/80  42 due  in flight 8  ≈412 tok/s  31 s left"},
		{s, 60, "rate 20/s  34/80  in flight 8  ≈412 tok/s  31 s left"},
		{trace, 100, "[1/2] trace conv.csv  34/80  42 due  in flight 8  ≈412 tok/s  TTFT p50 312 ms  31 s left"},
		{warm, 70, "rate 20/s  warm-up  34/80  in flight 8  ≈412 tok/s  31 s left"},
		{over, 100, "[1/2] rate 20/s  34/80  ≈412 tok/s  TTFT p50 312 ms  took 12 s"},
	} {
		if got := newPage(Options{Width: c.width}).standing(c.s); got != c.want {
			t.Errorf("%d: %q, want %q", c.width, got, c.want)
		}
	}
}

func TestProgressFitsAndIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(10, 90).Draw(t, "width")
		live := rapid.Bool().Draw(t, "live")
		var b bytes.Buffer
		p := NewProgress(&b, live, Options{Lang: rapid.SampledFrom(languages).Draw(t, "lang"), Width: width})
		for range rapid.IntRange(1, 5).Draw(t, "updates") {
			s := snapshot(rapid.IntRange(0, 3).Draw(t, "level"), rapid.Int().Draw(t, "done"), rapid.Bool().Draw(t, "over"))
			s.Target, s.Workload = words().Draw(t, "target"), words().Draw(t, "workload")
			s.TokensPerS = figures().Draw(t, "speed")
			s.Errors = rapid.Int().Draw(t, "errors")
			s.Rounds = rapid.IntRange(0, 3).Draw(t, "rounds")
			s.Left = time.Duration(rapid.Int64().Draw(t, "left"))
			p.Update(s)
		}
		p.Close()
		got := strings.ReplaceAll(b.String(), eraseLine, "\n")
		if b.Len() > 0 && !strings.HasSuffix(got, "\n") {
			t.Fatalf("a line was left open: %q", got)
		}
		harmless(t, got, false)
		for line := range strings.Lines(got) {
			if w := ansi.StringWidth(strings.TrimSuffix(line, "\n")); w >= width {
				t.Fatalf("%d cells of %d: %q", w, width, line)
			}
		}
	})
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

// Nobody looking is no reason for a run to end, or to panic.
func TestProgressGoesOnWithoutAReader(t *testing.T) {
	p := NewProgress(broken{}, true, Options{})
	p.Update(snapshot(1, 1, false))
	p.Update(snapshot(1, 80, true))
	p.Close()
	if !p.over || p.open {
		t.Error("the level was not followed to its end")
	}
}
