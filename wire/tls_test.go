package wire

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

// records is the lower side of a TLS server: what it writes is held, so that
// a test decides which bytes of which records go out together, and when.
type records struct {
	net.Conn
	hold bool
	held []byte
}

func (r *records) Write(p []byte) (int, error) {
	if !r.hold {
		return r.Conn.Write(p)
	}
	r.held = append(r.held, p...)
	return len(p), nil
}

// send writes n bytes of what is held, or all that is left, and returns the
// moments before and after: on loopback the kernel's stamp lies between.
func (r *records) send(n int) (before, after time.Time) {
	n = min(n, len(r.held))
	before = time.Now()
	r.Conn.Write(r.held[:n])
	after = time.Now()
	r.held = r.held[n:]
	return before, after
}

// secureLoopback opens a TLS connection to a server of one connection. serve
// gets it after the request was read.
func secureLoopback(t *testing.T, serve func(secure io.Writer, beneath *records)) *Conn {
	t.Helper()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.StartTLS() // for its certificate alone
	certificates, root := s.TLS.Certificates, s.Certificate()
	s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		raw, err := l.Accept()
		if err != nil {
			return
		}
		defer raw.Close()
		beneath := &records{Conn: raw}
		secure := tls.Server(beneath, &tls.Config{Certificates: certificates})
		if readRequest(secure) {
			beneath.hold = true
			serve(secure, beneath)
			io.Copy(io.Discard, raw)
		}
	}()
	client := toyClient(nil)
	client.Target.Base, _ = url.Parse("https://" + l.Addr().String())
	client.TLS = &tls.Config{RootCAs: x509.NewCertPool()}
	client.TLS.RootCAs.AddCert(root)
	client.Timeouts.Total = 10 * time.Second
	c, err := client.Open(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); <-done })
	return c
}

// Under TLS the stamp is that of the socket read that completed the record:
// nothing of a record can be known before. Here one comes in three pieces, and
// the last brings the beginning of the next.
func TestStampOfASplitRecord(t *testing.T) {
	if !hasKernelStamps() {
		t.Skip("no kernel stamps here")
	}
	defer goleak.VerifyNone(t)
	var first, second [2]time.Time
	sent := make(chan struct{})
	c := secureLoopback(t, func(secure io.Writer, beneath *records) {
		io.WriteString(secure, chunkedHead)
		beneath.send(1 << 20)
		io.WriteString(secure, ev("{a:first}"))
		size := len(beneath.held)
		io.WriteString(secure, ev("{a:second|f:stop}")+lastChunk)
		for _, n := range []int{3, size - 10} {
			beneath.send(n)
			time.Sleep(10 * time.Millisecond)
		}
		first[0], first[1] = beneath.send(7 + 4)
		time.Sleep(10 * time.Millisecond)
		second[0], second[1] = beneath.send(1 << 20)
		close(sent)
	})
	defer c.Close()
	var a record.Attempt
	c.Do(t.Context(), ask(), &a)
	<-sent
	if a.Outcome != outcome.OK || a.Frames.Output != 2 || a.Stamps != "kernel" || a.RTT == 0 || a.RTT > int64(5*time.Millisecond) {
		t.Fatalf("%s %q, %d frames, stamps of the %s, RTT %d", a.Outcome, a.Message, a.Frames.Output, a.Stamps, a.RTT)
	}
	const apart = 100 * time.Microsecond // of readings of the clocks
	for _, f := range []struct {
		name string
		at   record.Offset
		sent [2]time.Time
	}{{"first", a.FirstOut, first}, {"second", a.LastOut, second}} {
		at := c.client.Epoch.Add(time.Duration(f.at))
		if at.Before(f.sent[0].Add(-apart)) || at.After(f.sent[1].Add(apart)) {
			t.Errorf("%s: stamped %v after its record's end was sent, which took %v", f.name, at.Sub(f.sent[0]), f.sent[1].Sub(f.sent[0]))
		}
	}
	if a.Frames.Uncertain != 0 {
		t.Errorf("%d uncertain", a.Frames.Uncertain)
	}
}

// gated is a toy whose decoder, once it has begun with a frame, waits until
// the server has sent the rest: a reader that comes late, though no later than
// it must.
type gated struct {
	toy
	begun chan struct{} // of room for every frame
	sent  chan struct{}
}

func (g gated) NewDecoder() dialect.Decoder { return g }
func (g gated) Frame(f dialect.Frame, o *dialect.Observation) error {
	g.begun <- struct{}{}
	<-g.sent
	return toy{}.Frame(f, o)
}

// Several records in one read have its stamp; it is theirs where they were one
// write, else the earlier ones' arrival is uncertain.
func TestStampOfSeveralRecords(t *testing.T) {
	if !hasKernelStamps() {
		t.Skip("no kernel stamps here")
	}
	defer goleak.VerifyNone(t)
	for _, tt := range []struct {
		name      string
		apart     bool
		uncertain int
	}{{"one write", false, 0}, {"a write each", true, 1}} {
		begun, sent := make(chan struct{}, 3), make(chan struct{})
		c := secureLoopback(t, func(secure io.Writer, beneath *records) {
			io.WriteString(secure, chunkedHead+ev("{n:}"))
			beneath.send(1 << 20)
			<-begun
			io.WriteString(secure, ev("{a:A}"))
			if tt.apart {
				beneath.send(1 << 20)
			}
			io.WriteString(secure, ev("{a:B|f:stop}")+lastChunk)
			beneath.send(1 << 20)
			close(sent)
		})
		q := ask()
		q.Dialect = gated{begun: begun, sent: sent}
		var a record.Attempt
		c.Do(t.Context(), q, &a)
		if a.Outcome != outcome.OK || a.Frames.Output != 2 || a.Frames.Uncertain != tt.uncertain || a.FirstOut != a.LastOut {
			t.Errorf("%s: %s %q, %d frames, %d uncertain, %v apart", tt.name, a.Outcome, a.Message, a.Frames.Output, a.Frames.Uncertain, a.LastOut-a.FirstOut)
		}
		c.Close()
	}
}
