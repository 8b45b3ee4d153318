package prompt

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"tidemark/text"
)

// user is a prompt of one text.
func user(id, words string) Prompt {
	return Prompt{ID: id, Messages: []Message{{Role: "user", Text: words}}}
}

func group(name string, prompts ...Prompt) Group { return Group{Name: name, Prompts: prompts} }

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, file, data string
		want             []Group
	}{
		{
			"lines", "p.txt", "\ufeffone question\r\n\r\n  你好吗？ \nlast",
			[]Group{group("default", user("default/1", "one question"), user("default/2", "你好吗？"), user("default/3", "last"))},
		},
		{
			"lines of JSON stay text in .txt", "p.txt", `{"prompt":"x"}`,
			[]Group{group("default", user("default/1", `{"prompt":"x"}`))},
		},
		{
			"JSON lines", "p.jsonl",
			"\"bare\"\n\n{\"prompt\":\"a\"}\r\n{\"text\":\"b\",\"id\":\"x\",\"label\":3}\n{\"content\":\"c\",\"id\":7,\"group\":\"long\"}\n{\"input\":\"d\",\"group\":null}",
			[]Group{
				group("default", user("default/1", "bare"), user("default/2", "a"), user("default/x", "b"), user("default/4", "d")),
				group("long", user("long/7", "c")),
			},
		},
		{
			"a request body", "p.jsonl",
			`{"model":"m","stream":true,"stream_options":{},"messages":[{"role":"system","content":"be kind"},{"role":"user","content":[{"type":"text","text":"hi"}]}],"tools":[{"type":"function"}],"top_p":0.5}`,
			[]Group{group("default", Prompt{
				ID: "default/1",
				Messages: []Message{
					{Role: "system", Text: "be kind"},
					{Role: "user", Raw: json.RawMessage(`{"role":"user","content":[{"type":"text","text":"hi"}]}`)},
				},
				Tools: json.RawMessage(`[{"type":"function"}]`),
				Extra: map[string]json.RawMessage{"top_p": json.RawMessage("0.5")},
			})},
		},
		{
			"further fields make a message raw", "p.jsonl",
			`{"messages":[{"role":"user","content":"hi","name":"Ann"}],"tools":null}`,
			[]Group{group("default", Prompt{
				ID:       "default/1",
				Messages: []Message{{Role: "user", Raw: json.RawMessage(`{"role":"user","content":"hi","name":"Ann"}`)}},
			})},
		},
		{
			"a list", "p.json", ` ["a", {"prompt":"b"}, {"messages":[{"role":"user","content":"c"}]}] `,
			[]Group{group("default", user("default/1", "a"), user("default/2", "b"), user("default/3", "c"))},
		},
		{
			"groups keep the file's order", "p.json", `{"short":["a"],"medium":["b","c"],"long":[{"text":"d"}],"a":["e"]}`,
			[]Group{
				group("short", user("short/1", "a")),
				group("medium", user("medium/1", "b"), user("medium/2", "c")),
				group("long", user("long/1", "d")),
				group("a", user("a/1", "e")),
			},
		},
		{"prompts", "p.json", `{"prompts":["a"]}`, []Group{group("default", user("default/1", "a"))}},
		{"one text", "p.json", `{"prompt":"a"}`, []Group{group("default", user("default/1", "a"))}},
		{
			"one body", "p.json", `{"messages":[{"role":"user","content":"a"}]}`,
			[]Group{group("default", user("default/1", "a"))},
		},
		{"a group named messages", "p.json", `{"messages":["a"]}`, []Group{group("messages", user("messages/1", "a"))}},
		{"no extension: text", "prompts", "one\ntwo", []Group{group("default", user("default/1", "one"), user("default/2", "two"))}},
		{"no extension: text in brackets", "prompts", "[INST] a", []Group{group("default", user("default/1", "[INST] a"))}},
		{"no extension: list", "prompts", "[\"a\",\n\"b\"]", []Group{group("default", user("default/1", "a"), user("default/2", "b"))}},
		{
			"no extension: lines", "prompts", "{\"prompt\":\"a\"}\n{\"prompt\":\"b\"}",
			[]Group{group("default", user("default/1", "a"), user("default/2", "b"))},
		},
		{"ndjson", "p.NDJSON", `"a"`, []Group{group("default", user("default/1", "a"))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse(c.file, []byte(c.data))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&Set{Source: c.file, Groups: c.want}, s); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, data, want string }{
		{"nothing", "p.txt", "", "p.txt is empty"},
		{"a mark and blanks", "p.jsonl", "\ufeff \r\n\t", "p.jsonl is empty"},
		{"empty list", "p.json", "[]", "no prompt in p.json"},
		{"empty object", "p.json", "{}", "no prompt in p.json"},
		{"empty prompts", "p.json", `{"prompts":[]}`, "no prompt in p.json"},
		{"no text", "p.txt", "ab\ncd\xff\n", "p.txt:2: a byte that is not UTF-8"},
		{"UTF-16", "p.txt", "\xff\xfea\x00", "p.txt:1: a byte that is not UTF-8"},
		{"cut JSON line", "p.jsonl", "\"a\"\n{\"prompt\":", `p.jsonl:2:10: not valid JSON: unexpected end of JSON input`},
		{"bad JSON line", "p.jsonl", "\"a\"\n  {\"prompt\": nope}", `p.jsonl:2:15: not valid JSON: invalid character 'o' in literal null (expecting 'u')`},
		{"text in .jsonl", "p.jsonl", "hello", `p.jsonl:1:1: not valid JSON: invalid character 'h' looking for beginning of value`},
		{"bad JSON", "p.json", "[\"é\",\n \"a\" \"b\"]", `p.json:2:6: not valid JSON: invalid character '"' after array element`},
		{"a number", "p.jsonl", "3", "p.jsonl:1:1: neither a prompt nor a list of prompts"},
		{"a list in a line", "p.jsonl", `["a"]`, "p.jsonl:1:1: neither a prompt nor a list of prompts"},
		{"a string file", "p.json", `"a"`, "p.json:1:1: neither a prompt nor a list of prompts"},
		{"no text member", "p.jsonl", `{"question":"a"}`, "p.jsonl:1:1: neither a prompt nor a list of prompts"},
		{"a number for a text", "p.jsonl", `{"prompt":3}`, "p.jsonl:1:11: neither a prompt nor a list of prompts"},
		{"a group that is no list", "p.json", "{\"short\":[\"a\"],\n\"long\":\"b\"}", "p.json:2:8: neither a prompt nor a list of prompts"},
		{"messages are no list", "p.jsonl", `{"messages":"a"}`, "p.jsonl:1:13: neither a prompt nor a list of prompts"},
		{"a message is no object", "p.jsonl", `{"messages":["a"]}`, "p.jsonl:1:14: neither a prompt nor a list of prompts"},
		{"no role", "p.jsonl", `{"messages":[{"content":"a"}]}`, "p.jsonl:1:14: a message without a role"},
		{"empty string", "p.json", `["a",""]`, "p.json:1:6: an empty prompt"},
		{"blank text", "p.jsonl", `{"prompt":" \n"}`, "p.jsonl:1:1: an empty prompt"},
		{"no message", "p.jsonl", `{"messages":[]}`, "p.jsonl:1:13: an empty prompt"},
		{"blank messages", "p.jsonl", `{"messages":[{"role":"user","content":""}]}`, "p.jsonl:1:13: an empty prompt"},
		{"empty group", "p.json", `{"short":["a"],"long":[]}`, `p.json:1:23: group "long" has no prompt`},
		{"nameless group", "p.json", `{"":["a"]}`, "p.json:1:2: a group without a name"},
		{"nameless group in a line", "p.jsonl", `{"prompt":"a","group":3}`, "p.jsonl:1:23: a group without a name"},
		{"group twice", "p.json", "{\"a\":[\"x\"],\n\"a\":[\"y\"]}", `p.json:2:1: "a" is there twice in one object`},
		{"an odd id", "p.jsonl", `{"prompt":"a","id":[1]}`, "p.jsonl:1:20: an id that is neither a text nor a number"},
		{"an id twice", "p.jsonl", "{\"prompt\":\"a\",\"id\":1}\n{\"prompt\":\"b\",\"id\":\"1\"}", `p.jsonl:2:1: id "1" is there twice in group "default"`},
		{"two texts", "p.jsonl", `{"text":"a","input":"b"}`, `p.jsonl:1:13: "text" and "input" in one entry: which is the prompt?`},
		{"a text and messages", "p.jsonl", `{"prompt":"a","messages":[]}`, `p.jsonl:1:15: "prompt" and "messages" in one entry: which is the prompt?`},
		{"lost settings", "p.jsonl", `{"prompt":"a","max_tokens":5}`, `p.jsonl:1:15: "max_tokens" beside "prompt" would not be sent`},
		{"another tool's instruction", "p.jsonl", `{"instruction":"a","input":"b"}`, `p.jsonl:1:2: "instruction" beside "input" would not be sent`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := parse(c.file, []byte(c.data))
			refused(t, err, c.want)
			if s != nil {
				t.Errorf("a set with an error: %+v", s)
			}
		})
	}
}

// refused asserts a fault in these words, with something to do.
func refused(t *testing.T, err error, want string) *text.Fault {
	t.Helper()
	f := (*text.Fault)(nil)
	if !errors.As(err, &f) {
		t.Fatalf("error %v: want a fault", err)
	}
	if diff := cmp.Diff(want, f.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, l := range []text.Lang{text.English, text.Chinese} {
		if said := f.Hint.In(l); said == "" || strings.Contains(said, "%!") || strings.Contains(f.What.In(l), "%!") {
			t.Errorf("%s: %q, hint %q", l, f.What.In(l), said)
		}
	}
	return f
}

func TestJSONLinesInAJSONFileAreNamed(t *testing.T) {
	_, err := parse("p.json", []byte("{\"prompt\":\"a\"}\n{\"prompt\":\"b\"}"))
	f := refused(t, err, "p.json:2:1: not valid JSON: invalid character '{' after top-level value")
	if f.Hint.ID != "prompt.bad_json.lines_hint" {
		t.Errorf("hint %s", f.Hint.ID)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.txt")
	if err := os.WriteFile(path, []byte("a\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	want := &Set{Source: path, Groups: []Group{group("default", user("default/1", "a"), user("default/2", "b"))}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	missing := filepath.Join(dir, "none.txt")
	_, err = Load(missing)
	if f := refused(t, err, "no prompt file at "+missing); !errors.Is(f, fs.ErrNotExist) {
		t.Errorf("cause %v", f.Err)
	}
	_, err = Load(dir)
	refused(t, err, dir+" is a directory, not a prompt file")

	large := filepath.Join(dir, "large.txt")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxFile+1); err != nil { // a hole: it takes no disk
		t.Fatal(err)
	}
	_, err = Load(large)
	refused(t, err, large+" is larger than 256 MiB")
}

func TestLineTooLong(t *testing.T) {
	_, err := parse("p.txt", []byte("ok\n"+strings.Repeat("x", maxLine+1)))
	refused(t, err, "p.txt:2: a line longer than 16 MiB")
	if _, err := parse("p.txt", []byte(strings.Repeat("x", maxLine)+"\nok")); err != nil {
		t.Errorf("a line of the limit: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, data := range []string{
		"a\nb", `{"prompt":"a"}`, `["a",{"text":"b","id":2}]`, `{"short":["a"],"long":["b"]}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"tools":[1],"x":{}}`,
		"\ufeff\"a\"\r\n", `{"a\"":[`, "{\"\\u0061\":[\"\\ud800\"]}", "[[[[",
	} {
		for _, name := range []string{"p.txt", "p.jsonl", "p.json", "p"} {
			f.Add(name, []byte(data))
		}
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		s, err := parse(name, data)
		if err != nil {
			if fault := (*text.Fault)(nil); !errors.As(err, &fault) || fault.Hint.ID == "" {
				t.Fatalf("error %v: want a fault with a hint", err)
			}
			return
		}
		ids := map[string]bool{}
		for _, g := range s.Groups {
			if g.Name == "" || len(g.Prompts) == 0 {
				t.Fatalf("group %q of %d prompts", g.Name, len(g.Prompts))
			}
			for _, p := range g.Prompts {
				if ids[p.ID] || len(p.Messages) == 0 {
					t.Fatalf("%q again, or without a message", p.ID)
				}
				ids[p.ID] = true
				for _, m := range p.Ask("s", "[n] ") {
					if m.Raw != nil && !json.Valid(m.Raw) || !utf8.ValidString(m.Text) {
						t.Fatalf("%q: broken message %+v", p.ID, m)
					}
				}
			}
		}
	})
}

// The places that faults name come from these offsets.
func FuzzFields(f *testing.F) {
	f.Add([]byte(`{"a":1, "b\"c" : [2,  3 ] ,"d":{}}`))
	f.Add([]byte(`[1, "x",null ]`))
	f.Add([]byte(`{"\\":"\\\""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) {
			return
		}
		members, err := fieldsOf(data, 0)
		if err != nil {
			members = nil
		}
		items, err := itemsOf(data, 0)
		if err != nil {
			items = nil
		}
		for _, m := range append([]field(members), items...) {
			if got := string(data[m.at : m.at+len(m.value)]); got != string(m.value) {
				t.Fatalf("at %d: %q, want %q", m.at, got, m.value)
			}
		}
		for _, m := range members {
			name := json.NewDecoder(strings.NewReader(string(data[m.nameAt:])))
			if token, err := name.Token(); err != nil || token != m.name {
				t.Fatalf("at %d: name %v (%v), want %q", m.nameAt, token, err, m.name)
			}
		}
	})
}
