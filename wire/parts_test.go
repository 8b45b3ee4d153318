package wire

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidemark/wire/dialect"
	"tidemark/wire/stamp"
)

func stampOf(c net.Conn) stamp.Conn { return stamp.New(c) }

func TestResolve(t *testing.T) {
	for _, tt := range []struct{ base, path, want string }{
		{"http://h/v1", "/chat/completions", "http://h/v1/chat/completions"},
		{"http://h/v1/", "/chat/completions", "http://h/v1/chat/completions"},
		{"http://h", "/chat/completions", "http://h/chat/completions"},
		{"http://h/api/v4", "/chat/completions", "http://h/api/v4/chat/completions"},
		{"http://h/v1/chat/completions", "/chat/completions", "http://h/v1/chat/completions"},
		{"http://h/v1/chat/completions/", "/chat/completions", "http://h/v1/chat/completions"},
		{"http://h/v1?api-version=1", "/x", "http://h/v1/x?api-version=1"},
		{"http://h/v1?a=1", "/x?b=2", "http://h/v1/x?a=1&b=2"},
		{"http://h/v1#f", "x", "http://h/v1/x"},
		{"http://h/a%2Fb", "/x", "http://h/a%2Fb/x"},
		{"http://h/v1", "", "http://h/v1"},
	} {
		base, err := url.Parse(tt.base)
		if err != nil {
			t.Fatal(err)
		}
		if got := Resolve(base, tt.path).String(); got != tt.want {
			t.Errorf("%s + %s = %s, want %s", tt.base, tt.path, got, tt.want)
		}
	}
}

func TestAppendRequest(t *testing.T) {
	base, _ := url.Parse("https://h:443/v1?q=1")
	target := Target{Base: base, Header: http.Header{"authorization": {"Bearer k"}, "User-Agent": {"mine"}, "Content-Length": {"999"}}}
	call := dialect.Call{Method: "POST", Path: "/go", Body: []byte("{}"), Header: http.Header{"Accept": {"text/event-stream"}}}
	got, err := new(lead).request(nil, &target, &call)
	want := "POST /v1/go?q=1 HTTP/1.1\r\nHost: h\r\nAccept: text/event-stream\r\nAccept-Encoding: identity\r\n" +
		"Authorization: Bearer k\r\nContent-Type: application/json\r\nUser-Agent: mine\r\nContent-Length: 2\r\n\r\n{}"
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	for name, h := range map[string]http.Header{
		"break in a value": {"X": {"a\r\nEvil: 1"}}, "break in a name": {"X\nY": {"a"}}, "NUL": {"X": {"\x00"}}, "break in the host": {"Host": {"h\r\n"}},
	} {
		target.Header = h
		if _, err := new(lead).request(nil, &target, &call); err == nil {
			t.Errorf("a %s was sent", name)
		}
	}
}

// What a connection keeps of its last request is not taken for another's.
func TestLeadFitsItsCall(t *testing.T) {
	base, _ := url.Parse("http://h/v1")
	target := &Target{Base: base}
	events, whole := http.Header{"Accept": {"text/event-stream"}}, http.Header{"Accept": {"application/json"}}
	var kept lead
	for _, call := range []dialect.Call{
		{Method: "POST", Path: "/a", Header: events, Body: []byte("{}")},
		{Method: "POST", Path: "/a", Header: events, Body: []byte(`{"n":1}`)},
		{Method: "POST", Path: "/a", Header: whole, Body: []byte("{}")},
		{Method: "POST", Path: "/b", Header: whole, Body: []byte("{}")},
		{Method: "POST", Path: "/b", Header: whole},
		{Method: "GET", Path: "/b", Header: whole},
		{Method: "GET", Path: "/b"},
		{Method: "G T", Path: "/b"},
		{Method: "POST", Path: "/a", Header: events, Body: []byte("{}")},
	} {
		got, err := kept.request(nil, target, &call)
		want, wantErr := new(lead).request(nil, target, &call)
		if string(got) != string(want) || (err == nil) != (wantErr == nil) {
			t.Errorf("%s %s: %q, %v; want %q, %v", call.Method, call.Path, got, err, want, wantErr)
		}
	}
}

func TestHeadersByName(t *testing.T) {
	var h head
	if err := h.parse("HTTP/1.1 200 OK\r\nx-request-ID:  a b\t\r\nX-Node: \r\nVia: one\nvia: two\r\nContent-Type:x"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"X-Request-Id": "a b", "X-Node": "", "Via": "one", "Content-Type": "x", "Vi": "", "Server": ""} {
		if got := h.get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if list, n := h.joined("via"); list != "one, two" || n != 2 {
		t.Errorf("%d values: %q", n, list)
	}
	want := http.Header{"X-Request-Id": {"a b"}, "X-Node": {""}, "Via": {"one", "two"}, "Content-Type": {"x"}}
	if diff := cmp.Diff(want, h.header()); diff != "" {
		t.Error(diff)
	}
	large := "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", headLimit-40) + "\r\nB: last\r\n\r\n"
	if err := inputOf([]byte(large)).readHead(&h); err != nil || h.get("B") != "last" || len(h.get("A")) != headLimit-40 {
		t.Errorf("%v, B = %q, A of %d bytes", err, h.get("B"), len(h.get("A")))
	}
}

func TestParseHead(t *testing.T) {
	many := strings.Repeat("X: y\r\n", fieldLimit)
	for _, tt := range []struct {
		raw    string
		status int
		length int64
		keeps  bool
		fails  bool
	}{
		{"HTTP/1.1 200 OK\r\nContent-Length: 5", 200, 5, true, false},
		{"HTTP/1.1 200\nTransfer-Encoding: Chunked", 200, -1, true, false},
		{"HTTP/1.1 200 ", 200, -2, true, false},
		{"HTTP/1.0 200 OK", 200, -2, false, false},
		{"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1", 200, 1, true, false},
		{"HTTP/1.1 200 OK\r\nconnection: x, Close\r\nContent-Length: 1", 200, 1, false, false},
		{"HTTP/1.1 204 No\r\nContent-Length: 7", 204, 0, true, false},
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5", 200, 5, true, false},
		{"HTTP/1.1 200 OK\r\n" + many + "Content-Length: 1", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nContent-Length: +5", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked", 0, 0, false, true},
		{"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nBad Name: x", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\n folded", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nX: a\x00b", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nX: a\rb", 0, 0, false, true},
		{"HTTP/1.1 200 OK\r\nno colon", 0, 0, false, true},
		{"HTTP/2 200 OK", 0, 0, false, true},
		{"HTTP/1.1 20 OK", 0, 0, false, true},
		{"HTTP/1.1 +20 OK", 0, 0, false, true},
		{"HTTP/1.1 099 OK", 0, 0, false, true},
		{"", 0, 0, false, true},
	} {
		var h head
		err := h.parse(tt.raw)
		var length int64
		if err == nil {
			length, err = h.length()
		}
		if (err != nil) != tt.fails {
			t.Errorf("%.60q: err = %v", tt.raw, err)
			continue
		}
		if err == nil && (h.status != tt.status || length != tt.length || h.keepsAlive() != tt.keeps) {
			t.Errorf("%.60q: %d, length %d, keeps %v", tt.raw, h.status, length, h.keepsAlive())
		}
	}
}

// feed gives an input bytes in the given pieces, then the end.
type feed struct {
	stamp.Conn
	pieces [][]byte
}

func (f *feed) Read(p []byte) (int, error) {
	for len(f.pieces) > 0 && len(f.pieces[0]) == 0 {
		f.pieces = f.pieces[1:]
	}
	if len(f.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.pieces[0])
	f.pieces[0] = f.pieces[0][n:]
	return n, nil
}

func (f *feed) Arrival() stamp.Arrival { return stamp.Arrival{} }

func inputOf(pieces ...[]byte) *input {
	f := &feed{pieces: pieces}
	return &input{conn: f, stamps: f, limits: &limits{armed: true}}
}

// readAll reads a body to its end.
func readAll(b body) (string, error) {
	var out []byte
	for {
		p, err := b.next()
		out = append(out, p...)
		if err != nil {
			return string(out), err
		}
	}
}

func TestChunked(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		whole    bool
	}{
		{"5\r\nhello\r\n0\r\n\r\n", "hello", true},
		{"2;a=b\r\nhe\r\n3 ; x\r\nllo\r\n000\r\nTrailer: x\r\n\r\n", "hello", true},
		{"A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789", true},
		{"5\r\nhel", "hel", false},
		{"5\r\nhello\r\n", "hello", false},
		{"5\r\nhello\r\n0\r\n", "hello", false},
		{"5\r\nhelloX", "hello", false},
		{"5\r\nhello\n", "hello", false},
		{"\r\n", "", false},
		{"-5\r\nhello", "", false},
		{"0x5\r\nhello", "", false},
		{"ffffffffffffffff\r\nhello", "", false},
		{"5" + strings.Repeat(";", 2000) + "\r\nhello\r\n0\r\n\r\n", "", false},
		{"0\r\n" + strings.Repeat("T: "+strings.Repeat("x", 1000)+"\r\n", 9) + "\r\n", "", false},
	} {
		got, err := readAll(newBody(inputOf([]byte(tt.in)), -1))
		if got != tt.want || (err == io.EOF) != tt.whole {
			t.Errorf("%.40q: %q, %v", tt.in, got, err)
		}
	}
}

// cutUp cuts b at random places.
func cutUp(t *rapid.T, b []byte) [][]byte {
	var out [][]byte
	for len(b) > 0 {
		n := rapid.IntRange(1, len(b)).Draw(t, "n")
		out, b = append(out, b[:n]), b[n:]
	}
	return out
}

// seen is what a framer made of a body.
type seen struct {
	Frames []string
	Alive  int
	Bytes  int64
	Tail   bool
}

func scanAll(f framer, pieces ...[]byte) seen {
	var s seen
	note := func() {
		fr, at := f.frame()
		s.Frames = append(s.Frames, fmt.Sprintf("%d %q %q %q", at, fr.Event, fr.Data, fr.Error))
	}
	for _, p := range pieces {
		p = bytes.Clone(p)
		for rest := p; len(rest) > 0; {
			n, whole, err := f.scan(rest)
			if err != nil {
				return s
			}
			if whole {
				note()
			}
			rest = rest[n:]
		}
		clear(p) // whatever is kept must be kept elsewhere
	}
	if f.tail() {
		s.Tail = true
		note()
	}
	s.Bytes, s.Alive = f.passed()
	return s
}

func TestSSE(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want seen
	}{
		{"data: a\n\ndata:b\n\n", seen{Frames: []string{`0 "" "a" ""`, `9 "" "b" ""`}}},
		{"data:  a\n\n", seen{Frames: []string{`0 "" " a" ""`}}},
		{"data: a\r\n\r\ndata: b\r\rdata: c\n\n", seen{Frames: []string{`0 "" "a" ""`, `11 "" "b" ""`, `20 "" "c" ""`}}},
		{"\ufeffdata: a\n\n\ufeffdata: b\n\n", seen{Frames: []string{`0 "" "a" ""`}}},
		{"event: e\nid: 1\ndata: a\ndata: b\ndata\n\n", seen{Frames: []string{`0 "e" "a\nb\n" ""`}}},
		{": one\n\n:\n\ndata:\n\nevent: ping\n\nid: 5\n\nretry: 3\n\n", seen{Alive: 6}},
		{": one\n: two\ndata: [DONE]\n\n", seen{Frames: []string{`12 "" "[DONE]" ""`}, Alive: 2}},
		{"error: {}\n\n", seen{Frames: []string{`0 "" "" "{}"`}}},
		{"data: a\u2028b\u0085c\n\n", seen{Frames: []string{`0 "" "a` + `\u2028b\u0085c" ""`}}},
		{"welcome\nfoo: bar\n\n", seen{}},
		{"data: a", seen{Frames: []string{`0 "" "a" ""`}, Tail: true}},
		{"data: a\ndata: b", seen{Frames: []string{`0 "" "a\nb" ""`}, Tail: true}},
		{"data: a\n", seen{Frames: []string{`0 "" "a" ""`}, Tail: true}},
		{"data: \n\n", seen{Alive: 1}},
		{"event: e\n\ndata: a\n\n", seen{Frames: []string{`10 "" "a" ""`}, Alive: 1}},
	} {
		tt.want.Bytes = int64(len(tt.in))
		for name, pieces := range map[string][][]byte{"whole": {[]byte(tt.in)}, "by bytes": slices.Collect(slices.Chunk([]byte(tt.in), 1))} {
			if diff := cmp.Diff(tt.want, scanAll(&sse{}, pieces...)); diff != "" {
				t.Errorf("%q, %s:\n%s", tt.in, name, diff)
			}
		}
	}
}

func TestNDJSON(t *testing.T) {
	in := "\ufeff{1}\r\n\n{2}\n  \n{3}"
	want := seen{Frames: []string{`0 "" "{1}" ""`, `9 "" "{2}" ""`, `16 "" "{3}" ""`}, Tail: true, Bytes: int64(len(in))}
	for name, pieces := range map[string][][]byte{"whole": {[]byte(in)}, "by bytes": slices.Collect(slices.Chunk([]byte(in), 1))} {
		if diff := cmp.Diff(want, scanAll(&ndjson{}, pieces...)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A body means the same wherever its reads were cut.
func TestFramingIgnoresReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"data: ", "data:", "event: x", "error: y", ":", "id", "\n", "\r", "\r\n", "\n\n", "木", "{", "long " + strings.Repeat("x", 300), bomText})
		body := []byte(strings.Join(rapid.SliceOf(word).Draw(t, "words"), ""))
		for _, make := range []func() framer{func() framer { return &sse{} }, func() framer { return &ndjson{} }} {
			if diff := cmp.Diff(scanAll(make(), body), scanAll(make(), cutUp(t, body)...)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

const bomText = "\ufeff"

// What one body left behind is nothing to the next.
func TestFramerReset(t *testing.T) {
	f := &sse{}
	for range 2 {
		f.reset()
		got := scanAll(f, []byte("\ufeffdata: a\n\nevent: e\ndata: b"))
		want := seen{Frames: []string{`0 "" "a" ""`, `12 "e" "b" ""`}, Bytes: 28, Tail: true}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// Ten thousand lines of one event are joined in linear time.
func TestManyDataLines(t *testing.T) {
	got := scanAll(&sse{}, []byte(strings.Repeat("data: x\n", 1<<20)+"\n"))
	if len(got.Frames) != 1 {
		t.Errorf("%d frames", len(got.Frames))
	}
}

func FuzzHead(f *testing.F) {
	f.Add([]byte(chunkedHead), uint8(3))
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200\n\n"), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, n uint8) {
		var whole, cut head
		err := inputOf(bytes.Clone(b)).readHead(&whole)
		cutErr := inputOf(slices.Collect(slices.Chunk(bytes.Clone(b), int(n)+1))...).readHead(&cut)
		if (err == nil) != (cutErr == nil) {
			t.Fatalf("%v whole, %v cut", err, cutErr)
		}
		if err == nil && !cmp.Equal(whole.header(), cut.header()) {
			t.Fatal("another head")
		}
	})
}

func FuzzChunked(f *testing.F) {
	f.Add([]byte("5;x\r\nhello\r\n0\r\nT: x\r\n\r\n"), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, n uint8) {
		whole, err := readAll(newBody(inputOf(bytes.Clone(b)), -1))
		cut, cutErr := readAll(newBody(inputOf(slices.Collect(slices.Chunk(bytes.Clone(b), int(n)+1))...), -1))
		if whole != cut || (err == io.EOF) != (cutErr == io.EOF) {
			t.Fatalf("%q %v whole, %q %v cut", whole, err, cut, cutErr)
		}
	})
}

func fuzzFramer(f *testing.F, make func() framer) {
	f.Add([]byte("\ufeffevent: e\r\ndata: {}\rdata: x\n\n: c\n\ndata: tail"), uint8(3))
	f.Add([]byte("{}\r\n\n{}"), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, n uint8) {
		whole := scanAll(make(), b)
		cut := scanAll(make(), slices.Collect(slices.Chunk(b, int(n)+1))...)
		if diff := cmp.Diff(whole, cut); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzSSE(f *testing.F)    { fuzzFramer(f, func() framer { return &sse{} }) }
func FuzzNDJSON(f *testing.F) { fuzzFramer(f, func() framer { return &ndjson{} }) }
