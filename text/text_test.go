package text

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var verb = regexp.MustCompile(`%[-+# 0]*[\d.]*(\[\d+\])?[a-zA-Z%]`)

// gaps lists an entry's verbs by the argument each takes.
func gaps(s string) []string {
	var all []string
	next := 1
	for _, v := range verb.FindAllString(s, -1) {
		if v == "%%" {
			continue
		}
		if i, j := strings.IndexByte(v, '['), strings.IndexByte(v, ']'); i >= 0 {
			next, _ = strconv.Atoi(v[i+1 : j])
		}
		all = append(all, fmt.Sprintf("%d%c", next, v[len(v)-1]))
		next++
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryEntryHasBothLanguages(t *testing.T) {
	for _, id := range IDs() {
		e, _ := Lookup(id)
		if e.EN == "" || e.ZH == "" {
			t.Errorf("%s: a language is missing", id)
		}
		if strings.Contains(verb.ReplaceAllString(e.EN+e.ZH, ""), "%") {
			t.Errorf("%s: a gap that fmt does not read (an index stands right before its verb: %%.1[2]f)", id)
		}
		if !slices.Equal(gaps(e.EN), gaps(e.ZH)) {
			t.Errorf("%s: gaps differ: %v, %v", id, gaps(e.EN), gaps(e.ZH))
		}
	}
}

// Every id that the product names in a literal is in the catalogue.
func TestEveryIDNamedIsThere(t *testing.T) {
	named := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "lab" || d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || !says(call.Fun) {
				return true
			}
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			id, _ := strconv.Unquote(lit.Value)
			named++
			e, ok := Lookup(id)
			if !ok {
				t.Errorf("%s: no text %q", set.Position(lit.Pos()), id)
				return true
			}
			if g, n := gaps(e.EN), len(call.Args)-1; !call.Ellipsis.IsValid() && !fills(g, n) {
				t.Errorf("%s: %q has gaps %v and is given %d", set.Position(lit.Pos()), id, g, n)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named == 0 {
		t.Error("no id found: the test looks in the wrong place")
	}
}

// says reports whether a call's function is Msg or Say.
func says(fun ast.Expr) bool {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name == "Msg"
	case *ast.SelectorExpr:
		return f.Sel.Name == "Msg" || f.Sel.Name == "Say"
	}
	return false
}

// fills reports whether n arguments fill the gaps: each is used, none is missing.
func fills(gaps []string, n int) bool {
	highest := 0
	for _, g := range gaps {
		i, _ := strconv.Atoi(g[:len(g)-1])
		highest = max(highest, i)
	}
	return highest == n
}

func TestSayFillsGapsAndNestedMessages(t *testing.T) {
	add(map[string]Entry{
		"test.outer": {"%[1]s of %[2]d", "%[2]d 之 %[1]s"},
		"test.inner": {"one", "一"},
	})
	m := Msg("test.outer", Msg("test.inner"), 3)
	if got := m.In(English); got != "one of 3" {
		t.Error(got)
	}
	if got := m.In(Chinese); got != "3 之 一" {
		t.Error(got)
	}
	if got := English.Say("test.unknown"); got != "[test.unknown]" {
		t.Error(got)
	}
}

func TestFromEnv(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want Lang
	}{
		{nil, English},
		{map[string]string{"LANG": "zh_CN.UTF-8"}, Chinese},
		{map[string]string{"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, English},
		{map[string]string{"LC_MESSAGES": "zh_TW", "LANG": "en_US"}, Chinese},
	} {
		if got := FromEnv(func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%v: %s", c.env, got)
		}
	}
}
