package trace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidemark/load/arrival"
	"tidemark/text"
)

func read(t testing.TB, path string, o Options) []arrival.Request {
	t.Helper()
	tr, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	var all []arrival.Request
	for r, err := range tr.All() {
		if err != nil {
			t.Fatal(err)
		}
		r.Blocks = slices.Clone(r.Blocks)
		all = append(all, r)
	}
	return all
}

func file(t testing.TB, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPublishedTraces(t *testing.T) {
	azure := read(t, "testdata/azure.csv", Options{})
	// 18:17:03.97996 and 18:17:04.031960: 52 ms later.
	if len(azure) != 14 || azure[0].Input != 4808 || azure[0].Output != 10 || azure[0].Due != 0 {
		t.Error(len(azure), azure[0])
	}
	if azure[1].Due != 52*time.Millisecond || azure[12].Due != 29479069*time.Microsecond {
		t.Error(azure[1].Due, azure[12].Due)
	}
	mooncake := read(t, "testdata/mooncake.jsonl", Options{})
	if len(mooncake) != 8 || mooncake[0].Input != 6758 || mooncake[0].Output != 500 || len(mooncake[0].Blocks) != 14 || mooncake[1].Blocks[1] != 14 {
		t.Errorf("%d, %+v", len(mooncake), mooncake[0])
	}
	burst := read(t, "testdata/burstgpt.csv", Options{})
	if d := cmp.Diff([]arrival.Request{
		{Due: 0, Input: 472, Output: 18, Session: "a"},
		{Due: 40 * time.Second, Input: 1087, Output: 230, Session: "b"},
		{Due: 40500 * time.Millisecond, Input: 700, Output: 120, Session: "a"},
	}, burst); d != "" {
		t.Error(d)
	}
}

func TestPartAndPace(t *testing.T) {
	path := file(t, "time,input,output\n100,1,1\n101,2,1\n102,3,1\n104,4,1\n104,5,1\n110,6,1\n")
	o := Options{Columns: map[string]string{"input": "input", "output": "output"}}
	for _, c := range []struct {
		name   string
		change func(*Options)
		dues   string
	}{
		{"whole", func(*Options) {}, "0s 1s 2s 4s 4s 10s"},
		{"ten times as fast", func(o *Options) { o.Scale = .1 }, "0s 100ms 200ms 400ms 400ms 1s"},
		{"slice", func(o *Options) { o.From, o.To = time.Second, 10*time.Second }, "0s 1s 3s 3s"},
		{"from", func(o *Options) { o.From = 3 * time.Second }, "1s 1s 7s"},
		{"slice, then scale", func(o *Options) { o.From, o.Scale = 3*time.Second, 2 }, "2s 2s 14s"},
		{"so many", func(o *Options) { o.Requests = 2 }, "0s 1s"},
	} {
		o := o
		c.change(&o)
		var dues []string
		for _, r := range read(t, path, o) {
			dues = append(dues, r.Due.String())
		}
		if got := strings.Join(dues, " "); got != c.dues {
			t.Errorf("%s: %s, not %s", c.name, got, c.dues)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct{ body, due string }{
		{"timestamp_ms,input_tokens,output_tokens\n1000,1,1\n1500,1,1\n", "500ms"},
		{"timestamp,input_tokens,output_tokens\n1000,1,1\n1500.25,1,1\n", "8m20.25s"},
		{"\ufeffTime,Prompt Tokens,Completion-Tokens\r\n2024-02-28T23:59:59Z,1,1\r\n2024-02-29T00:00:00.000000001Z,1,1", "1.000000001s"},
		{"timestamp,isl,osl\n2024-01-01 10:00:00,1,1\n\"2024-01-01 10:00:00.5\",1,1\n", "500ms"},
		{"{\"timestamp\": 27482, \"input_length\": 5, \"output_length\": 2}\n\n{\"timestamp\": 30535, \"input_length\": 5, \"output_length\": 2}", "3.053s"},
		{"{\"time_s\": \"1.5\", \"isl\": 5, \"osl\": 2}\n{\"time_s\": 3, \"isl\": 5, \"osl\": 2}", "1.5s"},
	} {
		o := Options{}
		if strings.Contains(c.body, "time_s") {
			o.Columns = map[string]string{"time": "time_s"}
		}
		if all := read(t, file(t, c.body), o); len(all) != 2 || all[1].Due.String() != c.due {
			t.Errorf("%q: %v", c.body, all)
		}
	}
}

// Everything that can't be replayed is refused with its line.
func TestRefusals(t *testing.T) {
	const head = "timestamp,input_tokens,output_tokens\n"
	for _, c := range []struct{ name, body, id, said string }{
		{"empty", "", "trace.empty", ""},
		{"names alone", head, "trace.empty", ""},
		{"no such column", "timestamp,output_tokens\n1,1\n", "trace.line", "line 1: there is no column for input among: timestamp, output_tokens"},
		{"back in time", head + "1,1,1\n2,1,1\n1.5,1,1\n", "trace.line", "line 4: its time lies before"},
		{"nothing asked", head + "1,1,1\n2,0,1\n", "trace.line", "line 3: 0 input"},
		{"nothing answered", head + "1,5,0\n", "trace.line", "line 2: 5 input and 0 output"},
		{"less than nothing", head + "1,5,-3\n", "trace.line", "line 2"},
		{"absurd", head + "1,50000000,3\n", "trace.line", "line 2"},
		{"no number", head + "1,many,3\n", "trace.line", `line 2: "many" is no number for input`},
		{"half a token", head + "1,1.5,3\n", "trace.line", `line 2: "1.5"`},
		{"no time", head + "\"yes\",1,3\n", "trace.line", `line 2: "yes" is no time`},
		{"not a number at all", head + "NaN,1,3\n", "trace.line", "line 2"},
		{"a field too few", head + "1,1\n", "trace.line", "line 2: it has more or fewer fields"},
		{"a quote left open", head + "1,\"1,3\n", "trace.line", "it is no CSV"},
		{"JSON that breaks", `{"timestamp": 0, "input_length": 1, "output_length": 1}` + "\n{\n", "trace.line", "line 2: it is no JSON object"},
		{"JSON without a column", "\n" + `{"timestamp": 0, "input_length": 1}` + "\n", "trace.line", "line 2: there is no column for output"},
		{"ids that are none", `{"timestamp": 0, "input_length": 1, "output_length": 1, "hash_ids": ["x"]}`, "trace.line", "line 1"},
		{"binary", "\x00\x01\x02\x03", "trace.line", "line 1: it holds bytes that are no text"},
		{"a line without end", head + "1,1,\"" + strings.Repeat("x", longestLine+1e6), "trace.line", "longer than 16 MB"},
		{"JSON without end", `{"timestamp": 0, "x": "` + strings.Repeat("x", longestLine+1e5), "trace.line", "longer than 16 MB"},
	} {
		_, err := Open(file(t, c.body), Options{})
		var f *text.Fault
		if !errors.As(err, &f) || f.What.ID != c.id || f.Hint.ID == "" || !strings.Contains(f.Error(), c.said) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none"), Options{}); err == nil || !strings.Contains(err.Error(), "can't be opened") {
		t.Error(err)
	}
	if _, err := Open(file(t, head+"1,1,1\n"), Options{From: time.Second}); err == nil || !strings.Contains(err.Error(), "no request from") {
		t.Error(err)
	}
	if _, err := Open(file(t, head+"1,1,1\n"), Options{Columns: map[string]string{"session": "user"}}); err == nil || !strings.Contains(err.Error(), "no column for session") {
		t.Error(err)
	}
}

// A file that has changed since it was opened ends with an error.
func TestChangedSince(t *testing.T) {
	path := file(t, "timestamp,isl,osl\n1,1,1\n2,1,1\n")
	tr, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(path, []byte("timestamp,isl,osl\n1,1,1\n0,1,1\n"), 0o600)
	n := 0
	for _, err = range tr.All() {
		n++
	}
	if n != 1 || err == nil {
		t.Error(n, err)
	}
}

// A long trace takes no more memory than a short one.
func TestALongTraceIsNotHeld(t *testing.T) {
	var body bytes.Buffer
	body.WriteString("timestamp,isl,osl\n")
	const lines = 300_000
	for i := range lines {
		fmt.Fprintf(&body, "%d.25,1000,200\n", i)
	}
	path := file(t, body.String())
	body.Reset()
	tr, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, n := held(), 0
	for r, err := range tr.All() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == lines && r.Due != (lines-1)*time.Second {
			t.Error(r.Due)
		}
		if n == lines-1 {
			if grown := int64(held()) - int64(before); grown > 1<<20 {
				t.Errorf("%d bytes are held after %d lines", grown, n)
			}
		}
	}
	if n != lines {
		t.Error(n)
	}
}

func FuzzTrace(f *testing.F) {
	for _, name := range []string{"azure.csv", "mooncake.jsonl", "burstgpt.csv"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		rows, bad := newRows(bytes.NewReader(b), nil)
		if bad != nil {
			if bad.what.ID == "" || bad.hint.ID == "" {
				t.Error("a refusal without words")
			}
			return
		}
		for range 1000 {
			if _, _, bad := rows.next(); bad != nil {
				if bad != end && (bad.line < 1 || bad.hint.ID == "") {
					t.Errorf("%+v", bad)
				}
				return
			}
		}
	})
}

func BenchmarkTrace(b *testing.B) {
	tr := &Trace{Path: "testdata/azure.csv"}
	b.ReportAllocs()
	for b.Loop() {
		for range tr.file() {
		}
	}
}
