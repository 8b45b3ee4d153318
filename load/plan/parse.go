package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"tidemark/text"
)

const (
	maxFile = 1 << 20 // bytes
	// The YAML parser takes time in the square of these two.
	maxDepth  = 200
	maxColons = 10_000
)

// Parse reads a plan file over the defaults. The name is for faults alone:
// every error is a *text.Fault that names file, line and column.
func Parse(name string, data []byte) (*Plan, error) {
	root, t := read(data)
	p := Default()
	if t == nil {
		t = p.fill(root)
	}
	if t == nil {
		return p, nil
	}
	at := t.at
	if at == (place{}) {
		at = place{1, 1}
	}
	return nil, text.Wrong(text.Msg("plan.at", at.in(name), t.what), t.hint)
}

// fill takes the keys of a plan file.
func (p *Plan) fill(root given) *trouble {
	for _, m := range root.pairs {
		r, ok := rowOf(m.name)
		if !ok {
			return unknown(m.name).near(m.at)
		}
		var t *trouble
		if m.value.shape == single && m.value.value == nil {
			t = wrong(text.Msg("plan.no_value"), text.Msg("plan.no_value.hint")).near(m.at)
		} else {
			t = r.set(p, m.value)
		}
		if t != nil {
			t.what = text.Msg("plan.in_key", r.name, t.what)
			return t.near(m.value.at).near(m.at)
		}
	}
	return nil
}

// read takes a file apart into its keys and values.
func read(data []byte) (root given, t *trouble) {
	if t := unreadable(data); t != nil {
		return given{}, t
	}
	// The parser is others' code, and this is any file a person may name.
	defer func() {
		if recover() != nil {
			root, t = given{}, wrong(text.Msg("plan.not_yaml", "?"), text.Msg("plan.not_yaml.hint"))
		}
	}()
	file, err := parser.ParseBytes(bytes.TrimPrefix(data, []byte("\ufeff")), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return given{}, notYAML(err)
	}
	var docs []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil {
			docs = append(docs, d.Body)
		}
	}
	switch len(docs) {
	case 0:
		return given{}, wrong(text.Msg("plan.empty_file"), text.Msg("plan.empty_file.hint"))
	case 1:
	default:
		return given{}, wrong(text.Msg("plan.documents"), text.Msg("plan.documents.hint")).near(placeOf(docs[1]))
	}
	if root, t = fromYAML(docs[0]); t == nil && root.shape != mapping {
		t = wrong(text.Msg("plan.not_mapping"), text.Msg("plan.not_mapping.hint")).near(root.at)
	}
	return root, t
}

// unreadable refuses what need not be, or can't be, parsed.
func unreadable(data []byte) *trouble {
	if len(data) > maxFile {
		return wrong(text.Msg("plan.too_large", maxFile>>20), text.Msg("plan.too_large.hint"))
	}
	if !utf8.Valid(data) {
		return wrong(text.Msg("plan.not_utf8"), text.Msg("plan.not_utf8.hint"))
	}
	deep := wrong(text.Msg("plan.too_deep"), text.Msg("plan.too_deep.hint"))
	if bytes.Count(data, []byte(":")) > maxColons {
		return deep
	}
	open, line, dashes := 0, 1, 0
	for _, b := range data {
		switch b {
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case '-', '?':
			dashes++ // each may open a list in a list on one line
		case '\n':
			line++
			dashes = 0
		case ' ', '\t':
		default:
			dashes = 0
		}
		if open > maxDepth || dashes > maxDepth {
			return deep.near(place{line, 1})
		}
	}
	return nil
}

func notYAML(err error) *trouble {
	y := yaml.Error(nil)
	if !errors.As(err, &y) {
		return wrong(text.Msg("plan.not_yaml", err.Error()), text.Msg("plan.not_yaml.hint"))
	}
	t := wrong(text.Msg("plan.not_yaml", y.GetMessage()), text.Msg("plan.not_yaml.hint"))
	if tk := y.GetToken(); tk != nil && tk.Position != nil {
		t.at = place{tk.Position.Line, tk.Position.Column}
	}
	return t
}

// fromYAML turns a node into a value. What a plan has no use for is refused:
// anchors and aliases, which can grow without bound, and tags.
func fromYAML(n ast.Node) (given, *trouble) {
	g := given{at: placeOf(n)}
	switch n := n.(type) {
	case *ast.NullNode:
	case *ast.BoolNode:
		g.value = n.Value
	case *ast.IntegerNode:
		g.value = n.Value
	case *ast.FloatNode:
		g.value = n.Value
	case *ast.InfinityNode:
		g.value = n.Value
	case *ast.NanNode:
		g.value = math.NaN()
	case *ast.StringNode:
		g.value, g.text = n.Value, n.Value
		if n.Token.Type == token.StringType {
			// A number too large for the parser is a text to it.
			g.value = numberOr(n.Value)
		}
		return g, nil
	case *ast.LiteralNode:
		g.value, g.text = n.Value.Value, n.Value.Value
		return g, nil
	case *ast.SequenceNode:
		g.shape = list
		for _, item := range n.Values {
			v, t := fromYAML(item)
			if t != nil {
				return g, t
			}
			g.list = append(g.list, v)
		}
		return g, nil
	case *ast.MappingNode:
		return g.members(n.Values)
	case *ast.MappingValueNode:
		return g.members([]*ast.MappingValueNode{n})
	default:
		return g, wrong(text.Msg("plan.odd_yaml"), text.Msg("plan.odd_yaml.hint")).near(g.at)
	}
	g.text = n.GetToken().Value
	return g, nil
}

// numberOr returns s as the number that JSON has it for, or as it is.
func numberOr(s string) any {
	if s != "" && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s)) {
		return json.Number(s)
	}
	return s
}

func (g given) members(values []*ast.MappingValueNode) (given, *trouble) {
	g.shape = mapping
	seen := map[string]bool{}
	for _, m := range values {
		at := placeOf(m.Key)
		var name string
		switch k := m.Key.(type) {
		case *ast.StringNode:
			name = k.Value
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
			name = k.GetToken().Value
		default:
			return g, wrong(text.Msg("plan.odd_yaml"), text.Msg("plan.odd_yaml.hint")).near(at)
		}
		if seen[name] {
			return g, wrong(text.Msg("plan.twice", shortened(name)), text.Msg("plan.key_twice.hint")).near(at)
		}
		seen[name] = true
		v, t := fromYAML(m.Value)
		if t != nil {
			return g, t
		}
		g.pairs = append(g.pairs, pair{name, at, v})
	}
	return g, nil
}

// placeOf is where a node begins; zero where the parser doesn't tell.
func placeOf(n ast.Node) place {
	tk := n.GetToken()
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		tk = m.Values[0].Key.GetToken() // the node's own is the colon
	}
	if tk == nil || tk.Position == nil {
		return place{}
	}
	return place{tk.Position.Line, tk.Position.Column}
}
