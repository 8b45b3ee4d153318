package stamp

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestSegments(t *testing.T) {
	// Each step is one read and, where asked is not quiet, the census after it.
	type step struct {
		n      int
		filled bool
		segs   uint32
		bytes  uint64
		asked  byte
	}
	const quiet, one, several = 0, '?', '!'
	tests := []struct {
		name  string
		steps []step
	}{
		{"one segment a read", []step{{100, false, 1, 100, one}, {90, false, 2, 190, one}}},
		{"asked after many reads", []step{{100, false, 0, 0, quiet}, {90, false, 0, 0, quiet}, {80, false, 3, 270, one}}},
		{"two writes after many reads", []step{{100, false, 0, 0, quiet}, {90, false, 0, 0, quiet}, {160, false, 4, 350, several}}},
		{"a peer that cuts its frames is looked at closely from the first doubt on", []step{
			{100, false, 0, 0, quiet}, {100, false, 4, 200, several}, {100, false, 5, 300, one}}},
		{"two writes in one read", []step{{200, false, 2, 200, several}, {90, false, 3, 290, one}}},
		{"one write of several segments", []step{{2500, false, 3, 2500, one}}}, // ⌈2500/1000⌉ = 3
		{"the same in four", []step{{2500, false, 4, 2500, several}}},
		{"one write over a full buffer", []step{{4096, true, 7, 7000, one}, {2904, false, 7, 7000, one}}},
		{"the same, asked at its end", []step{{4096, true, 0, 0, quiet}, {2904, false, 7, 7000, one}}},
		{"two writes over a full buffer", []step{{4096, true, 8, 7000, several}, {2904, false, 8, 7000, several}}},
		{"a segment lands after the read", []step{{100, false, 2, 150, one}, {50, false, 2, 150, one}}},
		{"a split read, and one lands after it", []step{{100, false, 3, 150, several}, {50, false, 3, 150, several}, {10, false, 4, 160, one}}},
		{"a full buffer that was all there was", []step{{4096, true, 5, 4096, one}, {10, false, 6, 4106, one}}},
		{"somebody else reads", []step{{100, false, 1, 50, several}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := segments{mss: 1000}
			for i, st := range tt.steps {
				s.took(st.n, st.filled)
				if st.asked == quiet {
					continue
				}
				got, empty := s.unsplit(census{st.segs, st.bytes, 1000})
				if got != (st.asked == one) || empty != (st.bytes == s.read) {
					t.Errorf("step %d: unsplit, empty = %v, %v", i, got, empty)
				}
			}
		})
	}
	if one, _ := new(segments).unsplit(census{1, 10, 0}); one {
		t.Error("unsplit without an mss")
	}
}

// Whatever the reader's delays, and whenever it asks, a read that mixes two
// writes is never called unsplit while the writes together are smaller than a
// segment. (Larger ones can hide: 700 and 400 bytes are two segments, and so
// are 1,100.)
func TestSegmentsNeverMiss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const mss = 1000
		writes := rapid.SliceOfN(rapid.IntRange(1, 35), 1, 20).Draw(t, "writes")
		buffer := rapid.IntRange(1, 64).Draw(t, "buffer")
		s := segments{mss: mss}
		c := census{mss: mss}
		var owner []int // which write each unread byte is of
		arrive := func(k int) {
			for range writes[k] {
				owner = append(owner, k)
			}
			c.bytes += uint64(writes[k])
			c.segs += over(uint64(writes[k]), mss)
		}
		next := 0
		for next < len(writes) || len(owner) > 0 {
			for range rapid.IntRange(0, 3).Draw(t, "arrive") {
				if next < len(writes) {
					arrive(next)
					next++
				}
			}
			if len(owner) == 0 {
				continue
			}
			n := min(buffer, len(owner))
			first, last := owner[0], owner[n-1]
			owner = owner[n:]
			s.took(n, n == buffer)
			if next < len(writes) && rapid.Bool().Draw(t, "lands") {
				arrive(next)
				next++
			}
			if !rapid.Bool().Draw(t, "asked") {
				continue
			}
			one, empty := s.unsplit(c)
			if empty != (len(owner) == 0) {
				t.Fatalf("empty = %v with %d unread", empty, len(owner))
			}
			if one && first != last {
				t.Fatalf("a read of writes %d to %d was called one", first, last)
			}
		}
	})
}

// pair is a loopback connection: the peer's end, and ours, stamped.
func pair(t testing.TB) (*net.TCPConn, Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ours, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c := New(ours)
	t.Cleanup(func() { c.Close(); theirs.Close() })
	return theirs.(*net.TCPConn), c
}

// stamped is a pair on a platform that stamps, warmed until it does: the
// kernel switches stamping on a moment after it is first asked.
func stamped(t testing.TB) (*net.TCPConn, Conn) {
	t.Helper()
	if runtime.GOOS != "linux" || (runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64") {
		t.Skip("no kernel stamps here")
	}
	peer, c := pair(t)
	for range 100 {
		peer.Write([]byte("x"))
		read(t, c, 1)
		if c.Source() == Kernel {
			return peer, c
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("the kernel never stamped")
	return nil, nil
}

func read(t testing.TB, c Conn, size int) (string, Arrival) {
	t.Helper()
	p := make([]byte, size)
	n, err := c.Read(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(p[:n]), c.Arrival()
}

func TestStampLiesBetweenSendAndRead(t *testing.T) {
	peer, c := stamped(t)
	for range 20 {
		before := time.Now()
		peer.Write([]byte("frame"))
		time.Sleep(3 * time.Millisecond) // the reader is late
		_, a := read(t, c, 64)
		// A stamp is put on before the sender's write returns on loopback, and
		// the two clocks are read a moment apart.
		if a.At.Before(before.Add(-100*time.Microsecond)) || a.Read.Sub(a.At) < 2*time.Millisecond {
			t.Errorf("sent %v before arrival, read %v after it", a.At.Sub(before), a.Read.Sub(a.At))
		}
		if !c.Unsplit() || c.Source() != Kernel {
			t.Errorf("unsplit %v, source %v", c.Unsplit(), c.Source())
		}
	}
	if c.RTT() <= 0 || c.RTT() > time.Second {
		t.Errorf("RTT = %v", c.RTT())
	}
}

// A peer that thinks before it answers is no further away, however often the
// connection was used.
func TestRTTIsDistance(t *testing.T) {
	peer, c := stamped(t)
	p := make([]byte, 512)
	for range 8 {
		c.Write(p[:300])
		peer.Read(p)
		time.Sleep(15 * time.Millisecond)
		peer.Write(p[:200])
		read(t, c, 512)
	}
	if rtt := c.RTT(); rtt <= 0 || rtt > 2*time.Millisecond {
		t.Errorf("RTT = %v over loopback", rtt)
	}
}

func TestUnsplit(t *testing.T) {
	long := string(bytes.Repeat([]byte("long "), 4000)) // one segment on loopback
	for _, tt := range []struct {
		name   string
		writes []string
		buffer int
		want   bool
	}{
		{"one write", []string{"a\n\nb\n\n"}, 4096, true},
		{"two writes", []string{"a\n\n", "b\n\n"}, 4096, false},
		{"one write over several reads", []string{long}, 4096, true},
		{"two writes over several reads", []string{long, "b"}, 4096, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			peer, c := stamped(t)
			emptied := c.Arrival().Read
			total := 0
			for _, w := range tt.writes {
				peer.Write([]byte(w))
				total += len(w)
				time.Sleep(2 * time.Millisecond)
			}
			for total > 0 {
				s, a := read(t, c, tt.buffer)
				total -= len(s)
				if c.Unsplit() != tt.want {
					t.Errorf("unsplit = %v with %d bytes left", c.Unsplit(), total)
				}
				if !a.Emptied.Equal(emptied) {
					t.Errorf("emptied %v after the read before the writes", a.Emptied.Sub(emptied))
				}
			}
			peer.Write([]byte("next"))
			if _, a := read(t, c, tt.buffer); !c.Unsplit() || !a.Emptied.After(emptied) {
				t.Errorf("afterwards: unsplit %v, emptied %v later", c.Unsplit(), a.Emptied.Sub(emptied))
			}
		})
	}
}

// A close rides with the last bytes and must not spoil their census.
func TestUnsplitWithClose(t *testing.T) {
	peer, c := stamped(t)
	peer.Write([]byte("last"))
	peer.Close()
	time.Sleep(5 * time.Millisecond)
	if read(t, c, 64); !c.Unsplit() {
		t.Error("one write and a close were taken for two writes")
	}
	if _, err := c.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("err = %v, want EOF", err)
	}
}

// What came before New counts from the connection's beginning.
func TestBytesBeforeNew(t *testing.T) {
	stamped(t) // skips, or warms the kernel
	for _, tt := range []struct {
		writes int
		want   bool
	}{{1, true}, {2, false}} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		peer, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		ours, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		for range tt.writes {
			peer.Write([]byte("request"))
			time.Sleep(2 * time.Millisecond)
		}
		c := New(ours)
		if _, a := read(t, c, 64); c.Unsplit() != tt.want || !a.Emptied.IsZero() {
			t.Errorf("%d writes: unsplit %v, emptied %v", tt.writes, c.Unsplit(), a.Emptied)
		}
		c.Close()
		peer.Close()
		l.Close()
	}
}

func TestClosed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("can't be told here")
	}
	peer, c := pair(t)
	if c.Closed() {
		t.Error("closed at once")
	}
	peer.Write([]byte("unasked"))
	time.Sleep(5 * time.Millisecond)
	if !c.Closed() {
		t.Error("unasked bytes were not seen")
	}
	if s, _ := read(t, c, 64); s != "unasked" {
		t.Errorf("looking took bytes: %q left", s)
	}
	if c.Closed() {
		t.Error("closed after reading")
	}
	peer.Close()
	time.Sleep(5 * time.Millisecond)
	if !c.Closed() {
		t.Error("a close was not seen")
	}
	c.Close()
	if !c.Closed() {
		t.Error("our own close was not seen")
	}
}

func TestReadErrors(t *testing.T) {
	peer, c := pair(t)
	c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	if _, err := c.Read(make([]byte, 8)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("err = %v, want a deadline", err)
	}
	c.SetReadDeadline(time.Time{})
	if n, err := c.Read(nil); n != 0 || err != nil {
		t.Errorf("an empty read = %d, %v", n, err)
	}
	peer.SetLinger(0)
	peer.Close()
	if _, err := c.Read(make([]byte, 8)); err == nil || err == io.EOF {
		t.Errorf("err = %v, want a reset", err)
	}
	c.Close()
	if _, err := c.Read(make([]byte, 8)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("err = %v, want closed", err)
	}
}

func TestPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer b.Close()
		c := New(a)
		defer c.Close()
		begun := time.Now()
		go func() {
			time.Sleep(300 * time.Millisecond)
			b.Write([]byte("x"))
		}()
		_, got := read(t, c, 8)
		if !got.At.Equal(got.Read) || got.At.Sub(begun) != 300*time.Millisecond || !c.Unsplit() {
			t.Errorf("arrival %+v", got)
		}
		if c.Source() != Read || c.Closed() || c.RTT() != 0 {
			t.Error("a pipe has stamps of the read and knows nothing else")
		}
	})
}

func TestReadAllocatesNothing(t *testing.T) {
	peer, c := stamped(t)
	p, out := make([]byte, 64), []byte("frame")
	if n := testing.AllocsPerRun(100, func() {
		peer.Write(out)
		c.Read(p)
		_ = c.Arrival()
	}); n != 0 {
		t.Errorf("%v allocations a read", n)
	}
}

// BenchmarkRead holds a stamped read against a plain one. The write, and the
// time the bytes take, are the same in both.
func BenchmarkRead(b *testing.B) {
	loop := func(b *testing.B, peer net.Conn, c net.Conn) {
		p, out := make([]byte, 4096), bytes.Repeat([]byte("x"), 250)
		b.ReportAllocs()
		for b.Loop() {
			peer.Write(out)
			if _, err := c.Read(p); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("plain", func(b *testing.B) {
		peer, c := stamped(b)
		loop(b, peer, c.(interface{ plain() net.Conn }).plain())
	})
	b.Run("stamped", func(b *testing.B) {
		peer, c := stamped(b)
		loop(b, peer, c)
	})
}

// loan counts what a read borrows.
type loan struct {
	peer  io.Writer // writes when the buffer came back the first time
	p     []byte
	held  bool
	backs int
}

func (l *loan) Lend() []byte {
	if l.p == nil {
		l.p = make([]byte, 64)
	}
	l.held = true
	return l.p
}

func (l *loan) Return() {
	if l.backs++; l.held && l.backs == 1 && l.peer != nil {
		go l.peer.Write([]byte("frame"))
	}
	l.held, l.p = false, nil
}

// A connection that waits has no buffer, and gives it back where nothing came.
func TestReadLent(t *testing.T) {
	peer, c := stamped(t)
	l := &loan{peer: peer}
	n, err := c.ReadLent(l)
	if err != nil || !l.held || string(l.p[:n]) != "frame" || l.backs != 1 || c.Source() != Kernel {
		t.Errorf("%d, %v; held %v, given back %d times", n, err, l.held, l.backs)
	}
	c.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
	l = &loan{}
	if _, err := c.ReadLent(l); !errors.Is(err, os.ErrDeadlineExceeded) || l.held {
		t.Errorf("err = %v, held %v", err, l.held)
	}
	c.SetReadDeadline(time.Time{})
	peer.Close()
	if _, err := c.ReadLent(l); err != io.EOF || l.held {
		t.Errorf("err = %v, held %v", err, l.held)
	}
}

func TestReadLentOfAPipe(t *testing.T) {
	a, b := net.Pipe()
	c := New(a)
	l := &loan{}
	go b.Write([]byte("frame"))
	if n, err := c.ReadLent(l); err != nil || string(l.p[:n]) != "frame" {
		t.Errorf("%d, %v", n, err)
	}
	b.Close()
	if _, err := c.ReadLent(l); err != io.EOF || l.held {
		t.Errorf("err = %v, held %v", err, l.held)
	}
}
