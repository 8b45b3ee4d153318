package trace

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// again reads the same line over and over.
type again struct {
	line string
	at   int
}

func (a *again) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], a.line[a.at:])
		n, a.at = n+m, (a.at+m)%len(a.line)
	}
	return n, nil
}

// Behind a quote that is left open lies the rest of the file. It isn't read to
// its end, be its lines short.
func TestAnOpenQuoteIsNotHeld(t *testing.T) {
	rest := &io.LimitedReader{R: &again{line: strings.Repeat("x", 1000) + "\n"}, N: 3 * longestLine}
	from, bad := newRows(io.MultiReader(strings.NewReader("time,isl,osl\n1,1,1\n1,1,\""), rest), nil)
	if bad != nil {
		t.Fatal(bad.what)
	}
	if _, _, bad = from.next(); bad != nil {
		t.Fatal(bad.what)
	}
	if _, _, bad = from.next(); bad == nil || bad.what.ID != "trace.long" || bad.line != 3 {
		t.Error(bad)
	}
	if read := 3*longestLine - rest.N; read > longestLine+1<<20 {
		t.Error(read, "bytes were read")
	}
}

// JSON lines are no more held than those of CSV.
func TestLongJSONLinesAreNotHeld(t *testing.T) {
	const (
		lines = 40_000
		line  = `{"timestamp":1,"isl":1000,"osl":200,"hash_ids":[1,2],"session_id":"a"}` + "\n"
	)
	from, bad := newRows(io.LimitReader(&again{line: line}, lines*int64(len(line))), nil)
	if bad != nil {
		t.Fatal(bad.what)
	}
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var before uint64
	for n := 1; ; n++ {
		q, _, bad := from.next()
		if bad == end {
			if n != lines+1 || from.line() != n {
				t.Error(n, from.line())
			}
			return
		}
		if bad != nil || q.Input != 1000 || len(q.Blocks) != 2 {
			t.Fatal(bad, q)
		}
		switch n {
		case 1000:
			before = held()
		case lines - 1:
			if now := held(); now > before+1<<20 {
				t.Errorf("%d bytes are held after %d lines, %d after 1000", now, n, before)
			}
		}
	}
}
