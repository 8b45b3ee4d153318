package prompt

import (
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"tidemark/load/token"
)

// A prompt of blocks is as long as it should be: each block is up to a token
// longer than asked, and all are joined.
func TestBlocksAreAsLongAsAsked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Int64(), 0, 8).Draw(t, "ids")
		tokens := rapid.IntRange(1, 5000).Draw(t, "tokens")
		text := Blocks(3, ids, 512, tokens, "own")
		parts := min(len(ids), tokens/512) + 1
		if got := token.Estimate(text); got < tokens-parts || got > tokens+parts {
			t.Fatalf("%d tokens in %d parts, not %d", got, parts, tokens)
		}
	})
}

// The last block is cut to what is left, and begins as the whole one does.
func TestTheLastBlockIsCut(t *testing.T) {
	whole := Blocks(1, []int64{4, 9}, 64, 128, "a")
	cut := Blocks(1, []int64{4, 9}, 64, 80, "b")
	if !strings.HasPrefix(whole, cut) || cut == whole {
		t.Errorf("%q is not the beginning of %q", cut, whole)
	}
	// Behind the ids each prompt has a text of its own.
	a, b := Blocks(1, []int64{4}, 64, 128, "a"), Blocks(1, []int64{4}, 64, 128, "b")
	if first := Blocks(1, []int64{4}, 64, 64, "c"); a == b || !strings.HasPrefix(a, first) || !strings.HasPrefix(b, first) {
		t.Error(a, b)
	}
	if Blocks(1, nil, 64, 20, "a") != Filler(1, "a", 20) {
		t.Error("without ids it is a text of its own")
	}
	if Blocks(1, []int64{4}, 64, 0, "a") != "" {
		t.Error("nothing was asked")
	}
}

// Two ids, like two seeds, are never one text.
func TestBlocksDiffer(t *testing.T) {
	seen := map[string]int64{}
	for id := int64(-5000); id < 5000; id++ {
		text := Blocks(1, []int64{id}, 16, 16, "")
		if other, twice := seen[text]; twice {
			t.Fatalf("%d and %d are both %q", other, id, text)
		}
		seen[text] = id
	}
	if _, twice := seen[Blocks(2, []int64{0}, 16, 16, "")]; twice {
		t.Error("another seed gives the same text")
	}
}

// More blocks than are kept, asked for by many at once, are what they are
// alone.
func TestBlocksAtOnce(t *testing.T) {
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range int64(mostBlocks) {
				id := i*3 + int64(g%2)
				got := Blocks(11, []int64{id}, 8, 8, "")
				if i%64 == 0 && got != Filler(11, blockName(id), 8) {
					t.Errorf("block %d is %q", id, got)
				}
			}
		})
	}
	all.Wait()
}
