package render

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidemark/job/check"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/text"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with testdata/name.golden; what differs is left beside it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		if err := os.WriteFile(file+".got", got, 0o644); err != nil {
			t.Error(err)
		}
		t.Errorf("%s (-want +got):\n%s", file, d)
	} else {
		os.Remove(file + ".got")
	}
}

var languages = []text.Lang{text.English, text.Chinese}

func TestFormatsGolden(t *testing.T) {
	for name, made := range map[string]func(text.Lang) *report.Report{"full": sample, "bare": bare, "paced": paced} {
		for _, lang := range languages {
			for _, format := range Formats() {
				t.Run(format+"-"+name+"-"+string(lang), func(t *testing.T) {
					var b bytes.Buffer
					if err := Write(&b, format, made(lang), attempts(), options(lang)); err != nil {
						t.Fatal(err)
					}
					golden(t, format+"-"+name+"-"+string(lang), b.Bytes())
				})
			}
		}
	}
}

func TestColorGolden(t *testing.T) {
	o := options(text.English)
	o.Color = true
	var b bytes.Buffer
	if err := table(&b, sample(text.English), o); err != nil {
		t.Fatal(err)
	}
	golden(t, "table-color-en", b.Bytes())
}

// attempts is the records of a small run: one that ended well, one refused.
func attempts() iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		well := &record.Attempt{Level: 1, Round: 1, Phase: record.Measured, Number: 1, Try: 1, Target: "glm-4.6", Workload: "default", Prompt: "default/1", Slot: 1, Conn: 1,
			Clocks: record.Clocks{Dispatched: 1000, Sent: 1100, Written: 1200, Headers: 2000, FirstByte: 2100, FirstEvent: 2200, FirstOut: 301_000_000,
				FirstAns: 301_000_000, LastOut: 2_301_000_000, Terminal: 2_301_500_000, End: 2_302_000_000},
			Outcome: outcome.OK, Finish: "stop", HTTPStatus: 200,
			Tokens: record.Tokens{Input: record.Count{N: 70, Source: record.FromUsage}, Output: record.Count{N: 111, Source: record.FromUsage}, Cached: record.Count{Source: record.FromUsage}},
			Frames: record.Frames{Events: 113, Output: 110, FirstRead: 1, Bytes: 20_331}, Stamps: "kernel", RTT: 31_000_000, RequestID: "req-1", ServedModel: "glm-4.6", Characters: 402}
		refused := &record.Attempt{Level: 1, Round: 1, Phase: record.WarmUp, Number: 2, Try: 1, Target: "glm-4.6", Workload: "default", Prompt: "默认/2", Slot: 1, Conn: 1, Reused: true,
			Clocks:  record.Clocks{Dispatched: 2_303_000_000, Sent: 2_303_100_000, Written: 2_303_200_000, Headers: 2_350_000_000, End: 2_351_000_000},
			Outcome: outcome.RateLimited, HTTPStatus: 429, Code: "+429", Message: "=HYPERLINK(\"http://x\")\n\x1b[2J请稍后", RetryAfter: 20,
			Warnings: map[string]int{"z": 1, "a": 2}}
		for _, r := range []record.Record{&record.Run{RunID: "r1"}, well, &record.Sample{At: 3}, refused, &record.End{At: 4}} {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func checked(failed bool) check.Result {
	r := check.Result{
		Steps: []check.Step{
			{ID: "resolve", Status: check.OK, Took: 12_400 * time.Microsecond, Detail: text.Msg("show.quote", "taotoken.net → 203.0.113.7")},
			{ID: "connect", Status: check.OK, Took: 31_000 * time.Microsecond},
			{ID: "tls", Status: check.OK, Took: 64_200 * time.Microsecond, Detail: text.Msg("show.quote", "TLS 1.3")},
			{ID: "key", Status: check.OK, Detail: text.Msg("show.quote", "TAOTOKEN_API_KEY")},
			{ID: "model", Status: check.OK, Detail: text.Msg("show.quote", "glm-4.6")},
			{ID: "stream", Status: check.OK, Took: 12_300 * time.Millisecond},
			{ID: "usage", Status: check.Warning, Detail: text.Msg("show.quote", "\x1b[31mno usage came, neither at the end of the stream nor in a frame of its own, so that tokens can't be counted")},
			{ID: "terminal", Status: check.OK, Detail: text.Msg("show.quote", "[DONE]")},
		},
		Answer:  "潮汐 is the rise and fall of the sea.\n\n\x1b[2JIt comes twice a day.",
		Learned: check.Learned{Model: "glm-4.6", Streamed: true, Usage: true, InputTokens: 12, OutputTokens: 16, TTFT: 312 * time.Millisecond, TPOT: 18 * time.Millisecond, E2E: 590 * time.Millisecond},
	}
	if failed {
		r.Steps[4] = check.Step{ID: "model", Status: check.Failed, Took: 80 * time.Millisecond, Detail: text.Msg("show.quote", "HTTP 404 model_not_found")}
		for i := 5; i < 8; i++ {
			r.Steps[i] = check.Step{ID: r.Steps[i].ID, Status: check.Skipped}
		}
		r.Answer, r.Learned = "", check.Learned{}
		r.Fault = text.Wrong(text.Msg("show.quote", "the endpoint has no model glm-4.7"), text.Msg("show.quote", "use --model with a name that it lists"))
		r.Models = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"}
	}
	return r
}

func TestCheckGolden(t *testing.T) {
	for _, lang := range languages {
		for name, failed := range map[string]bool{"well": false, "failed": true} {
			var b bytes.Buffer
			if err := Check(&b, checked(failed), options(lang)); err != nil {
				t.Fatal(err)
			}
			golden(t, "check-"+name+"-"+string(lang), b.Bytes())
		}
	}
}

func TestWriteUnknownFormat(t *testing.T) {
	err := Write(io.Discard, "html5", sample(text.English), nil, Options{})
	var f *text.Fault
	if !errors.As(err, &f) || f.Hint.ID == "" {
		t.Errorf("not a fault with a hint: %v", err)
	}
}
