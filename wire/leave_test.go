package wire

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

func TestLeave(t *testing.T) {
	const second = time.Second
	open := step{}
	head, closing := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", step{at: 360, close: true}
	finished := step{at: 360, bytes: ev("{a:ta}") + ev("{f:stop}")}
	limits := Timeouts{TTFT: 2 * second, Idle: 5 * second, Total: 60 * second}
	for _, tt := range []struct {
		name    string
		leave   Leave
		limits  Timeouts
		script  []step
		outcome outcome.Class
		end     int
		output  int
		answer  string
	}{
		// base: pieces at 300, 320, 340 and 360.
		{"stays", Leave{}, limits, base(proper), "ok", 360, 4, "alpha beta"},
		{"after one frame", Leave{Frames: 1}, limits, base(proper), "cancelled_by_plan", 300, 1, "al"},
		{"after three", Leave{Frames: 3}, limits, base(proper), "cancelled_by_plan", 340, 3, "alpha be"},
		{"after the last, whose finish is on its way", Leave{Frames: 4}, limits, base(proper), "cancelled_by_plan", 360, 4, "alpha beta"},
		{"after the last, which is the finish", Leave{Frames: 1}, limits, []step{{bytes: chunkedHead}, {at: 360, bytes: ev("{a:x|f:stop}") + lastChunk}}, "ok", 360, 1, "x"},
		{"after more than there are", Leave{Frames: 5}, limits, base(proper), "ok", 360, 4, "alpha beta"},
		{"later frames of the same read are not waited for", Leave{Frames: 1}, limits,
			[]step{{bytes: chunkedHead}, {at: 360, bytes: ev("{a:x}") + ev("{a:y}") + ev("{f:stop}") + lastChunk}}, "cancelled_by_plan", 360, 1, "x"},
		{"after a while", Leave{After: 330 * time.Millisecond}, limits, base(proper), "cancelled_by_plan", 330, 2, "alpha"},
		{"frames first", Leave{Frames: 2, After: 330 * time.Millisecond}, limits, base(proper), "cancelled_by_plan", 320, 2, "alpha"},
		{"time first", Leave{Frames: 2, After: 310 * time.Millisecond}, limits, base(proper), "cancelled_by_plan", 310, 1, "al"},
		{"before the headers", Leave{After: 50 * time.Millisecond}, limits, []step{{at: 200, bytes: chunkedHead}, open}, "cancelled_by_plan", 50, 0, ""},
		{"nothing ever comes", Leave{After: second}, limits, []step{open}, "cancelled_by_plan", 1000, 0, ""},
		{"the answer was over", Leave{After: 400 * time.Millisecond}, limits, base(proper), "ok", 360, 4, "alpha beta"},
		// Finished, but its end is awaited: what follows bounds that, not the leave.
		{"the answer was finished", Leave{After: 400 * time.Millisecond}, limits, base(finished, open), "ok", 5360, 4, "alpha beta"},
		{"a limit passes first", Leave{After: 3 * second}, limits, []step{{bytes: chunkedHead}, open}, "ttft_timeout", 2000, 0, ""},
		{"an idle limit passes first", Leave{After: 6 * second}, limits, base(open), "idle_timeout", 5340, 3, "alpha be"},
		{"at the same moment", Leave{After: 2 * second}, limits, []step{{bytes: chunkedHead}, open}, "cancelled_by_plan", 2000, 0, ""},
		{"after an error in the stream", Leave{After: 400 * time.Millisecond}, limits, base(step{at: 360, bytes: ev("{e:oops}")}, open), "inband_error", 460, 3, "alpha be"},
		{"refused", Leave{After: 400 * time.Millisecond}, limits, []step{{bytes: "HTTP/1.1 502 Bad\r\nContent-Length: 9\r\n\r\ngone"}, {at: 500, bytes: " away"}}, "http_502", 500, 0, ""},
		{"cut before", Leave{After: 400 * time.Millisecond}, limits, base(closing), "incomplete_stream", 360, 3, "alpha be"},
		{"an answer that is no stream", Leave{Frames: 1, After: 400 * time.Millisecond}, limits, []step{{bytes: head + "Content-Length: 99\r\n\r\n{a:al"}, open}, "cancelled_by_plan", 400, 0, ""},
		{"such an answer, over", Leave{Frames: 1, After: 400 * time.Millisecond}, limits, []step{{at: 360, bytes: sized(head, "{a:al|f:stop}")}}, "ok", 360, 0, "al"},
		{"no limits at all", Leave{After: 330 * time.Millisecond}, Timeouts{}, base(open), "cancelled_by_plan", 330, 2, "alpha"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			virtual(t, tt.limits, [][]step{tt.script}, func(t *testing.T, c *Conn) {
				q := ask()
				q.Leave = tt.leave
				var a record.Attempt
				c.Do(t.Context(), q, &a)
				if a.Outcome != tt.outcome || ms(&a, a.End) != tt.end || a.Frames.Output != tt.output || a.Answer != tt.answer {
					t.Errorf("%s %q at %d with %d frames, %q; want %s at %d with %d, %q",
						a.Outcome, a.Message, ms(&a, a.End), a.Frames.Output, a.Answer, tt.outcome, tt.end, tt.output, tt.answer)
				}
				if gaps := len(gapsOf(&a)); gaps != max(tt.output-1, 0) || c.Frames() != int64(tt.output) {
					t.Errorf("%d gaps, and %d frames counted", gaps, c.Frames())
				}
				if tt.output > 0 && ms(&a, a.LastOut) != min(300+20*(tt.output-1), 360) && !strings.Contains(tt.script[1].bytes, "{a:x") {
					t.Errorf("last output at %d", ms(&a, a.LastOut))
				}
				if tt.outcome == outcome.CancelledByPlan && (c.Usable() || a.Message != "" || a.Terminal != 0 || len(a.Warnings) > 0 && !a.NotStreamed && tt.output > 0) {
					t.Errorf("usable %v, %q, terminal %d, %v", c.Usable(), a.Message, a.Terminal, a.Warnings)
				}
			})
		})
	}
}

// What arrived after the moment of leaving is not taken, even where the reader
// is too late to notice the moment: here each frame takes it 30 ms.
func TestLeaveOfALateReader(t *testing.T) {
	virtual(t, Timeouts{}, [][]step{base(proper)}, func(t *testing.T, c *Conn) {
		q := ask()
		q.Dialect, q.Leave = slow{}, Leave{After: 310 * time.Millisecond}
		var a record.Attempt
		c.Do(t.Context(), q, &a)
		if a.Outcome != outcome.CancelledByPlan || a.Frames.Output != 1 || ms(&a, a.LastOut) != 300 {
			t.Errorf("%s with %d frames, the last at %d", a.Outcome, a.Frames.Output, ms(&a, a.LastOut))
		}
	})
	l := &limits{leaveAt: time.Now()}
	if l.gone(l.leaveAt) || !l.gone(l.leaveAt.Add(1)) || new(limits).gone(l.leaveAt) {
		t.Error("gone is after the moment, and never where there is none")
	}
}

// Over a socket the server sees the close at once, as from a browser: while it
// streams and while it thinks.
func TestLeaveIsSeen(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, tt := range []struct {
		name  string
		leave Leave
		head  string
	}{
		{"in the stream", Leave{Frames: 2}, chunkedHead + ev("{a:x}") + ev("{a:y}") + ev("{a:z}")},
		{"before the headers", Leave{After: 20 * time.Millisecond}, ""},
		{"large request, unread", Leave{After: 20 * time.Millisecond}, ""},
	} {
		seen := make(chan error, 1)
		c := loopback(t, func(c *net.TCPConn) {
			if strings.HasPrefix(tt.name, "large") {
				time.Sleep(60 * time.Millisecond)
			} else {
				readRequest(c)
			}
			io.WriteString(c, tt.head)
			c.SetReadDeadline(time.Now().Add(5 * time.Second))
			_, err := io.Copy(io.Discard, c)
			seen <- err
		})
		q := ask()
		q.Leave = tt.leave
		if strings.HasPrefix(tt.name, "large") {
			q.Call = dialect.Call{Method: "POST", Path: "/go", Body: make([]byte, 32<<20), Framing: dialect.SSE}
		}
		var a record.Attempt
		c.Do(t.Context(), q, &a)
		if a.Outcome != outcome.CancelledByPlan || a.Frames.Output != tt.leave.Frames || c.Usable() {
			t.Errorf("%s: %s %q, %d frames", tt.name, a.Outcome, a.Message, a.Frames.Output)
		}
		// An end or a reset: what was not read makes it the latter.
		if err := <-seen; err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("%s: the server saw no close: %v", tt.name, err)
		}
		if err := c.Close(); err == nil {
			t.Errorf("%s: the connection was open still", tt.name)
		}
	}
}
