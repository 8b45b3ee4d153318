package record

import (
	"encoding/base64"
	"math"
	"unicode/utf8"

	"github.com/valyala/fastjson"

	"tidemark/record/outcome"
)

// Attempts are most of a file, and encoding/json takes longer to read one than
// the wire took to carry it. What it would make of an ordinary one is made
// here at a fraction; anything odd is left to it. A test holds the two equal.

// attemptReader reads the lines of one file.
type attemptReader struct {
	parser fastjson.Parser
	words  map[string]string // texts that come again and again, once each
}

// mostWords bounds the texts that are kept.
const mostWords = 1024

// read fills a with what a line holds; false: the line is odd.
func (r *attemptReader) read(line []byte, a *Attempt) bool {
	v, err := r.parser.ParseBytes(line)
	if err != nil {
		return false
	}
	o, err := v.Object()
	if err != nil {
		return false
	}
	fine := true
	o.Visit(func(key []byte, v *fastjson.Value) {
		if set, known := attemptFields[string(key)]; known {
			fine = fine && set(r, a, v)
		}
	})
	return fine
}

// setter takes a field's value; false: it is of another kind than it should.
type setter[T any] func(*attemptReader, *T, *fastjson.Value) bool

var attemptFields = map[string]setter[Attempt]{
	"kind":            func(*attemptReader, *Attempt, *fastjson.Value) bool { return true },
	"level":           whole(func(a *Attempt) *int { return &a.Level }),
	"round":           whole(func(a *Attempt) *int { return &a.Round }),
	"phase":           word(func(a *Attempt) *Phase { return &a.Phase }),
	"number":          whole(func(a *Attempt) *int { return &a.Number }),
	"try":             whole(func(a *Attempt) *int { return &a.Try }),
	"target":          word(func(a *Attempt) *string { return &a.Target }),
	"workload":        word(func(a *Attempt) *string { return &a.Workload }),
	"prompt":          word(func(a *Attempt) *string { return &a.Prompt }),
	"slot":            whole(func(a *Attempt) *int { return &a.Slot }),
	"session":         whole(func(a *Attempt) *int { return &a.Session }),
	"turn":            whole(func(a *Attempt) *int { return &a.Turn }),
	"conn":            whole(func(a *Attempt) *int { return &a.Conn }),
	"reused":          flag(func(a *Attempt) *bool { return &a.Reused }),
	"opened_in_level": flag(func(a *Attempt) *bool { return &a.OpenedInLevel }),
	"held":            flag(func(a *Attempt) *bool { return &a.Held }),
	"input_asked":     whole(func(a *Attempt) *int { return &a.InputAsked }),
	"output_asked":    whole(func(a *Attempt) *int { return &a.OutputAsked }),

	"due_ns":          whole(func(a *Attempt) *Offset { return &a.Due }),
	"dispatched_ns":   whole(func(a *Attempt) *Offset { return &a.Dispatched }),
	"dial_ns":         whole(func(a *Attempt) *Offset { return &a.Dial }),
	"dns_ns":          whole(func(a *Attempt) *Offset { return &a.DNS }),
	"connected_ns":    whole(func(a *Attempt) *Offset { return &a.Connected }),
	"tls_ns":          whole(func(a *Attempt) *Offset { return &a.TLS }),
	"sent_ns":         whole(func(a *Attempt) *Offset { return &a.Sent }),
	"written_ns":      whole(func(a *Attempt) *Offset { return &a.Written }),
	"headers_ns":      whole(func(a *Attempt) *Offset { return &a.Headers }),
	"first_byte_ns":   whole(func(a *Attempt) *Offset { return &a.FirstByte }),
	"first_event_ns":  whole(func(a *Attempt) *Offset { return &a.FirstEvent }),
	"first_output_ns": whole(func(a *Attempt) *Offset { return &a.FirstOut }),
	"first_answer_ns": whole(func(a *Attempt) *Offset { return &a.FirstAns }),
	"last_output_ns":  whole(func(a *Attempt) *Offset { return &a.LastOut }),
	"terminal_ns":     whole(func(a *Attempt) *Offset { return &a.Terminal }),
	"end_ns":          whole(func(a *Attempt) *Offset { return &a.End }),

	"outcome":     word(func(a *Attempt) *outcome.Class { return &a.Outcome }),
	"finish":      word(func(a *Attempt) *string { return &a.Finish }),
	"http_status": whole(func(a *Attempt) *int { return &a.HTTPStatus }),
	"code":        word(func(a *Attempt) *string { return &a.Code }),
	"message":     word(func(a *Attempt) *string { return &a.Message }),
	"retry_after_s": func(_ *attemptReader, a *Attempt, v *fastjson.Value) (ok bool) {
		a.RetryAfter, ok = number(v)
		return ok
	},

	"tokens":                object(tokenFields, func(a *Attempt) *Tokens { return &a.Tokens }),
	"output_estimated":      whole(func(a *Attempt) *int { return &a.OutputEstimated }),
	"frames":                object(frameFields, func(a *Attempt) *Frames { return &a.Frames }),
	"gaps":                  packed(func(a *Attempt) *Packed { return &a.Gaps }),
	"uncertain_by":          packed(func(a *Attempt) *Packed { return &a.UncertainBy }),
	"first_uncertain_by_ns": whole(func(a *Attempt) *int64 { return &a.FirstUncertain }),
	"lags":                  packed(func(a *Attempt) *Packed { return &a.Lags }),
	"stamps":                word(func(a *Attempt) *string { return &a.Stamps }),
	"protocol":              word(func(a *Attempt) *string { return &a.Protocol }),
	"rtt_ns":                whole(func(a *Attempt) *int64 { return &a.RTT }),

	"request_id":   word(func(a *Attempt) *string { return &a.RequestID }),
	"served_model": word(func(a *Attempt) *string { return &a.ServedModel }),
	"fingerprint":  word(func(a *Attempt) *string { return &a.Fingerprint }),
	"node":         word(func(a *Attempt) *string { return &a.Node }),
	"not_streamed": flag(func(a *Attempt) *bool { return &a.NotStreamed }),
	"warnings":     warningCounts,
	"answer":       word(func(a *Attempt) *string { return &a.Answer }),
	"characters":   whole(func(a *Attempt) *int { return &a.Characters }),
}

var tokenFields = map[string]setter[Tokens]{
	"input":     object(countFields, func(t *Tokens) *Count { return &t.Input }),
	"output":    object(countFields, func(t *Tokens) *Count { return &t.Output }),
	"cached":    object(countFields, func(t *Tokens) *Count { return &t.Cached }),
	"reasoning": object(countFields, func(t *Tokens) *Count { return &t.Reasoning }),
}

var countFields = map[string]setter[Count]{
	"n":      whole(func(c *Count) *int64 { return &c.N }),
	"source": word(func(c *Count) *Source { return &c.Source }),
}

var frameFields = map[string]setter[Frames]{
	"events":     whole(func(f *Frames) *int { return &f.Events }),
	"output":     whole(func(f *Frames) *int { return &f.Output }),
	"reasoning":  whole(func(f *Frames) *int { return &f.Reasoning }),
	"refusal":    whole(func(f *Frames) *int { return &f.Refusal }),
	"tool":       whole(func(f *Frames) *int { return &f.Tool }),
	"keepalives": whole(func(f *Frames) *int { return &f.KeepAlives }),
	"uncertain":  whole(func(f *Frames) *int { return &f.Uncertain }),
	"first_read": whole(func(f *Frames) *int { return &f.FirstRead }),
	"bytes":      whole(func(f *Frames) *int64 { return &f.Bytes }),
}

// whole takes an integer.
func whole[T any, N ~int | ~int64](at func(*T) *N) setter[T] {
	return func(_ *attemptReader, t *T, v *fastjson.Value) bool {
		n, err := v.Int64()
		*at(t) = N(n)
		return err == nil && int64(N(n)) == n
	}
}

// number takes a decimal, but for what a float can't hold exactly as written.
func number(v *fastjson.Value) (float64, bool) {
	f, err := v.Float64()
	return f, err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
}

func flag[T any](at func(*T) *bool) setter[T] {
	return func(_ *attemptReader, t *T, v *fastjson.Value) (fine bool) {
		var err error
		*at(t), err = v.Bool()
		return err == nil
	}
}

func word[T any, S ~string](at func(*T) *S) setter[T] {
	return func(r *attemptReader, t *T, v *fastjson.Value) bool {
		b, err := v.StringBytes()
		*at(t) = S(r.word(b))
		return err == nil && utf8.Valid(b)
	}
}

func object[T, U any](fields map[string]setter[U], at func(*T) *U) setter[T] {
	return func(r *attemptReader, t *T, v *fastjson.Value) bool {
		o, err := v.Object()
		if err != nil {
			return false
		}
		fine, inner := true, at(t)
		o.Visit(func(key []byte, v *fastjson.Value) {
			if set, known := fields[string(key)]; known {
				fine = fine && set(r, inner, v)
			}
		})
		return fine
	}
}

func packed[T any](at func(*T) *Packed) setter[T] {
	return func(_ *attemptReader, t *T, v *fastjson.Value) bool {
		b, err := v.StringBytes()
		if err != nil {
			return false
		}
		*at(t), err = base64.RawStdEncoding.AppendDecode(nil, b)
		return err == nil
	}
}

func warningCounts(r *attemptReader, a *Attempt, v *fastjson.Value) bool {
	o, err := v.Object()
	if err != nil {
		return false
	}
	fine := true
	a.Warnings = make(map[string]int, o.Len())
	o.Visit(func(key []byte, v *fastjson.Value) {
		n, err := v.Int()
		a.Warnings[r.word(key)] = n
		fine = fine && err == nil
	})
	return fine
}

// word is a text, kept once where it is short and comes again.
func (r *attemptReader) word(b []byte) string {
	const short = 64
	if len(b) > short {
		return string(b)
	}
	if s, ok := r.words[string(b)]; ok {
		return s
	}
	s := string(b)
	if r.words == nil || len(r.words) >= mostWords {
		r.words = map[string]string{}
	}
	r.words[s] = s
	return s
}
