package prompt

import (
	"strconv"
	"strings"
	"sync"
)

// Blocks returns a text of about so many tokens that is made of the blocks of
// a trace, in order: each id stands for blockTokens tokens of text, the same
// in every prompt of the seed; the last block is as long as is left. Where
// the ids are used up before, a text that follows from own fills the rest.
func Blocks(seed uint64, ids []int64, blockTokens, tokens int, own string) string {
	var text strings.Builder
	text.Grow(tokens * 5)
	add := func(s string) {
		if text.Len() > 0 && s != "" {
			text.WriteByte(' ')
		}
		text.WriteString(s)
	}
	for _, id := range ids {
		if tokens < blockTokens {
			add(Filler(seed, blockName(id), tokens))
			return text.String()
		}
		add(blocks.text(block{seed, id, blockTokens}))
		tokens -= blockTokens
	}
	add(Filler(seed, own, tokens))
	return text.String()
}

func blockName(id int64) string { return "block " + strconv.FormatInt(id, 10) }

type block struct {
	seed   uint64
	id     int64
	tokens int
}

// mostBlocks bounds the texts that are kept: some 10 MB of 512 tokens each.
const mostBlocks = 4096

// shelf keeps the texts of whole blocks, which prompts share.
type shelf struct {
	mu    sync.Mutex
	texts map[block]string
}

var blocks shelf

func (s *shelf) text(b block) string {
	s.mu.Lock()
	have, ok := s.texts[b]
	s.mu.Unlock()
	if ok {
		return have
	}
	made := Filler(b.seed, blockName(b.id), b.tokens)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil || len(s.texts) >= mostBlocks {
		s.texts = map[block]string{} // all anew: what is shared comes back soon
	}
	s.texts[b] = made
	return made
}
