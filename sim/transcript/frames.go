package transcript

import (
	"fmt"
	"strings"
)

// style is how frames are written. It may change from line to line.
type style struct {
	newline string // ends a line
	colon   string // after a field's name
	also    string // members that every chunk has too, with the comma before them
}

var plain = style{newline: "\n", colon: ": "}

// frame writes one event of the field data.
func (s style) frame(payload string) string {
	return "data" + s.colon + payload + s.newline + s.newline
}

func (s style) comment(words string) string {
	if words != "" {
		words = " " + words
	}
	return ":" + words + s.newline + s.newline
}

// chunk writes one chat.completion.chunk with the members given.
func (s style) chunk(members string) string {
	return s.frame(`{"id":"cc-1","object":"chat.completion.chunk","created":1700000000,"model":"toy-1",` +
		members + s.also + `}`)
}

func (s style) choice(choice string) string { return s.chunk(`"choices":[` + choice + `]`) }

func (s style) delta(delta string) string {
	return s.choice(`{"index":0,"delta":` + delta + `,"finish_reason":null}`)
}

func (s style) finish(reason string) string {
	return s.choice(`{"index":0,"delta":{},"finish_reason":` + quote(reason) + `}`)
}

func (s style) usage(in, out int) string {
	return s.chunk(fmt.Sprintf(`"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`,
		in, out, in+out))
}

// quote writes a JSON string and escapes only what it must: what a server
// sends raw stays raw, U+2028 and bytes that are no UTF-8 included.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for s != "" {
		i := strings.IndexFunc(s, mustEscape)
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		if s[i] < ' ' {
			fmt.Fprintf(&b, `\u%04x`, s[i])
		} else {
			b.WriteString(`\` + s[i:i+1])
		}
		s = s[i+1:]
	}
	b.WriteByte('"')
	return b.String()
}

func mustEscape(r rune) bool { return r == '"' || r == '\\' || r < ' ' }
