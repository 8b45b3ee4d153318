package prompt

import "slices"

// Talk is one conversation of several turns: each carries all before it and
// the real answers. It is for one goroutine.
type Talk struct {
	said []Message
	asks []Prompt // still to come
}

// NewTalk begins a conversation whose turns ask, in order, what the given
// prompts ask. The first turn takes all messages of its prompt; later ones
// leave out those of the system, which stands at the front already.
func NewTalk(asks []Prompt) *Talk { return &Talk{asks: asks} }

// Next returns the messages of the next turn; answer is the last turn's, and
// goes between (on the first turn it is not used). An empty answer is left out,
// as some endpoints refuse a message without content: two questions then
// follow one another. Next is false where no turn is left. The slice may be
// kept: a later turn doesn't change it.
func (t *Talk) Next(answer string) ([]Message, bool) {
	if len(t.asks) == 0 {
		return nil, false
	}
	ask := t.asks[0].Messages
	if len(t.said) > 0 {
		if answer != "" {
			t.said = append(t.said, Message{Role: "assistant", Text: answer})
		}
		ask = slices.DeleteFunc(slices.Clone(ask), func(m Message) bool {
			return m.Role == "system" || m.Role == "developer"
		})
	}
	t.asks = t.asks[1:]
	// Clipped, so that what was handed out keeps its end.
	t.said = slices.Clip(append(t.said, ask...))
	return t.said, true
}
