package transcript

import (
	"context"
	"fmt"
	"net"
	"time"
)

// Write is what goes to the connection at one moment, framing included.
type Write struct {
	At    time.Duration
	Bytes []byte // may be empty where only End matters
	End   End
}

// Writes renders the transcript as it goes over the wire.
func (t *Transcript) Writes() []Write {
	var out []Write
	for _, s := range t.Steps {
		b := t.render(s.Parts)
		if !t.bytewise || len(b) < 2 {
			out = append(out, Write{s.At, b, s.End})
			continue
		}
		for i := range b {
			w := Write{At: s.At, Bytes: b[i : i+1]}
			if i == len(b)-1 {
				w.End = s.End
			}
			out = append(out, w)
		}
	}
	return out
}

// render frames a step. Its body parts become one chunk, unless something
// else stands between them.
func (t *Transcript) render(parts []Part) []byte {
	var out, body []byte
	flush := func() {
		if len(body) > 0 && t.chunked {
			out = fmt.Appendf(out, "%x\r\n", len(body))
			out = append(append(out, body...), "\r\n"...)
		} else {
			out = append(out, body...)
		}
		body = body[:0]
	}
	for _, p := range parts {
		if p.Kind == Body {
			body = append(body, p.Bytes...)
			continue
		}
		flush()
		switch {
		case p.Kind == Head:
			out = append(out, t.head...)
		case p.Kind == Wire:
			out = append(out, p.Bytes...)
		case p.Kind == Last && t.chunked:
			out = append(out, "0\r\n\r\n"...)
		}
	}
	flush()
	return out
}

// KeepsAlive reports whether the connection may carry another request after
// the transcript: the body has its proper end and nothing closes it.
func (t *Transcript) KeepsAlive() bool {
	ended := false
	for _, s := range t.Steps {
		if s.End != Open {
			return false
		}
		for _, p := range s.Parts {
			ended = p.Kind == Last
		}
	}
	return ended
}

// Play writes the transcript to conn, whose request has been read. Its times
// count from the call. It returns when all is written, the connection breaks
// or ctx ends. It closes conn only where the transcript says so; a reset needs
// a SetLinger method, as TCP connections have, and is a close without.
func (t *Transcript) Play(ctx context.Context, conn net.Conn) error {
	start := time.Now()
	stop := context.AfterFunc(ctx, func() { conn.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	for _, w := range t.Writes() {
		if err := sleep(ctx, time.Until(start.Add(w.At))); err != nil {
			return err
		}
		if len(w.Bytes) > 0 {
			if _, err := conn.Write(w.Bytes); err != nil {
				return fmt.Errorf("play %s: %w", t.Title(), err)
			}
		}
		if w.End == Open {
			continue
		}
		if l, ok := conn.(interface{ SetLinger(sec int) error }); ok && w.End == Reset {
			l.SetLinger(0)
		}
		return conn.Close()
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
