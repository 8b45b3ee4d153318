package prompt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tidemark/load/token"
)

func TestFiller(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, name := rapid.Uint64().Draw(t, "seed"), rapid.String().Draw(t, "name")
		n := rapid.IntRange(1, 20_000).Draw(t, "tokens")
		text := Filler(seed, name, n)
		if got := token.Estimate(text); got < n || got > n+1 {
			t.Fatalf("%d tokens, not %d", got, n)
		}
		if text != Filler(seed, name, n) {
			t.Fatal("another text of the same name")
		}
		longer := Filler(seed, name, n+rapid.IntRange(1, 500).Draw(t, "more"))
		if !strings.HasPrefix(longer, text) {
			t.Fatal("a longer text begins otherwise")
		}
	})
	for seed := range uint64(500) { // also where a sentence ends with the text
		for n := range 40 {
			if got := token.Estimate(Filler(seed, "short", n)); got < n || got > n+1 {
				t.Errorf("%d tokens, not %d", got, n)
			}
		}
	}
	if Filler(1, "a", 100) == Filler(1, "b", 100) || Filler(1, "a", 100) == Filler(2, "a", 100) {
		t.Error("two names or seeds with one text")
	}
	if Filler(1, "a", 0) != "" {
		t.Error("nothing was asked")
	}
}

func TestFillersAreShortWords(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range fillers {
		if len(w.text) < 3 || len(w.text) > 7 || strings.ToLower(w.text) != w.text || seen[w.text] {
			t.Error(w.text)
		}
		seen[w.text] = true
		// What a text takes may be added up from its words.
		if one := token.Estimate(strings.Repeat(w.text+" ", 1000)); one != 10*w.cost {
			t.Error(w, one)
		}
	}
	if len(fillers) < 400 {
		t.Error(len(fillers))
	}
}

// Prompts that begin with the same ids begin with the same text.
func TestBlocksShareWhatTheirIDsShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(16, 64).Draw(t, "size")
		ids := rapid.SliceOfNDistinct(rapid.Int64Range(0, 1000), 1, 8, rapid.ID).Draw(t, "ids")
		tokens := rapid.IntRange(1, size*10).Draw(t, "tokens")
		text := Blocks(7, ids, size, tokens, "own")
		if got := token.Estimate(text); got < tokens-len(ids)-1 || got > tokens+3*len(ids)+3 {
			t.Fatalf("%d tokens of %d", got, tokens)
		}
		shared := rapid.IntRange(0, min(len(ids), tokens/size)).Draw(t, "shared")
		other := append(slices.Clone(ids[:shared]), 5000, 5001)
		common := 0
		b := Blocks(7, other, size, size*10, "another")
		for common < min(len(text), len(b)) && text[common] == b[common] {
			common++
		}
		if n := token.Estimate(text[:common]); n < size*shared-shared { // each is rounded
			t.Fatalf("%d blocks of %d are shared, %d tokens", shared, size, n)
		} else if n > (size+3)*shared+12 {
			t.Fatalf("%d tokens shared of %d blocks of %d", n, shared, size)
		}
	})
	for id := range int64(3 * mostBlocks) { // more than are kept
		if id%1000 == 0 && blocks.text(block{1, id, 8}) != Filler(1, blockName(id), 8) {
			t.Fatal("a kept block differs")
		}
		blocks.text(block{1, id, 8})
	}
	if n := len(blocks.texts); n > mostBlocks {
		t.Error(n, "blocks are kept")
	}
}

func TestTalk(t *testing.T) {
	ask := func(system, user string) Prompt {
		return Prompt{Messages: []Message{{Role: "system", Text: system}, {Role: "user", Text: user}}}
	}
	talk := NewTalk([]Prompt{ask("s1", "u1"), ask("s2", "u2"), ask("s3", "u3")})
	var turns [][]Message
	for i := 0; ; i++ {
		m, ok := talk.Next([]string{"ignored", "a1", "", "late"}[i])
		if !ok {
			break
		}
		turns = append(turns, m)
	}
	want := []Message{{Role: "system", Text: "s1"}, {Role: "user", Text: "u1"}, {Role: "assistant", Text: "a1"}, {Role: "user", Text: "u2"},
		{Role: "user", Text: "u3"}}
	if d := cmp.Diff([][]Message{want[:2], want[:4], want}, turns); d != "" {
		t.Error(d)
	}
	// What was handed out stays as it was, whoever appends to it.
	_ = append(turns[0], Message{Role: "user", Text: "other"})
	if turns[1][2].Text != "a1" {
		t.Error("a later turn was changed")
	}
}

func BenchmarkFiller(b *testing.B) {
	for _, n := range []int{512, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				Filler(1, fmt.Sprint(i), n)
			}
		})
	}
}

func BenchmarkBlocks(b *testing.B) {
	ids := make([]int64, 80)
	for i := range ids {
		ids[i] = int64(i)
	}
	for b.Loop() {
		Blocks(1, ids, 512, 80*512, "own")
	}
}
