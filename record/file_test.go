package record

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"tidemark/record/outcome"
)

func sampleRecords() []Record {
	return []Record{
		&Run{Format: Format, Tidemark: "test", RunID: "r", Started: time.Unix(1700000000, 0).UTC(), Plan: []byte(`{"a":1}`)},
		&Level{Event: LevelStart, Level: 1, Round: 1, At: 5, Target: "t", Workload: "default", Load: &Load{Kind: "closed", Concurrency: 8, Requests: 32}},
		&Attempt{
			Level: 1, Round: 1, Phase: Measured, Number: 1, Try: 1, Target: "t", Workload: "default", Prompt: "default/1",
			Clocks:  Clocks{Dispatched: 10, Sent: 11, End: 99},
			Outcome: outcome.OK, Tokens: Tokens{Output: Count{0, FromUsage}},
			Gaps: Packed(nil).Append(20e6).Append(0).Append(1 << 40), Warnings: map[string]int{"burst": 1},
		},
		&Sample{At: 50, InFlight: 3},
		&Note{At: 60, ID: "note.x", Args: []string{"y"}},
		&End{At: 100, Reason: Done},
	}
}

func written(t *testing.T, recs []Record) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range recs {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 { // several frames, as a run of some seconds has
			w.mu.Lock()
			w.closeFrame()
			w.mu.Unlock()
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func readAll(file []byte) (recs []Record, last error) {
	for r, err := range Read(bytes.NewReader(file)) {
		if err != nil {
			return recs, err
		}
		recs = append(recs, r)
	}
	return recs, nil
}

func TestReadReturnsWhatWasWritten(t *testing.T) {
	want := sampleRecords()
	got, err := readAll(written(t, want))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A file cut at any byte gives a prefix of its records, and says that it was
// cut unless the cut is at the end of a frame.
func TestReadCutAnywhere(t *testing.T) {
	want := sampleRecords()
	file := written(t, want)
	longest := 0
	for n := range file {
		got, err := readAll(file[:n])
		if err != nil && !errors.Is(err, ErrTruncated) {
			t.Fatalf("cut at %d: %v", n, err)
		}
		if len(got) > len(want) || cmp.Diff(want[:len(got)], got, cmpopts.EquateEmpty()) != "" {
			t.Fatalf("cut at %d: no prefix", n)
		}
		if len(got) < longest {
			t.Fatalf("cut at %d: %d records, fewer than before", n, len(got))
		}
		longest = len(got)
	}
	if longest < len(want)-2 {
		t.Errorf("all but the last frame: %d records of %d", longest, len(want))
	}
}

func TestReadRefusesWhatIsNoRecord(t *testing.T) {
	var file bytes.Buffer
	w, _ := NewWriter(&file)
	w.Write(&Run{Format: Format + 1})
	w.Close()
	_, err := readAll(file.Bytes())
	if err == nil || !strings.HasPrefix(err.Error(), "record 1: ") {
		t.Errorf("a newer format: %v", err)
	}
}

// packedUp is lines as a file holds them.
func packedUp(t testing.TB, lines []byte) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	return enc.EncodeAll(lines, nil)
}

// A line without end is not gathered for ever.
func TestReadBoundsALine(t *testing.T) {
	recs, err := readAll(packedUp(t, append([]byte(`{"kind":"note","at_ns":1,"id":"x"}`+"\n"), make([]byte, lineLimit+1<<20)...)))
	if len(recs) != 1 || !errors.Is(err, errLong) {
		t.Errorf("%d records, %v", len(recs), err)
	}
}

// Whatever the file holds, reading it ends, by one error at most, and what was
// read can be written again.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":"attempt","level":1,"phase":"measured","gaps":"gIl6","end_ns":5}`+"\n"), true)
	f.Add([]byte(`{"kind":"run","format":1,"plan":{}}`+"\n"+`{"kind":"from_the_future"}`+"\n"+`{"kind":"end"`), true)
	f.Add(packedUp(f, []byte(`{"kind":"sample","at_ns":1}`+"\n")), false)
	f.Fuzz(func(t *testing.T, b []byte, lines bool) {
		if lines {
			b = packedUp(t, b)
		}
		w, err := NewWriter(io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		failed := false
		for r, err := range Read(bytes.NewReader(b)) {
			if failed || (r == nil) == (err == nil) {
				t.Fatalf("%v beside %v, failed before: %v", r, err, failed)
			}
			if failed = err != nil; failed {
				continue
			}
			if err := w.Write(r); err != nil {
				t.Fatalf("%+v can't be written again: %v", r, err)
			}
		}
	})
}

func FuzzPacked(f *testing.F) {
	f.Add("gIl6")
	f.Add("////////////AQ") // the largest varint there is: no duration
	f.Fuzz(func(t *testing.T, text string) {
		var p, again Packed
		if p.UnmarshalText([]byte(text)) != nil {
			return
		}
		for d := range p.All() {
			if d < 0 {
				t.Fatalf("%d", d)
			}
			again = again.Append(d)
		}
		if !slices.Equal(slices.Collect(p.All()), slices.Collect(again.All())) {
			t.Fatal("another list")
		}
	})
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestWriterKeepsItsError(t *testing.T) {
	w, _ := NewWriter(fullDisk{})
	w.Write(&Note{ID: "x"})
	if err := w.Close(); err == nil {
		t.Error("Close: no error from a full disk")
	}
	if w.Flush() == nil || w.Write(&Note{ID: "y"}) == nil {
		t.Error("the error was forgotten")
	}
}

func TestPackedRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Int64Min(0)).Draw(t, "durations")
		var p Packed
		for _, d := range want {
			p = p.Append(d)
		}
		text, _ := p.MarshalText()
		var q Packed
		if err := q.UnmarshalText(text); err != nil {
			t.Fatal(err)
		}
		var got []int64
		for d := range q.All() {
			got = append(got, d)
		}
		if len(got) != len(want) {
			t.Fatalf("%d of %d", len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%d: %d, not %d", i, got[i], want[i])
			}
		}
	})
}
