package prompt

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Ask returns the messages of one request: a system message with the given
// text first ("": none is added), and the nonce ("": none) at the very front:
// before the text of the first system message, be it the prompt's own, else
// before the first message's text. Where that message has no text that could
// take it, a system message of the nonce alone goes before all. Nothing else
// is changed, and p itself not at all.
func (p Prompt) Ask(system, nonce string) []Message {
	messages := make([]Message, 0, len(p.Messages)+2)
	if system != "" {
		messages = append(messages, Message{Role: "system", Text: system})
	}
	messages = append(messages, p.Messages...)
	if nonce == "" {
		return messages
	}
	if i := front(messages); i < len(messages) {
		if m, ok := messages[i].after(nonce); ok {
			messages[i] = m
			return messages
		}
	}
	return slices.Insert(messages, 0, Message{Role: "system", Text: nonce})
}

// front is the message that an endpoint reads first: templates put the system
// message there wherever it stands.
func front(messages []Message) int {
	return max(0, slices.IndexFunc(messages, func(m Message) bool {
		return m.Role == "system" || m.Role == "developer"
	}))
}

// after returns m with the nonce before its text; false: it has none.
func (m Message) after(nonce string) (Message, bool) {
	if m.Raw == nil {
		m.Text = nonce + m.Text
		return m, true
	}
	at, ok := textStart(m.Raw)
	if !ok {
		return m, false
	}
	quoted, err := json.Marshal(nonce)
	if err != nil {
		return m, false
	}
	m.Raw = slices.Concat(m.Raw[:at], quoted[1:len(quoted)-1], m.Raw[at:])
	return m, true
}

// textStart finds where a raw message's text begins, just behind its opening
// quote: its string content, or the text of its first text part.
func textStart(raw []byte) (int, bool) {
	message, err := fieldsOf(raw, 0)
	if err != nil {
		return 0, false
	}
	content, ok := message.get("content")
	if !ok || len(content.value) == 0 {
		return 0, false
	}
	if content.value[0] == '"' {
		return content.at + 1, true
	}
	parts, err := itemsOf(content.value, content.at)
	if err != nil {
		return 0, false
	}
	for _, part := range parts {
		fields, err := fieldsOf(part.value, part.at)
		if err != nil {
			continue
		}
		kind, _ := fields.get("type")
		text, ok := fields.get("text")
		isText := bytes.Equal(kind.value, []byte(`"text"`)) || bytes.Equal(kind.value, []byte(`"input_text"`))
		if ok && isText && text.value[0] == '"' {
			return text.at + 1, true
		}
	}
	return 0, false
}
