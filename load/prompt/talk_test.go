package prompt

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Each turn is the one before, the answer, and what is asked anew; and what
// was handed out stays, whatever comes after and whoever appends to it.
func TestTalkCarriesAllBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turns := rapid.IntRange(0, 6).Draw(t, "turns")
		var asks []Prompt
		for i := range turns {
			var p Prompt
			if rapid.Bool().Draw(t, "system") {
				p.Messages = append(p.Messages, Message{Role: rapid.SampledFrom([]string{"system", "developer"}).Draw(t, "role"), Text: fmt.Sprint("s", i)})
			}
			for j := range rapid.IntRange(1, 3).Draw(t, "messages") {
				p.Messages = append(p.Messages, Message{Role: "user", Text: fmt.Sprint("u", i, j)})
			}
			asks = append(asks, p)
		}
		talk := NewTalk(asks)
		var want []Message
		var handed, kept [][]Message
		for i := range turns {
			answer := rapid.SampledFrom([]string{"", "yes", "no"}).Draw(t, "answer")
			if i > 0 && answer != "" {
				want = append(want, Message{Role: "assistant", Text: answer})
			}
			for _, m := range asks[i].Messages {
				if i == 0 || m.Role == "user" {
					want = append(want, m)
				}
			}
			got, ok := talk.Next(answer)
			if d := cmp.Diff(want, got); d != "" || !ok {
				t.Fatalf("turn %d, %v: %s", i, ok, d)
			}
			handed, kept = append(handed, got), append(kept, append([]Message(nil), got...))
		}
		for _, m := range handed {
			_ = append(m, Message{Role: "user", Text: "another's"})
		}
		if got, ok := talk.Next("late"); ok || got != nil {
			t.Fatalf("a turn more: %v", got)
		}
		if d := cmp.Diff(kept, handed); d != "" {
			t.Fatal(d)
		}
	})
}
