package sim

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// round has numbers that are easy to reckon with.
var round = Engine{
	Slots: 8, KVTokens: 10_000, Queue: 100,
	Base: 10 * time.Millisecond, PerSequence: time.Millisecond,
	PrefillFixed: 5 * time.Millisecond, PrefillRate: 1000, PrefillChunk: 100,
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		tokens, prefill int
		want            float64
	}{
		{1, 0, 11},          // 10 + 1
		{8, 0, 18},          // 10 + 8
		{1, 5, 21},          // 10 + 1 + 5 + 5/1000
		{0, 100, 115},       // 10 + 5 + 100
		{7, 100, 122},       // shared: 10 + 7 + 5 + 100
		{1, 1, 17},          // 10 + 1 + 5 + 1
		{100, 0, 110},       // the cost has no limit of its own
		{0, 1_000, 1_015},   //
		{12, 12_345, 12372}, // 10 + 12 + 5 + 12345
	} {
		if got := round.step(c.tokens, c.prefill); got != millis(c.want)[0] {
			t.Errorf("step(%d, %d) = %v, want %v ms", c.tokens, c.prefill, got, c.want)
		}
	}
}

// reckon runs a batch without a clock: all sequences are there at 0. It
// returns when each got its first and last token.
func reckon(b *batch, all []*sequence) (first, last []time.Duration) {
	first, last = make([]time.Duration, len(all)), make([]time.Duration, len(all))
	var now time.Duration
	for i, q := range all {
		q.signal = func(made int) {
			if made == 1 {
				first[i] = now
			}
			last[i] = now
		}
		b.add(q)
	}
	for {
		tokens, prefill := b.begin()
		if tokens+prefill == 0 {
			return first, last
		}
		now += b.step(tokens, prefill)
		b.end()
	}
}

func same(n, prompt, limit int) (out []*sequence) {
	for range n {
		out = append(out, &sequence{prompt: prompt, limit: limit})
	}
	return out
}

// 5 prompt tokens, 10 tokens of answer:
//
//	 1:  10+1+5+5 = 21 to the first token, 9 × 11 = 99 more: 120 ms, 83 tokens/s
//	 8:  10+8+5+40 = 63, 9 × 18 = 162: 225 ms, 356 tokens/s
//	32:  four waves of 8, the first tokens at 63, 288, 513, 738: 900 ms, 356 tokens/s
func TestBatchBends(t *testing.T) {
	first, last := reckon(&batch{Engine: round}, same(1, 5, 10))
	if d := cmp.Diff([][]time.Duration{millis(21), millis(120)}, [][]time.Duration{first, last}); d != "" {
		t.Error(d)
	}
	first, last = reckon(&batch{Engine: round}, same(8, 5, 10))
	if d := cmp.Diff([]time.Duration{first[0], first[7], last[0], last[7]}, millis(63, 63, 225, 225)); d != "" {
		t.Error(d)
	}
	first, last = reckon(&batch{Engine: round}, same(32, 5, 10))
	got := []time.Duration{first[0], first[8], first[16], first[24], first[31], last[31]}
	if d := cmp.Diff(got, millis(63, 288, 513, 738, 738, 900)); d != "" {
		t.Error(d)
	}
}

func TestBatchChunks(t *testing.T) {
	// 250 prompt tokens: 100 + 100 + 50 in steps of 115, 115, 10+1+5+50 = 66.
	first, _ := reckon(&batch{Engine: round}, same(1, 250, 2))
	if d := cmp.Diff(millis(296), first); d != "" {
		t.Error(d)
	}
	// Two of 80 share: the first reads 80 and the second 20 (10+1+5+100 = 116),
	// then one decodes while the other reads 60 (10+2+5+60 = 77).
	first, last := reckon(&batch{Engine: round}, same(2, 80, 2))
	if d := cmp.Diff([][]time.Duration{millis(116, 193), millis(193, 204)}, [][]time.Duration{first, last}); d != "" {
		t.Error(d)
	}
}

func TestBatchMemory(t *testing.T) {
	e := round
	e.KVTokens = 30 // two of 15
	// The third waits for a place: 10+2+5+10 = 27, 9 × 12 = 108, then it is alone: 21 more.
	first, _ := reckon(&batch{Engine: e}, same(3, 5, 10))
	if d := cmp.Diff(millis(27, 27, 156), first); d != "" {
		t.Error(d)
	}
	b := &batch{Engine: e}
	// The large one at the head keeps the small one behind it waiting.
	all := []*sequence{{prompt: 5, limit: 10}, {prompt: 5, limit: 20}, {prompt: 1, limit: 1}}
	for _, q := range all {
		b.add(q)
	}
	b.begin()
	if len(b.running) != 1 || len(b.waiting) != 2 || b.kv != 15 {
		t.Errorf("%d running, %d waiting, %d held", len(b.running), len(b.waiting), b.kv)
	}
	b.drop(all[1])
	b.begin()
	if len(b.running) != 2 || b.kv != 17 {
		t.Errorf("after a drop: %d running, %d held", len(b.running), b.kv)
	}
	b.drop(all[0])
	b.drop(all[0])
	b.drop(all[2])
	if b.kv != 0 || len(b.running)+len(b.waiting) != 0 {
		t.Errorf("after all: %+v", b)
	}
	if b.fits(&sequence{prompt: 21, limit: 10}) || !b.fits(&sequence{prompt: 20, limit: 10}) {
		t.Error("fits")
	}
}

func TestBatchQueueIsBounded(t *testing.T) {
	e := round
	e.Queue = 2
	b := &batch{Engine: e}
	for i, want := range []bool{true, true, false} {
		if got := b.add(&sequence{prompt: 1, limit: 1}); got != want {
			t.Errorf("add %d = %v", i, got)
		}
	}
}

func TestBatchHeld(t *testing.T) {
	b := &batch{Engine: round}
	q := &sequence{prompt: 5, limit: 2, held: true, signal: func(int) {}}
	b.add(q)
	if tokens, prefill := b.begin(); tokens+prefill != 0 || len(b.running) != 1 {
		t.Error("a held sequence was computed, or lost its place")
	}
	b.end()
	q.held = false
	if tokens, prefill := b.begin(); tokens != 1 || prefill != 5 {
		t.Errorf("released: %d tokens, %d prefill", tokens, prefill)
	}
}

// Whatever is asked: nobody is forgotten, nobody gets more than he may, the
// limits hold at every step, and who came first begins first.
func TestBatchKeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Engine{
			Slots: rapid.IntRange(1, 5).Draw(t, "slots"), KVTokens: 100, Queue: 50,
			PrefillChunk: rapid.IntRange(1, 40).Draw(t, "chunk"),
		}.filled()
		b := &batch{Engine: e}
		var all []*sequence
		var began []int
		for i := range rapid.IntRange(1, 50).Draw(t, "sequences") {
			q := &sequence{prompt: rapid.IntRange(1, 50).Draw(t, "prompt"), limit: rapid.IntRange(1, 50).Draw(t, "limit")}
			q.signal = func(made int) {
				if made == 1 {
					began = append(began, i)
				}
			}
			b.add(q)
			all = append(all, q)
		}
		for {
			tokens, prefill := b.begin()
			held := 0
			for _, q := range b.running {
				held += q.size()
			}
			if len(b.running) > e.Slots || prefill > e.PrefillChunk || tokens > len(b.running) || held != b.kv || held > e.KVTokens {
				t.Fatalf("%d running, %d tokens, %d prefill, %d of %d held", len(b.running), tokens, prefill, held, b.kv)
			}
			if tokens+prefill == 0 {
				break
			}
			b.end()
		}
		for i, q := range all {
			if q.made != q.limit || q.read != q.prompt || began[i] != i {
				t.Fatalf("sequence %d: %+v, began %v", i, q, began)
			}
		}
	})
}

// level is what a closed loop saw.
type level struct {
	perS       float64 // tokens
	ttft, tpot time.Duration
}

// climb offers a load as a client would: n slots, each asking again when its
// answer ended.
func climb(w *world, n, requests, tokens int) level {
	body := strings.Replace(question, `"max_tokens":4`, fmt.Sprintf(`"max_tokens":%d`, tokens), 1)
	var mu sync.Mutex
	var ttft, tpot time.Duration
	var all sync.WaitGroup
	start := time.Now()
	for slot := range n {
		all.Go(func() {
			time.Sleep(time.Duration(slot) * time.Microsecond) // an order
			for range requests / n {
				got := w.ask(context.Background(), body)
				if len(got.tokens) != tokens {
					w.Errorf("%d tokens: %v", len(got.tokens), got.err)
					return
				}
				mu.Lock()
				ttft += got.tokens[0]
				tpot += (got.tokens[tokens-1] - got.tokens[0]) / time.Duration(tokens-1)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	k := time.Duration(requests)
	return level{float64(requests*tokens) / time.Since(start).Seconds(), ttft / k, tpot / k}
}

// The speeds that Engine's comment states, seen by a client that climbs the
// usual ladder. 64 tokens: alone 4.1 ms each and 4+0.1+8+0.5 = 12.6 ms to the
// first, so 64 / (12.6 + 63 × 4.1) ms = 236.2 tokens/s.
func TestEngineBendsForAClient(t *testing.T) {
	virtual(t, Config{}, func(w *world) {
		start := time.Now()
		one, eight, many := climb(w, 1, 20, 64), climb(w, 8, 32, 64), climb(w, 32, 128, 64)
		t.Logf("1: %+v\n8: %+v\n32: %+v\nall: %v", one, eight, many, time.Since(start))
		if one.ttft != 12600*time.Microsecond || one.tpot != 4100*time.Microsecond || one.perS < 236.1 || one.perS > 236.3 {
			t.Errorf("alone: %+v", one)
		}
		// 8 × 64 tokens take at least 64 steps of 4.8 ms: 1,667 tokens/s at most.
		if eight.perS > 1667 || eight.perS < 1400 || eight.tpot > 5500*time.Microsecond || eight.ttft > 40*time.Millisecond {
			t.Errorf("eight: %+v", eight)
		}
		// 12 at most are computed, in 5.2 ms: 2,308 at most; the other 20 wait
		// 20/12 of an answer's time.
		if many.perS > 2308 || many.perS < 1.2*eight.perS || many.ttft < 10*eight.ttft || many.tpot > 7*time.Millisecond {
			t.Errorf("many: %+v", many)
		}
		if all := time.Since(start); all > 15*time.Second {
			t.Errorf("the ladder took %v", all)
		}
	})
}

func TestCancelFreesTheSlot(t *testing.T) {
	e := round
	e.Slots = 1
	virtual(t, Config{Engine: e}, func(w *world) {
		ctx, cancel := context.WithCancel(w.Context())
		gone := make(chan seen)
		go func() {
			gone <- w.ask(ctx, strings.Replace(question, `"max_tokens":4`, `"max_tokens":1000`, 1))
		}()
		time.Sleep(100 * time.Millisecond)
		cancel()
		if got := <-gone; got.err == nil {
			t.Error("the cancelled request ended well")
		}
		// Its step, the eighth after 21 + 7 × 11 = 98 ms, ends at 109; the next begins
		// with the new one: 109 + 21 = 130, 30 ms after it was asked.
		got := w.ask(w.Context(), question)
		if d := cmp.Diff(millis(30, 41, 52, 63), got.tokens); d != "" {
			t.Error(d)
		}
		synctest.Wait()
		truth := w.server.Truth(0)
		if truth.Requests != 2 || truth.OK != 1 || truth.InFlight != 0 || truth.TTFT.N != 1 {
			t.Errorf("%+v", truth)
		}
		// 21, 32, … 98: 8 tokens had been sent.
		if r := truth.Rows[0]; r.Number != 1 || r.OK || r.Tokens != 8 {
			t.Errorf("%+v", r)
		}
	})
}

func TestQueueFull(t *testing.T) {
	e := round
	e.Slots, e.Queue = 1, 1
	virtual(t, Config{Engine: e}, func(w *world) {
		var all sync.WaitGroup
		status := make([]int, 3)
		for i := range status {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				status[i] = w.ask(w.Context(), question).status
			})
		}
		all.Wait()
		if d := cmp.Diff([]int{200, 200, 503}, status); d != "" {
			t.Error(d)
		}
	})
}
