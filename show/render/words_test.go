package render

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tidemark/record"
	"tidemark/report"
	catalogue "tidemark/text"
)

// Every id of the catalogue's show part is said here, and every one said here
// is in the catalogue.
func TestIDsAndCatalogueAgree(t *testing.T) {
	said := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(show\.[a-z0-9_]+)"`).FindAllStringSubmatch(string(src), -1) {
			said[m[1]] = true
			if !catalogue.Has(m[1]) {
				t.Errorf("%s: no text %s", file, m[1])
			}
		}
	}
	for _, id := range catalogue.IDs() {
		if strings.HasPrefix(id, "show.") && !said[id] {
			t.Errorf("nothing says %s", id)
		}
	}
}

// Where no check has judged, nothing speaks of validity.
func TestNoWordOfValidityBeforeItIsJudged(t *testing.T) {
	for _, lang := range languages {
		for _, write := range []func(*bytes.Buffer, *report.Report) error{
			func(b *bytes.Buffer, r *report.Report) error { return table(b, r, options(lang)) },
			func(b *bytes.Buffer, r *report.Report) error { return markdown(b, r, options(lang)) },
			func(b *bytes.Buffer, r *report.Report) error { return prometheus(b, r) },
		} {
			r := sample(lang)
			var b bytes.Buffer
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			if s := strings.ToLower(b.String()); strings.Contains(s, "valid") && !strings.HasPrefix(s, "# help") || strings.Contains(s, "有效") || strings.Contains(s, "无效") {
				t.Errorf("%s: speaks of validity:\n%s", lang, b.String())
			}
			r.Verdict.Valid, r.Levels[1].Validity.Valid = ptr(true), ptr(true)
			b.Reset()
			if err := write(&b, r); err != nil {
				t.Fatal(err)
			}
			if s := b.String(); !strings.Contains(s, "valid") && !strings.Contains(s, "有效") {
				t.Errorf("%s: judged, and not said", lang)
			}
		}
	}
}

// What a warning counts is said with it; of what was noted once nothing is.
func TestWarningsSayWhatTheyCount(t *testing.T) {
	for _, c := range []struct {
		w      report.Warning
		en, zh string
	}{
		{report.Warning{Unit: report.Requests, Count: 1, Text: "x"}, "x (requests: 1)", "x（1 个请求）"},
		{report.Warning{Unit: report.Rounds, Count: 2, Text: "x"}, "x (rounds: 2)", "x（2 轮）"},
		{report.Warning{Unit: report.Times, Count: 1, Text: "20 of 20 requests failed"}, "20 of 20 requests failed", "20 of 20 requests failed"},
		{report.Warning{Unit: report.Times, Count: 3, Text: "x"}, "x (3 times)", "x（3 次）"},
		{report.Warning{Unit: "of the future", Count: 3, Text: "x"}, "x", "x"},
	} {
		for lang, want := range map[catalogue.Lang]string{catalogue.English: c.en, catalogue.Chinese: c.zh} {
			if got := newPage(Options{Lang: lang}).warning(c.w); got != want {
				t.Errorf("%q, not %q", got, want)
			}
		}
	}
}

// A run that ended before its work was done says why, in the reason's words.
func TestStoppedRunsSayWhy(t *testing.T) {
	for _, reason := range []record.Reason{record.Interrupted, record.MaxTime, record.MaxTokens, record.DiskFailed, record.Refused} {
		for _, lang := range languages {
			all := newPage(Options{Lang: lang}).notices(&report.Report{Reason: reason})
			if len(all) != 1 || !strings.Contains(all[0], reason.Name().In(lang)) {
				t.Errorf("%s: %q", reason, all)
			}
		}
	}
	for _, reason := range []record.Reason{"", record.Done} {
		if all := newPage(Options{}).notices(&report.Report{Reason: reason}); all != nil {
			t.Errorf("%q: %q", reason, all)
		}
	}
}

func TestFault(t *testing.T) {
	fault := catalogue.Wrong(catalogue.Msg("show.unknown_format", "x"), catalogue.Msg("show.known_formats", "a, b"))
	for _, c := range []struct {
		err  error
		lang catalogue.Lang
		want string
	}{
		{nil, catalogue.English, ""},
		{errors.New("disk\nfull\x1b[2J"), catalogue.English, "error: disk full\ufffd[2J\n"},
		{errors.New("\xff"), catalogue.Chinese, "错误：\ufffd\n"},
		{fault, catalogue.English, "error: unknown format \"x\"\n  hint: use one of: a, b\n"},
		{fmt.Errorf("wrapped: %w", fault), catalogue.Chinese, "错误：不认识的格式 \"x\"\n  提示：可用的格式：a, b\n"},
	} {
		var b bytes.Buffer
		Fault(&b, c.err, Options{Lang: c.lang})
		if b.String() != c.want {
			t.Errorf("%v: %q, want %q", c.err, b.String(), c.want)
		}
	}
}

// Whatever a provider wrote, a Markdown text keeps on its line, has no bar
// that would end a cell, and a code span ends where it should.
func TestMarkdownTextsStayInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := words().Draw(t, "text")
		got := mdText(s)
		for i, r := range got {
			if strings.ContainsRune("|`*_[]<~", r) && !strings.HasPrefix(got[i:], "<!-- -->") && !(i > 0 && got[i-1] == '\\') {
				t.Fatalf("%q is not escaped in %q", r, got)
			}
		}
		code := mdCode(s)
		fence := code[:len(code)-len(strings.TrimLeft(code, "`"))]
		if code == "" {
			return
		}
		inside := strings.TrimSuffix(strings.TrimPrefix(code, fence), fence)
		if fence == "" || !strings.HasSuffix(code, fence) || strings.Contains(inside, fence) || strings.ContainsAny(code, "|\n") {
			t.Fatalf("%q is not one code span", code)
		}
	})
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"a\nb\tc": "a b c", "\x1b[31m": "\ufffd[31m", "\u009b2J": "\ufffd2J", "\xff": "\ufffd",
		"\u202egpj.exe": "gpj.exe", "\ufeffx": "x", "潮汐 👩‍👧": "潮汐 👩‍👧",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := oneLine("  a \r\n\n b  "); got != "a b" {
		t.Errorf("%q", got)
	}
	if got := strings.Join(cleanLines("\n a\r\nb\rc  \n\n"), "|"); got != "a|b|c" {
		t.Errorf("%q", got)
	}
}
