package wire

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
)

// A connection outlives the context of an attempt: that it ends between two
// attempts, or while one of another context is under way, is none of theirs.
func TestContextsComeAndGo(t *testing.T) {
	virtual(t, Timeouts{Total: time.Minute}, [][]step{base(proper), base(proper), base(proper), base(step{})}, func(t *testing.T, c *Conn) {
		first, endFirst := context.WithCancel(t.Context())
		second, endSecond := context.WithCancel(t.Context())
		defer endSecond()
		do := func(ctx context.Context, want outcome.Class, usable bool) {
			t.Helper()
			var a record.Attempt
			c.Do(ctx, ask(), &a)
			if a.Outcome != want || c.Usable() != usable {
				t.Errorf("%s %q, usable %v; want %s, %v", a.Outcome, a.Message, c.Usable(), want, usable)
			}
		}
		do(first, outcome.OK, true)
		do(first, outcome.OK, true)
		endFirst()
		synctest.Wait()
		if !c.Usable() || c.Stale() {
			t.Error("the end of a context between two attempts was held against the connection")
		}
		time.AfterFunc(100*time.Millisecond, func() { c.interrupt(first) }) // a late callback
		do(second, outcome.OK, true)
		time.AfterFunc(330*time.Millisecond, endSecond)
		do(second, outcome.CutByRunEnd, false)
	})
}

// A context that has ended is found even where the connection knows it.
func TestContextThatHasEnded(t *testing.T) {
	virtual(t, Timeouts{}, [][]step{base(proper), base(proper)}, func(t *testing.T, c *Conn) {
		ctx, end := context.WithCancel(t.Context())
		var a record.Attempt
		c.Do(ctx, ask(), &a)
		end()
		synctest.Wait()
		a = record.Attempt{}
		if c.Do(ctx, ask(), &a); a.Outcome != outcome.CutByRunEnd || a.Sent != 0 || c.Usable() {
			t.Errorf("%s, sent %d, usable %v", a.Outcome, a.Sent, c.Usable())
		}
	})
}
