package tidemark

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rows is the house, from the top down. A package imports only packages of
// rows above its own, or to its left in its own row.
var rows = [][]string{
	{"text"},
	{"stat"},
	{"load/arrival", "load/trace", "load/token", "load/prompt", "load/provider", "load/plan"},
	{"record/outcome", "record"},
	{"wire/stamp", "wire/dialect", "wire", "wire/endpoint"},
	{"sim/transcript", "sim"},
	{"run/machine", "run"},
	{"report", "report/finding"},
	{"job/check", "job/selftest"},
	{"show/render"},
	{"cmd/tidemark"},
}

// source is one Go file of the product, tests apart.
type source struct {
	pkg     string // directory, with slashes
	file    string
	imports []string
	doc     string // the package comment, if this file holds it
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "lab" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		s := source{pkg: filepath.ToSlash(filepath.Dir(path)), file: path, doc: f.Doc.Text()}
		for _, i := range f.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			s.imports = append(s.imports, p)
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestImportsGoUpTheHouse(t *testing.T) {
	type place struct{ row, column int }
	where := map[string]place{}
	for r, row := range rows {
		for c, pkg := range row {
			where[pkg] = place{r, c}
		}
	}
	seen := map[string]bool{}
	for _, s := range sources(t) {
		seen[s.pkg] = true
		at, ok := where[s.pkg]
		if !ok {
			t.Errorf("%s: package %s has no place in the house", s.file, s.pkg)
			continue
		}
		for _, path := range s.imports {
			pkg, ours := strings.CutPrefix(path, "tidemark/")
			if !ours {
				continue
			}
			to, ok := where[pkg]
			if !ok || to.row > at.row || to.row == at.row && to.column >= at.column {
				t.Errorf("%s imports %s, which is not above it nor to its left", s.file, pkg)
			}
		}
	}
	for pkg := range where {
		if !seen[pkg] {
			t.Errorf("the house names %s, which is not there", pkg)
		}
	}
}

// A package comment says what the package answers and what it refuses to know.
func TestEveryPackageSaysWhatItAnswers(t *testing.T) {
	docs := map[string]int{}
	for _, s := range sources(t) {
		if s.doc != "" {
			docs[s.pkg]++
		} else {
			docs[s.pkg] += 0
		}
	}
	for pkg, n := range docs {
		if n != 1 {
			t.Errorf("%s: %d package comments, not one", pkg, n)
		}
	}
}
