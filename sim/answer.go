package sim

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// answer is one request while it is answered.
type answer struct {
	server  *Server
	w       http.ResponseWriter
	flush   func() error
	conn    *conn // nil under another server
	chat    *chat
	fault   Fault
	strike  int // the token in whose place, or before which, the fault strikes
	pace    pace
	frames  *frames
	words   []string
	start   int // of the answer in words
	tokens  int // it will have
	finish  string
	arrived time.Time

	row         Sent
	first, last time.Time // when the writes of those tokens returned
	gaps        []int64   // ns
	handedOver  bool      // to conn
}

func (s *Server) newAnswer(w http.ResponseWriter, r *http.Request) *answer {
	a := &answer{server: s, w: w, arrived: time.Now(), flush: http.NewResponseController(w).Flush}
	if f, ok := w.(interface{ FlushError() error }); ok {
		a.flush = f.FlushError // spares a search at every token
	}
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		a.conn = c
		a.arrived = c.arrival()
	}
	a.row.Number = s.truth.begin()
	return a
}

func (a *answer) id() string { return "sim-" + strconv.FormatInt(a.row.Number, 10) }

// done ends what the handler ends; a stream's last bytes may still be on
// their way.
func (a *answer) done() {
	if !a.handedOver {
		a.over()
	}
}

// over puts what was sent into the truth. It is called once.
func (a *answer) over() {
	a.row.ArrivedMs = ms(a.arrived.Sub(a.server.started))
	if !a.last.IsZero() {
		a.row.E2EMs = ms(a.last.Sub(a.arrived))
	}
	if a.chat != nil && a.chat.Stream && !a.first.IsZero() {
		a.row.TTFTMs = ms(a.first.Sub(a.arrived))
	}
	a.server.truth.end(a.row, a.gaps)
}

// sent notes that a write with the next n tokens returned.
func (a *answer) sent(n int, err error) {
	if err != nil {
		a.row.OK = false
		return
	}
	now := time.Now()
	if a.row.Tokens == 0 {
		a.first = now
	} else {
		a.gaps = append(a.gaps, int64(now.Sub(a.last)))
	}
	for range n - 1 {
		a.gaps = append(a.gaps, 0)
	}
	a.last = now
	a.row.Tokens += n
}

func (a *answer) word(k int) string { return word(a.words, a.start, k) }

func (a *answer) prepare() {
	a.words = words[a.chat.chinese]
	a.start = int(a.server.draw(a.row.Number, drawWords) * float64(len(a.words)))
	a.frames = newFrames(a.id(), a.chat.Model, a.arrived.Unix())
	a.gaps = make([]int64, 0, min(a.tokens, 4_096))
}

// stream sends the answer frame by frame.
func (a *answer) stream(ctx context.Context) {
	a.prepare()
	if a.instead() {
		return
	}
	h := a.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	if a.fault.Kind == Buffer {
		a.atOnce(ctx)
		return
	}
	if !a.open() {
		return
	}
	switch a.fault.Kind {
	case NoOutput:
		_ = a.write(a.ending()) // failed anyhow
		return
	case RoleWait:
		a.pause(ctx)
	}
	for k := range a.tokens {
		if k == a.strike && a.fault.Kind == Stall {
			a.pace.hold()
			a.pause(ctx)
		}
		if a.pace.wait(ctx, k) != nil || k == a.strike && a.breaks() || !a.token(k) {
			return
		}
	}
}

// open sends the headers, and the role with them unless it waits for the
// first token.
func (a *answer) open() bool {
	if a.server.config.RoleWithFirst && a.fault.Kind != RoleWait && a.fault.Kind != NoOutput {
		a.w.WriteHeader(http.StatusOK)
		return a.flush() == nil
	}
	a.row.Frames++
	return a.write(a.frames.role()) == nil
}

func (a *answer) write(b []byte) error {
	if _, err := a.w.Write(b); err != nil {
		return err
	}
	return a.flush()
}

// token sends token k, and reports whether another is to follow. The last
// one shares its write with all that ends the stream, as engines that stop by
// length do: were the end a write of its own right behind it, the arrival of
// the last token could not be told from the end's.
func (a *answer) token(k int) bool {
	b := a.frames.content(a.word(k))
	a.row.Frames++
	if k == 0 && a.row.Frames == 1 {
		a.row.Frames++
		b = append(a.frames.role(), b...)
	}
	if k < a.tokens-1 {
		err := a.write(b)
		a.sent(1, err)
		return err == nil
	}
	a.row.OK = a.fault.Kind != NoEnd
	b = append(b, a.ending()...)
	if a.conn == nil {
		a.sent(1, a.write(b))
		return false
	}
	// net/http sends it with the end of the body once the handler returned.
	if _, err := a.w.Write(b); err != nil {
		a.sent(1, err)
		return false
	}
	a.handedOver = true
	a.server.truth.ending.Add(1)
	a.conn.ending.Store(a)
	return false
}

// ending is what follows the last token.
func (a *answer) ending() []byte {
	var b []byte
	if a.fault.Kind == NoEnd {
		return nil
	}
	if a.fault.Kind == NoOutput {
		a.tokens, a.finish = 0, "stop"
	}
	if a.fault.Kind != NoFinish {
		b = append(b, a.frames.finish(a.finish)...)
		a.row.Frames++
	}
	if o := a.chat.StreamOptions; o != nil && o.IncludeUsage && a.fault.Kind != NoUsage {
		b = append(b, a.frames.usage(a.chat.prompt, a.tokens)...)
		a.row.Frames++
	}
	a.row.Frames++
	return append(b, done...)
}

// atOnce is what a buffering gateway makes of a stream: all of it, in one
// write, when it is complete.
func (a *answer) atOnce(ctx context.Context) {
	if a.pace.wait(ctx, a.tokens-1) != nil {
		return
	}
	b := a.frames.role()
	for k := range a.tokens {
		b = append(b, a.frames.content(a.word(k))...)
	}
	a.row.Frames += 1 + a.tokens
	b = append(b, a.ending()...)
	a.row.OK = true
	a.sent(a.tokens, a.write(b))
}
