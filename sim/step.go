package sim

import "time"

// Engine is a batching engine: its size and its speeds. Zero fields take the
// default that the field names.
//
// A step lasts
//
//	Base + PerSequence × (sequences that get a token)
//	     + PrefillFixed + (prompt tokens read) / PrefillRate, where any are read
//
// and at its end each of those sequences has one more token. With the
// defaults and short prompts a single sequence gets a token every 4.1 ms
// (244 a second), 8 together every 4.8 ms (1,667 a second), the 12 that fit
// every 5.2 ms (2,308 a second), and whoever comes beyond them waits.
type Engine struct {
	Slots        int           // sequences computed at once; 0: 12
	KVTokens     int           // tokens, of prompts and answers to come, that fit at once; 0: 65,536
	Queue        int           // requests that may wait, the next is refused with 503; 0: 4,096
	Base         time.Duration // of every step; 0: 4 ms
	PerSequence  time.Duration // for each sequence that gets a token; 0: 100 µs
	PrefillFixed time.Duration // of a step that reads prompt tokens; 0: 8 ms
	PrefillRate  float64       // prompt tokens read per second; 0: 10,000
	PrefillChunk int           // prompt tokens read in one step at most; 0: 512
}

func (e Engine) filled() Engine {
	or(&e.Slots, 12)
	or(&e.KVTokens, 65_536)
	or(&e.Queue, 4_096)
	or(&e.Base, 4*time.Millisecond)
	or(&e.PerSequence, 100*time.Microsecond)
	or(&e.PrefillFixed, 8*time.Millisecond)
	or(&e.PrefillRate, 10_000)
	or(&e.PrefillChunk, 512)
	return e
}

func or[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

func (e Engine) negative() bool {
	return e.Slots < 0 || e.KVTokens < 0 || e.Queue < 0 || e.Base < 0 || e.PerSequence < 0 ||
		e.PrefillFixed < 0 || !(e.PrefillRate >= 0) || e.PrefillChunk < 0
}

// step is how long a step lasts in which tokens sequences get a token and
// prefill prompt tokens are read.
func (e Engine) step(tokens, prefill int) time.Duration {
	d := e.Base + time.Duration(tokens)*e.PerSequence
	if prefill > 0 {
		d += e.PrefillFixed + time.Duration(float64(prefill)/e.PrefillRate*float64(time.Second))
	}
	return d
}
