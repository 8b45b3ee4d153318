package record

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
)

// appendAttempt writes an attempt as encoding/json would, at a fraction of its
// time: it runs beside the load. A test holds the two equal, byte for byte.
func appendAttempt(dst []byte, a *Attempt) []byte {
	w := fieldWriter{append(dst, '{')}
	w.whole("level", a.Level)
	w.whole("round", a.Round)
	w.always("phase", string(a.Phase))
	w.number("number", int64(a.Number))
	w.number("try", int64(a.Try))
	w.always("target", a.Target)
	w.always("workload", a.Workload)
	w.always("prompt", a.Prompt)
	w.whole("slot", a.Slot)
	w.whole("session", a.Session)
	w.whole("turn", a.Turn)
	w.whole("conn", a.Conn)
	w.flag("reused", a.Reused)
	w.flag("opened_in_level", a.OpenedInLevel)
	w.flag("held", a.Held)
	w.whole("input_asked", a.InputAsked)
	w.whole("output_asked", a.OutputAsked)
	w.clocks(&a.Clocks)
	w.always("outcome", string(a.Outcome))
	w.word("finish", a.Finish)
	w.whole("http_status", a.HTTPStatus)
	w.word("code", a.Code)
	w.word("message", a.Message)
	if a.RetryAfter != 0 {
		w.key("retry_after_s")
		w.b = appendFloat(w.b, a.RetryAfter)
	}
	if a.Tokens != (Tokens{}) {
		w.tokens(&a.Tokens)
	}
	w.whole("output_estimated", a.OutputEstimated)
	if a.Frames != (Frames{}) {
		w.frames(&a.Frames)
	}
	w.packed("gaps", a.Gaps)
	w.packed("uncertain_by", a.UncertainBy)
	w.long("first_uncertain_by_ns", a.FirstUncertain)
	w.packed("lags", a.Lags)
	w.word("stamps", a.Stamps)
	w.word("protocol", a.Protocol)
	w.long("rtt_ns", a.RTT)
	w.word("request_id", a.RequestID)
	w.word("served_model", a.ServedModel)
	w.word("fingerprint", a.Fingerprint)
	w.word("node", a.Node)
	w.flag("not_streamed", a.NotStreamed)
	if len(a.Warnings) > 0 {
		w.open("warnings")
		for _, id := range slices.Sorted(maps.Keys(a.Warnings)) {
			w.number(id, int64(a.Warnings[id]))
		}
		w.b = append(w.b, '}')
	}
	w.word("answer", a.Answer)
	w.whole("characters", a.Characters)
	return append(w.b, '}')
}

func (w *fieldWriter) clocks(c *Clocks) {
	for _, m := range [...]struct {
		name string
		at   Offset
	}{
		{"due_ns", c.Due}, {"dispatched_ns", c.Dispatched}, {"dial_ns", c.Dial}, {"dns_ns", c.DNS}, {"connected_ns", c.Connected},
		{"tls_ns", c.TLS}, {"sent_ns", c.Sent}, {"written_ns", c.Written}, {"headers_ns", c.Headers}, {"first_byte_ns", c.FirstByte},
		{"first_event_ns", c.FirstEvent}, {"first_output_ns", c.FirstOut}, {"first_answer_ns", c.FirstAns}, {"last_output_ns", c.LastOut},
		{"terminal_ns", c.Terminal}, {"end_ns", c.End},
	} {
		w.long(m.name, int64(m.at))
	}
}

func (w *fieldWriter) tokens(t *Tokens) {
	w.open("tokens")
	for _, m := range [...]struct {
		name  string
		count Count
	}{{"input", t.Input}, {"output", t.Output}, {"cached", t.Cached}, {"reasoning", t.Reasoning}} {
		if m.count == (Count{}) {
			continue
		}
		w.open(m.name)
		w.number("n", m.count.N)
		w.always("source", string(m.count.Source))
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, '}')
}

func (w *fieldWriter) frames(f *Frames) {
	w.open("frames")
	w.whole("events", f.Events)
	w.whole("output", f.Output)
	w.whole("reasoning", f.Reasoning)
	w.whole("refusal", f.Refusal)
	w.whole("tool", f.Tool)
	w.whole("keepalives", f.KeepAlives)
	w.whole("uncertain", f.Uncertain)
	w.whole("first_read", f.FirstRead)
	w.long("bytes", f.Bytes)
	w.b = append(w.b, '}')
}

// fieldWriter writes the members of an object that is open. Those of most
// kinds are left out where they are zero.
type fieldWriter struct{ b []byte }

func (w *fieldWriter) key(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(appendText(w.b, name), ':')
}

func (w *fieldWriter) open(name string) {
	w.key(name)
	w.b = append(w.b, '{')
}

func (w *fieldWriter) number(name string, n int64) {
	w.key(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *fieldWriter) long(name string, n int64) {
	if n != 0 {
		w.number(name, n)
	}
}

func (w *fieldWriter) whole(name string, n int) { w.long(name, int64(n)) }

func (w *fieldWriter) flag(name string, set bool) {
	if set {
		w.key(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *fieldWriter) always(name, s string) {
	w.key(name)
	w.b = appendText(w.b, s)
}

func (w *fieldWriter) word(name, s string) {
	if s != "" {
		w.always(name, s)
	}
}

func (w *fieldWriter) packed(name string, p Packed) {
	if len(p) > 0 {
		w.key(name)
		w.b = append(base64.RawStdEncoding.AppendEncode(append(w.b, '"'), p), '"')
	}
}

// appendText writes a JSON string. One with anything odd in it goes the long
// way.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			b, _ := json.Marshal(s) // a string can't fail
			return append(dst, b...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// appendFloat writes a finite decimal; JSON has no other.
func appendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	b, _ := json.Marshal(f) // finite: it can't fail
	return append(dst, b...)
}
