package sim

import "slices"

// batch is the engine's state without its clock: who waits, who is computed,
// and what the step under way does.
type batch struct {
	Engine
	waiting []*sequence // first come, first served
	running []*sequence
	kv      int // tokens that the running ones hold, or have a right to
}

// sequence is one answer in the making.
type sequence struct {
	prompt int // tokens, at least 1
	limit  int // tokens it will get, at least 1

	read  int // prompt tokens so far
	made  int // tokens so far
	chunk int // prompt tokens that the step under way reads
	due   bool
	held  bool // keeps its place and gets nothing

	signal func(made int) // called with each token
}

func (q *sequence) size() int { return q.prompt + q.limit }

// fits reports whether q could ever run.
func (b *batch) fits(q *sequence) bool { return q.size() <= b.KVTokens }

// add puts q in the queue, or reports that the queue is full.
func (b *batch) add(q *sequence) bool {
	if len(b.waiting) >= b.Queue {
		return false
	}
	b.waiting = append(b.waiting, q)
	return true
}

// drop takes q out, wherever it is.
func (b *batch) drop(q *sequence) {
	if i := slices.Index(b.waiting, q); i >= 0 {
		b.waiting = slices.Delete(b.waiting, i, i+1)
	}
	if i := slices.Index(b.running, q); i >= 0 {
		b.running = slices.Delete(b.running, i, i+1)
		b.kv -= q.size()
	}
}

// begin admits who fits and starts a step: it returns how many sequences
// will get a token and how many prompt tokens are read. Both are 0 where
// there is nothing to do.
func (b *batch) begin() (tokens, prefill int) {
	b.admit()
	for _, q := range b.running {
		q.chunk, q.due = 0, false
		if q.held {
			continue
		}
		q.chunk = min(q.prompt-q.read, b.PrefillChunk-prefill)
		q.due = q.read+q.chunk == q.prompt
		prefill += q.chunk
		if q.due {
			tokens++
		}
	}
	return tokens, prefill
}

// admit is strict about the order: who doesn't fit keeps out those behind.
func (b *batch) admit() {
	n := 0
	for n < len(b.waiting) && len(b.running) < b.Slots && b.kv+b.waiting[n].size() <= b.KVTokens {
		b.kv += b.waiting[n].size()
		b.running = append(b.running, b.waiting[n])
		n++
	}
	b.waiting = slices.Delete(b.waiting, 0, n)
}

// end finishes the step: tokens are handed out, and who has all leaves.
func (b *batch) end() {
	b.running = slices.DeleteFunc(b.running, func(q *sequence) bool {
		q.read += q.chunk
		if !q.due {
			return false
		}
		q.made++
		q.signal(q.made)
		if q.made < q.limit {
			return false
		}
		b.kv -= q.size()
		return true
	})
}
