package prompt

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
)

// Order is an endless sequence over a group's prompts: one seeded
// permutation, again and again. It is safe for concurrent use. The zero Order
// has only empty prompts.
type Order struct {
	prompts []Prompt
	turn    []int // the permutation
}

// Order returns the group's order for a seed. The same seed, name and number
// of prompts give the same order in every version.
func (g Group) Order(seed uint64) Order {
	name := fnv.New64a()
	name.Write([]byte(g.Name))
	pcg := rand.NewPCG(seed, name.Sum64())
	turn := make([]int, len(g.Prompts))
	for i := range turn {
		// Shuffled here and not by rand.Perm, whose use of the generator's
		// bits may change between releases of Go.
		high, _ := bits.Mul64(pcg.Uint64(), uint64(i+1))
		j := int(high)
		turn[i] = turn[j]
		turn[j] = i
	}
	return Order{g.Prompts, turn}
}

// At returns the i-th prompt, counted from 0.
func (o Order) At(i int) Prompt {
	n := len(o.turn)
	if n == 0 || i < 0 {
		return Prompt{}
	}
	return o.prompts[o.turn[i%n]]
}
