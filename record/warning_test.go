package record

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tidemark/text"
)

// constants are the values of a file's constants whose names a filter takes.
func constants(t *testing.T, file string, takes func(*ast.ValueSpec) bool) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(f, func(n ast.Node) bool {
		if g, ok := n.(*ast.GenDecl); ok && g.Tok != token.CONST {
			return false
		}
		if spec, ok := n.(*ast.ValueSpec); ok && takes(spec) {
			v, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			values = append(values, v)
		}
		return true
	})
	return values
}

func TestWarningsListsEveryConstant(t *testing.T) {
	named := constants(t, "warning.go", func(*ast.ValueSpec) bool { return true })
	if got := Warnings(); !slices.Equal(got, named) {
		t.Errorf("listed %q\nnamed  %q", got, named)
	}
	if sorted := slices.Sorted(slices.Values(named)); len(slices.Compact(sorted)) != len(named) {
		t.Errorf("an id stands twice: %q", named)
	}
	Warnings()[0] = "changed"
	if Warnings()[0] == "changed" {
		t.Error("the list can be changed from outside")
	}
}

// Who gives a warning, or turns on one, names the constant.
func TestNoWarningIsSpeltTwice(t *testing.T) {
	for _, dir := range []string{"../wire", "../run", "../job", "../report"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if said, _ := strconv.Unquote(lit.Value); slices.Contains(warnings, said) {
					t.Errorf("%s spells %s again", path, lit.Value)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryReasonHasWords(t *testing.T) {
	reasons := constants(t, "reason.go", func(s *ast.ValueSpec) bool {
		typ, ok := s.Type.(*ast.Ident)
		return ok && typ.Name == "Reason"
	})
	if len(reasons) < 7 {
		t.Fatalf("found %q", reasons)
	}
	for _, r := range append(reasons, "from_the_future") {
		m := Reason(r).Name()
		if r != "from_the_future" && m.ID != "reason."+r {
			t.Errorf("%s: id %s", r, m.ID)
		}
		for _, l := range []text.Lang{text.English, text.Chinese} {
			if said := m.In(l); said == "" || said[0] == '[' {
				t.Errorf("%s in %s: %q", r, l, said)
			}
		}
	}
	if m := Reason("").Name(); m.ID != "" {
		t.Errorf("no reason: %s", m)
	}
}
