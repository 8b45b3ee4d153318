package dialect

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// The chunks drawn here are ordinary for the most part; each place where one
// can be odd is so now and then.

// member is a name and its usual values.
type member struct {
	name   string
	values []string
}

var (
	topMembers = []member{
		{"id", []string{`"chatcmpl-1"`, `"2"`, `""`, `null`}}, {"object", []string{`"chat.completion.chunk"`}},
		{"created", []string{`1700000000`, `1.7e9`}}, {"model", []string{`"m"`, `"org/m"`}},
		{"system_fingerprint", []string{`"fp"`, `null`}}, {"usage", []string{`null`}}, {"error", []string{`null`}}, {"x_groq", []string{`null`}},
		{"obfuscation", []string{`"aB3"`}},
	}
	choiceMembers = []member{
		{"index", []string{`0`, `1`}}, {"finish_reason", []string{`null`, `""`}}, {"logprobs", []string{`null`, `{"content":[{"bytes":[1,2]}]}`}},
		{"error", []string{`null`}}, {"usage", []string{`null`}}, {"text", []string{`"x"`}},
	}
	deltaMembers = []member{
		{"role", []string{`"assistant"`, `null`}}, {"content", nil}, {"reasoning_content", nil}, {"reasoning", nil}, {"refusal", nil},
		{"tool_calls", []string{`null`}}, {"function_call", []string{`null`}},
	}
	oddNames  = []string{"content", "cont\\u0065nt", "delta", "choices", "id", "finish_reason", "usage", "text", "", "x\\q", "x\x01"}
	oddValues = []string{
		`1`, `-0.5e+3`, `01`, `1.`, `NaN`, `-inf`, `tru`, `true`, `false`, `"stop"`, `"\q"`, `"a\u00e9"`, `"\ud800"`, `{}`, `[]`, `[1,{"a":[]}]`,
		`{"message":"x","code":429}`, `{"prompt_tokens":7,"completion_tokens":0}`, `{"usage":{"prompt_tokens":7}}`, `[{"text":"a"}]`,
		`[{"function":{"name":"f","arguments":"{}"}}]`, `[1,]`, `{"a"}`, `{"a":1,}`, strings.Repeat("[", 25) + strings.Repeat("]", 25), ``,
	}
	pieces = []string{
		"a", " word", "木", "🦀", `\n`, `\t\r\b\f`, `\"`, `\\`, `\/`, `\u00e9`, `\u6728`, `\uD83E\udd80`, `\u0000`, "\u2028", "\xff", "/", "'",
	}
	oddPieces = []string{`\ud83e`, `\udd80\ud83e`, `\ud83e\u0041`, `\ud83e\ud83e`, `\q`, `\u12g4`, `\u12`, "\x01", "\n", `"`, `\`}
)

func drawChunk(t *rapid.T) string {
	choice := drawObject(t, choiceMembers, `"delta":`+drawObject(t, deltaMembers, ""))
	choices := "[" + choice + "]"
	if odd(t) {
		choices = rapid.SampledFrom([]string{"[]", "null", "[" + choice + "," + choice + "]", "[[" + choice + "]]", choice}).Draw(t, "choices")
	}
	space := drawSpace(t)
	return space + drawObject(t, topMembers, `"choices":`+choices) + space
}

// odd is true now and then; a chunk has some twenty places for it.
func odd(t *rapid.T) bool { return rapid.IntRange(0, 63).Draw(t, "odd") == 37 }

// drawObject draws some of the members, in any order, and must among them.
func drawObject(t *rapid.T, all []member, must string) string {
	var written []string
	for _, m := range all {
		if rapid.Bool().Draw(t, m.name) {
			written = append(written, drawMember(t, m))
		}
	}
	if must != "" && !odd(t) {
		written = append(written, must)
	}
	if odd(t) && len(written) > 0 {
		written = append(written, rapid.SampledFrom(written).Draw(t, "again"))
	}
	if odd(t) {
		written = append(written, `"`+rapid.SampledFrom(oddNames).Draw(t, "name")+`":`+rapid.SampledFrom(oddValues).Draw(t, "value"))
	}
	if len(written) > 1 {
		written = slices.Clone(rapid.Permutation(written).Draw(t, "order"))
	}
	return "{" + strings.Join(written, ","+drawSpace(t)) + "}"
}

func drawMember(t *rapid.T, m member) string {
	value := ""
	switch {
	case odd(t):
		value = rapid.SampledFrom(oddValues).Draw(t, "value")
	case m.values != nil:
		value = rapid.SampledFrom(m.values).Draw(t, "value")
	default:
		value = drawText(t)
	}
	space := drawSpace(t)
	return `"` + m.name + `"` + space + ":" + space + value
}

// drawText draws what a delta holds of a text: a string, or null.
func drawText(t *rapid.T) string {
	if rapid.IntRange(0, 4).Draw(t, "null") == 4 {
		return "null"
	}
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "text"), "")
	if odd(t) {
		text += rapid.SampledFrom(oddPieces).Draw(t, "odd piece")
	}
	return `"` + text + `"`
}

func drawSpace(t *rapid.T) string {
	if odd(t) {
		return rapid.SampledFrom([]string{"\n", "\r\n\t ", "\u00a0", "\v", "\x00"}).Draw(t, "space")
	}
	return rapid.SampledFrom([]string{"", "", " "}).Draw(t, "space")
}
