package report

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tidemark/record"
	"tidemark/record/outcome"
)

const schemaFile = "../docs/report.schema.json"

var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	return c.Compile(schemaFile)
})

// valid holds a report's JSON to the contract. Marshal refuses NaN and Inf.
func valid(t *testing.T, r *Report) {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(doc); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
}

func TestReportsFollowTheSchema(t *testing.T) {
	allFail := twoSlotsOf(1, 1, 1000, func(n int, from float64) *record.Attempt {
		return failed(n, from, outcome.RateLimited, 429, "slow down")
	})
	for name, recs := range map[string][]record.Record{
		"empty":        {},
		"run alone":    {opening()},
		"refused":      {opening(), preflight(failed(1, 10, outcome.Auth, 401, "no key")), &record.End{At: at(30), Reason: record.Refused}},
		"all is well":  whole(twoSlots(), twoSlotsOf(2, 1, 2000, answered)),
		"all failed":   whole(allFail),
		"level, empty": whole([]record.Record{start(1, 1, 2, 1000), edge(record.LevelEnd, 1, 1, 1001)}),
	} {
		t.Run(name, func(t *testing.T) { valid(t, compute(t, recs)) })
	}
}

func preflight(a *record.Attempt) *record.Attempt {
	a.Level, a.Round, a.Phase = 0, 0, record.Preflight
	return a
}

// Schema and types say the same, field by field, both ways.
func TestSchemaHoldsEveryField(t *testing.T) {
	root := readSchema(t)
	same(t, "report", reflect.TypeFor[Report](), root, root.Defs)
}

func readSchema(t *testing.T) node {
	t.Helper()
	body, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(body, &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// node is the part of a JSON schema that names fields.
type node struct {
	Ref        string          `json:"$ref"`
	Required   []string        `json:"required"`
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
	Defs       map[string]node `json:"$defs"`
}

func same(t *testing.T, path string, typ reflect.Type, n node, defs map[string]node) {
	if name, ok := strings.CutPrefix(n.Ref, "#/$defs/"); ok {
		n = defs[name]
	}
	switch typ.Kind() {
	case reflect.Pointer:
		same(t, path, typ.Elem(), n, defs)
		return
	case reflect.Slice:
		if n.Items != nil {
			same(t, path+"[]", typ.Elem(), *n.Items, defs)
		}
		return
	case reflect.Struct:
	default:
		return
	}
	if typ.PkgPath() == "time" {
		return
	}
	var fields []string
	for i := range typ.NumField() {
		name, option, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		fields = append(fields, name)
		property, ok := n.Properties[name]
		if !ok {
			t.Errorf("%s.%s is not in the schema", path, name)
			continue
		}
		if mayMiss := strings.HasPrefix(option, "omit"); mayMiss == slices.Contains(n.Required, name) {
			t.Errorf("%s.%s: required in the schema, or not, against its type", path, name)
		}
		same(t, path+"."+name, typ.Field(i).Type, property, defs)
	}
	for name := range n.Properties {
		if !slices.Contains(fields, name) {
			t.Errorf("%s.%s is in the schema alone", path, name)
		}
	}
}
