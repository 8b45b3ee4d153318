package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tidemark/sim"
	"tidemark/text"
)

// Every command that the README pages and the help texts show is tried, with a
// simulated endpoint in the place of theirs. A run is tried dry, so that its
// flags and files are held to the word and nothing is loaded; a server is
// asked for its help.
func TestExamplesWork(t *testing.T) {
	l, err := sim.Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.New(sim.Config{Schedule: &sim.Schedule{TTFT: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l)
	defer s.Close()
	url := "http://" + l.Addr().String() + "/v1"
	t.Chdir(t.TempDir())
	write(t, "prompts.jsonl", "{\"prompt\": \"hi\"}\n")
	write(t, "groups.json", `{"short": ["hi"], "long": ["to be or not to be"]}`)
	write(t, "arrivals.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.5,40,5\n2023-11-16 18:17:04,80,9\n")
	write(t, "plan.yaml", "url: "+url+"\n")
	if code, out := command("run", "--url", url, "--concurrency", "1", "--requests", "2", "--max-tokens", "2", "--out", "results"); code != 0 {
		t.Fatalf("the run to report on: exit %d\n%s", code, out)
	}
	for _, example := range examples(t) {
		line := strings.NewReplacer(
			"https://host/v1", url, "http://127.0.0.1:8000/v1", url, "http://127.0.0.1:9000/v1", url, "--url …", "--url "+url,
			"--provider taotoken", "--url "+url, "--model NAME", "--model sim", "report DIR", "report results",
		).Replace(example)
		args := strings.Fields(line)[1:]
		switch args[0] {
		case "run":
			args = append(args, "--dry-run")
		case "sim", "demo", "selftest":
			args = append(args, "--help")
		}
		if code, out := command(args...); code != 0 {
			t.Errorf("%s: exit %d\n%s", example, code, out)
		}
	}
}

func write(t *testing.T, name, body string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
}

// command runs the program inside the test.
func command(args ...string) (code int, out string) {
	var b bytes.Buffer
	w := &world{args: args, getenv: func(string) string { return "" }, stdout: &b, stderr: &b, lang: text.English}
	return w.main(), b.String()
}

// examples are the lines of the pages and of the help texts that call the
// program, comments left out.
func examples(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, name := range []string{"README.md", "README.zh.md", "docs/LOAD.md"} {
		body, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, string(body))
	}
	for _, id := range text.IDs() {
		if strings.HasPrefix(id, "cli.") && strings.HasSuffix(id, ".example") {
			e, _ := text.Lookup(id)
			pages = append(pages, e.EN, e.ZH)
		}
	}
	var all []string
	for _, page := range pages {
		for line := range strings.Lines(page) {
			call, _, _ := strings.Cut(strings.TrimSpace(line), "#")
			call = strings.TrimPrefix(strings.TrimPrefix(call, "go run ./cmd/"), "./")
			if strings.HasPrefix(call, "tidemark ") && strings.HasPrefix(line, "  ") {
				all = append(all, strings.TrimSpace(call))
			}
		}
	}
	if len(all) < 30 {
		t.Errorf("only %d examples found", len(all))
	}
	return all
}

// root is the repository, seen from this package's tests before they change
// their directory.
var root, _ = filepath.Abs(filepath.Join("..", ".."))
