//go:build linux

package wire

import (
	"context"
	"net/url"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tidemark/record"
	"tidemark/record/outcome"
)

// silent is a server that accepts and says nothing. It keeps bare descriptors,
// so that it has no memory of this process that would be taken for the
// client's.
func silent(t testing.TB) (base *url.URL, accepted func() int, close func()) {
	t.Helper()
	l, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(l, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	unix.Listen(l, 4096)
	at, err := unix.Getsockname(l)
	if err != nil {
		t.Fatal(err)
	}
	var fds []int
	var lock sync.Mutex
	done := make(chan struct{})
	go func() {
		for {
			fd, _, err := unix.Accept4(l, unix.SOCK_CLOEXEC)
			if err != nil {
				break
			}
			lock.Lock()
			fds = append(fds, fd)
			lock.Unlock()
		}
		for _, fd := range fds {
			unix.Close(fd)
		}
		unix.Close(l)
		done <- struct{}{}
	}()
	base = &url.URL{Scheme: "http", Host: "127.0.0.1:" + strconv.Itoa(at.(*unix.SockaddrInet4).Port), Path: "/v1"}
	accepted = func() int { lock.Lock(); defer lock.Unlock(); return len(fds) }
	return base, accepted, func() { unix.Shutdown(l, unix.SHUT_RDWR); <-done }
}

// BenchmarkQuietConn is what a stream holds that waits for its first token:
// connection, goroutine, record and buffers, after a collection.
func BenchmarkQuietConn(b *testing.B) {
	const streams = 2000
	for b.Loop() {
		b.ReportMetric(float64(quietConns(b, streams))/streams, "B/stream")
	}
}

// A stream that waits for its first token holds at most 16 KiB. (It takes some
// 10; a run's own part of a stream is not in it.)
func TestQuietStreamIsSmall(t *testing.T) {
	const streams = 500
	if each := quietConns(t, streams) / streams; each > 16<<10 {
		t.Errorf("%d bytes a stream", each)
	}
}

// quietConns opens streams, has each ask, and returns the bytes that they hold
// while they wait.
func quietConns(t testing.TB, streams int) int64 {
	base, accepted, stop := silent(t)
	defer stop()
	client := toyClient(nil)
	client.Target.Base = base
	client.Timeouts = Timeouts{Connect: time.Minute, TTFT: time.Hour, Idle: time.Hour, Total: time.Hour}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	held := inUse()
	var all sync.WaitGroup
	opening := make(chan struct{}, 64)
	for i := range streams {
		all.Go(func() {
			opening <- struct{}{}
			c, err := client.Open(ctx, i+1)
			<-opening
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			a := new(record.Attempt)
			c.Do(ctx, chatAsk(t), a)
			if a.Outcome != outcome.CutByRunEnd || a.Sent == 0 {
				t.Errorf("%s %q", a.Outcome, a.Message)
			}
		})
	}
	for accepted() < streams {
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	held = inUse() - held
	cancel()
	all.Wait()
	return held
}

// inUse is the memory that heap and stacks take.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // pools let go of what they hold in two steps
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
