package prompt

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestBuiltin(t *testing.T) {
	s := Builtin()
	if s.Source != "built-in" || len(s.Groups) != 1 || s.Groups[0].Name != "default" {
		t.Fatalf("source %q, %d groups", s.Source, len(s.Groups))
	}
	prompts := s.Groups[0].Prompts
	if len(prompts) != 24 {
		t.Errorf("%d prompts, want 24", len(prompts))
	}
	seen := map[string]bool{}
	chinese := 0
	for i, p := range prompts {
		if want := fmt.Sprintf("default/%d", i+1); p.ID != want {
			t.Errorf("id %q, want %q", p.ID, want)
		}
		if len(p.Messages) != 1 || p.Messages[0].Role != "user" || seen[p.Messages[0].Text] {
			t.Errorf("%s: %+v: want one message of the user, each once", p.ID, p.Messages)
		}
		question := p.Messages[0].Text
		seen[question] = true
		words := len(strings.Fields(question))
		if strings.ContainsFunc(question, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			chinese++
			words = utf8.RuneCountInString(question) * 2 / 3 // a Chinese word is about one and a half characters
		}
		if words < 10 || words > 120 {
			t.Errorf("%s: %d words, want 10 to 120", p.ID, words)
		}
	}
	if chinese != 12 {
		t.Errorf("%d are Chinese, want half", chinese)
	}
}

func groupOf(n int) Group {
	g := Group{Name: "g"}
	for i := range n {
		g.Prompts = append(g.Prompts, Prompt{ID: fmt.Sprint(i)})
	}
	return g
}

func TestOrderIsOnePermutationRepeated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		g := groupOf(n)
		o := g.Order(seed)
		var turn []string
		for i := range n {
			turn = append(turn, o.At(i).ID)
		}
		if sorted := slices.Compact(slices.Sorted(slices.Values(turn))); len(sorted) != n {
			t.Fatalf("%v: not every prompt once", turn)
		}
		for i := n; i < 3*n; i++ {
			if o.At(i).ID != turn[i%n] {
				t.Fatalf("at %d: %s, want %s as in the first turn", i, o.At(i).ID, turn[i%n])
			}
		}
	})
}

func TestOrderDependsOnSeedAndName(t *testing.T) {
	ids := func(g Group, seed uint64) (s string) {
		o := g.Order(seed)
		for i := range g.Prompts {
			s += o.At(i).ID + " "
		}
		return s
	}
	g := groupOf(12)
	first := ids(g, 1)
	// Kept as it was first printed: runs of two versions must ask alike.
	if want := "7 5 3 10 8 9 11 2 4 6 0 1"; strings.TrimSpace(first) != want {
		t.Errorf("order %q, want %q", first, want)
	}
	if ids(g, 2) == first {
		t.Error("another seed gives the same order")
	}
	g.Name = "h"
	if ids(g, 1) == first {
		t.Error("another group's name gives the same order")
	}
}

func TestOrderOfNothing(t *testing.T) {
	var o Order
	if diff := cmp.Diff(Prompt{}, o.At(3)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Prompt{}, groupOf(2).Order(1).At(-1)); diff != "" {
		t.Error(diff)
	}
}

func TestNonce(t *testing.T) {
	if a, b := Nonce("r", 1, "measured", 7), Nonce("r", 1, "measured", 7); a != b {
		t.Errorf("%q, then %q", a, b)
	}
	seen := map[string]bool{}
	for _, run := range []string{"r", "s", ""} {
		for _, phase := range []string{"warmup", "measured"} {
			for round := range 3 {
				for number := range 2000 {
					n := Nonce(run, round, phase, number)
					if len(n) != 13 || n[0] != '[' || n[11:] != "] " {
						t.Fatalf("%q: want ten letters in brackets and a space", n)
					}
					if seen[n] {
						t.Fatalf("%q twice", n)
					}
					seen[n] = true
				}
			}
		}
	}
	// The arguments do not run into each other.
	if Nonce("ab", 1, "c", 1) == Nonce("a", 1, "bc", 1) {
		t.Error("run and phase are mixed up")
	}
}

func TestAsk(t *testing.T) {
	user := Message{Role: "user", Text: "hi"}
	raw := func(role, s string) Message { return Message{Role: role, Raw: json.RawMessage(s)} }
	for _, c := range []struct {
		name          string
		in            []Message
		system, nonce string
		want          []Message
	}{
		{"as it is", []Message{user}, "", "", []Message{user}},
		{"system", []Message{user}, "be kind", "", []Message{{Role: "system", Text: "be kind"}, user}},
		{"nonce before the text", []Message{user}, "", "[n] ", []Message{{Role: "user", Text: "[n] hi"}}},
		{"nonce before the system text", []Message{user}, "be kind", "[n] ", []Message{{Role: "system", Text: "[n] be kind"}, user}},
		{
			"nonce before the prompt's own system text",
			[]Message{{Role: "system", Text: "be brief"}, user}, "", "[n] ",
			[]Message{{Role: "system", Text: "[n] be brief"}, user},
		},
		{
			"its own system message stands later",
			[]Message{user, {Role: "developer", Text: "be brief"}}, "", "[n] ",
			[]Message{user, {Role: "developer", Text: "[n] be brief"}},
		},
		{
			"raw string",
			[]Message{raw("user", `{"name":"Ann", "content" : "\"hi\"","role":"user"}`)}, "", "[n] ",
			[]Message{raw("user", `{"name":"Ann", "content" : "[n] \"hi\"","role":"user"}`)},
		},
		{
			"raw parts",
			[]Message{raw("user", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}},{"text":"hi","type":"text"}]}`)}, "", "[n] ",
			[]Message{raw("user", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}},{"text":"[n] hi","type":"text"}]}`)},
		},
		{
			"raw without text",
			[]Message{raw("user", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}`)}, "", "[n] ",
			[]Message{{Role: "system", Text: "[n] "}, raw("user", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}`)},
		},
		{
			"raw that is no JSON",
			[]Message{raw("user", `{"content":`)}, "", "[n] ",
			[]Message{{Role: "system", Text: "[n] "}, raw("user", `{"content":`)},
		},
		{"no message", nil, "", "[n] ", []Message{{Role: "system", Text: "[n] "}}},
		{
			"a nonce that JSON must escape",
			[]Message{raw("user", `{"content":"hi","role":"user","x":1}`)}, "", `"`,
			[]Message{raw("user", `{"content":"\"hi","role":"user","x":1}`)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Prompt{Messages: slices.Clone(c.in)}
			if diff := cmp.Diff(c.want, p.Ask(c.system, c.nonce)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.in, p.Messages); diff != "" {
				t.Errorf("the prompt itself changed (-before +after):\n%s", diff)
			}
		})
	}
}

// message draws one as Load would make it.
func message() *rapid.Generator[Message] {
	return rapid.Custom(func(t *rapid.T) Message {
		role := rapid.SampledFrom([]string{"user", "assistant", "system"}).Draw(t, "role")
		words := rapid.String().Draw(t, "text")
		quoted, _ := json.Marshal(words)
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			return Message{Role: role, Raw: json.RawMessage(fmt.Sprintf(`{"role":%q,"content":%s,"name":"x"}`, role, quoted))}
		case 1:
			return Message{Role: role, Raw: json.RawMessage(fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"role":%q}`, quoted, role))}
		}
		return Message{Role: role, Text: words}
	})
}

// plain removes the nonce wherever it stands, in text or raw.
func plain(ms []Message, nonce string) []Message {
	out := slices.Clone(ms)
	for i := range out {
		out[i].Text = strings.Replace(out[i].Text, nonce, "", 1)
		if out[i].Raw != nil {
			out[i].Raw = json.RawMessage(strings.Replace(string(out[i].Raw), nonce, "", 1))
		}
	}
	return out
}

func TestAskChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Prompt{Messages: rapid.SliceOfN(message(), 1, 4).Draw(t, "messages")}
		system := rapid.SampledFrom([]string{"", "be kind"}).Draw(t, "system")
		nonce := Nonce("run", 1, "measured", rapid.Int().Draw(t, "number"))
		got := p.Ask(system, nonce)
		if diff := cmp.Diff(p.Ask(system, ""), plain(got, nonce)); diff != "" {
			t.Fatalf("more than the nonce differs:\n%s", diff)
		}
		found := 0
		for _, m := range got {
			found += strings.Count(m.Text, nonce) + strings.Count(string(m.Raw), nonce)
			if m.Raw != nil && !json.Valid(m.Raw) {
				t.Fatalf("no JSON any more: %s", m.Raw)
			}
		}
		if found != 1 {
			t.Fatalf("the nonce is there %d times", found)
		}
	})
}
