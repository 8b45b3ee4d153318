package trace

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidemark/load/arrival"
	"tidemark/text"
)

// What not every request has may come late in a file, and be null.
func TestLinesNeedNotBeAlike(t *testing.T) {
	got := read(t, file(t, `{"timestamp": 0, "input_length": 1, "output_length": 2, "session_id": null, "hash_ids": null}
{"timestamp": 1, "input_length": 1, "output_length": 2}
{"output_length": 2, "input_length": 1, "timestamp": 2, "session_id": "a"}
{"timestamp": 3, "input_length": 1, "output_length": 2, "hash_ids": [7, 8]}
{"timestamp": 4, "input_length": 1, "output_length": 2, "session_id": 5}
`), Options{Columns: map[string]string{"session": "session_id"}})
	want := []arrival.Request{
		{Input: 1, Output: 2},
		{Due: time.Millisecond, Input: 1, Output: 2},
		{Due: 2 * time.Millisecond, Input: 1, Output: 2, Session: "a"},
		{Due: 3 * time.Millisecond, Input: 1, Output: 2, Blocks: []int64{7, 8}},
		{Due: 4 * time.Millisecond, Input: 1, Output: 2, Session: "5"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestBlocksInCSV(t *testing.T) {
	got := read(t, file(t, "time,isl,osl,hash ids\n0,1,1,\"[3, -4]\"\n0,1,1,\n0,1,1,5 6\n"), Options{})
	if d := cmp.Diff([][]int64{{3, -4}, nil, {5, 6}}, [][]int64{got[0].Blocks, got[1].Blocks, got[2].Blocks}); d != "" {
		t.Error(d)
	}
}

// A name that was given goes before one that is known, and is taken as it
// stands before it is taken loosely.
func TestNamedColumns(t *testing.T) {
	body := "timestamp,when_ms,isl,OSL,osl\n1,1000,1,8,9\n2,3000,1,8,9\n"
	got := read(t, file(t, body), Options{Columns: map[string]string{"time": "When ms", "output": "osl"}})
	if got[1].Due != 2*time.Second || got[1].Output != 9 {
		t.Errorf("%+v", got[1])
	}
}

// Refusals name the line as an editor counts it, and say nothing that moves a
// terminal's cursor.
func TestRefusedLines(t *testing.T) {
	const head = "timestamp,input_tokens,output_tokens\n"
	for _, c := range []struct{ name, body, said string }{
		{"packed", "\x1f\x8b\x08\x00\x00", "line 1: it holds bytes that are no text"},
		{"binary behind names", head + "1,\x001,1\n", "line 1: it holds bytes"},
		{"names with control characters", `{"\u001b[2J": 1}`, "among: \ufffd[2J"},
		{"behind blank lines", "\n\r\n" + head + "1,1,1\n\n2,x,1\n", `line 6: "x"`},
		{"names behind a blank line", "\ntimestamp\n1\n", "line 2: there is no column"},
		{"a field too many behind a blank line", "\n" + head + "1,1,1,1\n", "line 3: it has more or fewer"},
		{"a quote left open", head + "1,1,1\n1,\"1,3\n1,1,1\n", "line 3: it is no CSV"},
		{"a line without end", head + `1,1,"` + strings.Repeat("x", longestLine+8<<10), "line 2: it is longer than 16 MB"},
		{"a later object without a length", `{"time": 0, "isl": 1, "osl": 1}` + "\n" + `{"time": 0, "isl": 1}`, "line 2: there is no column for output"},
		{"a length that is null", `{"time": 0, "isl": null, "osl": 1}`, `line 1: "" is no number for input`},
		{"two things wrong: the first is said", head + "1,x,y\n", `"x" is no number for input`},
		{"beyond what a duration holds", head + "-9000000000,1,1\n9000000000,1,1\n", "line 3: it would be due"},
	} {
		_, err := Open(file(t, c.body), Options{})
		var f *text.Fault
		if !errors.As(err, &f) || f.Hint.ID == "" || !strings.Contains(f.Error(), c.said) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// It is one row that may be no longer, not the file.
func TestLongRows(t *testing.T) {
	row := `1,1,1,"` + strings.Repeat("x", longestLine/3) + "\"\n"
	if got := read(t, file(t, "time,isl,osl,text\n"+strings.Repeat(row, 5)), Options{}); len(got) != 5 {
		t.Error(len(got))
	}
}

func TestFarthest(t *testing.T) {
	// 4,000,000 s are 46 days; a thousand times as slow they are 126 years.
	const body = "timestamp,isl,osl\n0,1,1\n4000000,1,1\n"
	if got := read(t, file(t, body), Options{Scale: 100})[1].Due; got != 400_000_000*time.Second {
		t.Error(got)
	}
	if _, err := Open(file(t, body), Options{Scale: 1000}); err == nil || !strings.Contains(err.Error(), "line 3: it would be due") {
		t.Error(err)
	}
	// Fast, it is still on the trace's own clock that it must be told.
	if _, err := Open(file(t, "timestamp,isl,osl\n0,1,1\n4000000000,1,1\n"), Options{Scale: .001}); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Error(err)
	}
}

// A directory or a pipe can't be read again from its beginning.
func TestNoOrdinaryFile(t *testing.T) {
	for _, path := range []string{t.TempDir(), os.DevNull} {
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), "no file on disk") {
			t.Error(path, err)
		}
	}
}

// What Open read is what is replayed, or there is an error: a file that is
// shorter now must not pass for the whole.
func TestChangedToAsGood(t *testing.T) {
	const two = "timestamp,isl,osl\n1,1,1\n2,1,1\n"
	for _, c := range []struct {
		name, body, then string
		after            int // requests that were read before
	}{
		{"shorter", two, "timestamp,isl,osl\n1,1,1\n", 0},
		{"longer", two, two + "3,1,1\n", 0},
		{"empty", two, "", 0},
		// Whole lines of 32 bytes fill what is read at once: it ends between two.
		{"cut on the way", "timestamp,isl,osl,xxxxxxxxxxxxx\n" + strings.Repeat("2,1,1,"+strings.Repeat("x", 25)+"\n", 10_000), two, 1},
	} {
		path := file(t, c.body)
		tr, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		change := func() {
			if err := os.WriteFile(path, []byte(c.then), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c.after == 0 {
			change()
		}
		for _, err = range tr.All() {
			if n++; n == c.after {
				change()
			}
		}
		var f *text.Fault
		if !errors.As(err, &f) || c.after == 0 && n != 1 {
			t.Errorf("%s: %v after %d", c.name, err, n)
		}
	}
	path := file(t, two)
	tr, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(path)
	for _, err = range tr.All() {
	}
	if err == nil || !strings.Contains(err.Error(), "can't be opened") {
		t.Error(err)
	}
}
