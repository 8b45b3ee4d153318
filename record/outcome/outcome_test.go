package outcome

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"tidemark/text"
)

// Every constant of type Class is a row, and no row is anything else.
func TestTableHoldsEveryConstant(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "outcome.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Class" {
			v, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			named = append(named, v)
		}
		return true
	})
	rows := Classes()
	if len(rows) != len(named) {
		t.Fatalf("%d rows for %d constants", len(rows), len(named))
	}
	for i, c := range rows {
		if string(c) != named[i] {
			t.Errorf("row %d is %s, constant %d is %s", i, c, i, named[i])
		}
	}
}

func TestEveryClassHasNameAndCure(t *testing.T) {
	for _, c := range append(Classes(), Status(502), "from_the_future") {
		for _, l := range []text.Lang{text.English, text.Chinese} {
			if name := c.Name().In(l); name == "" || name[0] == '[' {
				t.Errorf("%s has no name in %s: %q", c, l, name)
			}
			if cure := c.Cure().In(l); (cure == "") != (c == OK) || cure != "" && cure[0] == '[' {
				t.Errorf("%s in %s: cure %q", c, l, cure)
			}
		}
	}
	for c, id := range map[Class]string{
		Quota: "outcome.quota", Connect: "outcome.connect", Status(504): "outcome.http",
	} {
		if c.Name().ID != id || c.Cure().ID != id+".cure" {
			t.Errorf("%s: %s, %s", c, c.Name().ID, c.Cure().ID)
		}
	}
	if got := Status(524).Name().In(text.English); got != "HTTP 524" {
		t.Error(got)
	}
}

func TestSides(t *testing.T) {
	for c, want := range map[Class]Side{
		OK: Success, StaleConnection: Client, ClientResource: Client, CutByRunEnd: Cut, CancelledByPlan: Cut,
		EmptyOutput: Failure, TotalTimeout: Failure, Status(500): Failure, "from_the_future": Failure, "": Failure,
	} {
		if got := c.Side(); got != want {
			t.Errorf("%q: side %d, want %d", c, got, want)
		}
	}
}
