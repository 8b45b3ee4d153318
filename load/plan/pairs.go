package plan

import (
	"encoding/json"
	"maps"
	"math"
	"net/textproto"
	"strconv"
	"strings"

	"tidemark/text"
)

// members makes an access for names with values.
func members[T any](field func(*Plan) *map[string]T, read func(given) (T, *trouble), name func(string) string) access {
	return access{
		kind: Pairs,
		take: func(p *Plan, g given) *trouble {
			if g.shape != mapping {
				return wrong(text.Msg("plan.not_pairs"), text.Msg("plan.not_pairs.hint"))
			}
			// A plan's maps may be shared with the plan that it was copied from.
			all := maps.Clone(*field(p))
			if all == nil {
				all = map[string]T{}
			}
			for _, m := range g.pairs {
				v, t := read(m.value)
				if t != nil {
					return t.near(m.at)
				}
				all[name(m.name)] = v
			}
			if len(all) > 0 {
				*field(p) = all
			}
			return nil
		},
		show: func(p *Plan) any { return *field(p) },
		pair: func(s string) (given, *trouble) { return split(s, "=") },
	}
}

// split cuts what a flag was given at the first of the separators.
func split(s, separators string) (given, *trouble) {
	i := strings.IndexAny(s, separators)
	if i < 1 {
		return given{}, wrong(text.Msg("plan.not_pair"), text.Msg("plan.not_pair.hint"))
	}
	value := scalar(strings.TrimSpace(s[i+1:]))
	return given{shape: mapping, pairs: []pair{{name: strings.TrimSpace(s[:i]), value: value}}}, nil
}

func asIs(s string) string { return s }

func labels(field func(*Plan) *map[string]string) access {
	return members(field, saidText, asIs)
}

// headers takes "Name: value" too, as other tools write it.
func headers(field func(*Plan) *map[string]string) access {
	a := members(field, saidText, textproto.CanonicalMIMEHeaderKey)
	a.pair = func(s string) (given, *trouble) { return split(s, ":=") }
	return a
}

// bodyFields takes any value that JSON has. A flag's is JSON, or else a text.
func bodyFields(field func(*Plan) *map[string]any) access {
	a := members(field, anyValue, asIs)
	a.pair = func(s string) (given, *trouble) {
		g, t := split(s, "=")
		if t == nil {
			if v, ok := fromJSON(g.pairs[0].value.text); ok {
				g.pairs[0].value.value = v
			}
		}
		return g, t
	}
	return a
}

func anyValue(g given) (any, *trouble) {
	switch g.shape {
	case list:
		all := make([]any, len(g.list))
		for i, item := range g.list {
			v, t := anyValue(item)
			if t != nil {
				return nil, t
			}
			all[i] = v
		}
		return all, nil
	case mapping:
		all := make(map[string]any, len(g.pairs))
		for _, m := range g.pairs {
			v, t := anyValue(m.value)
			if t != nil {
				return nil, t
			}
			all[m.name] = v
		}
		return all, nil
	}
	v := tidy(g.value)
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return nil, wrong(text.Msg("plan.not_json"), text.Msg("plan.not_json.hint")).near(g.at)
	}
	return v, nil
}

// fromJSON reads a flag's value.
func fromJSON(s string) (any, bool) {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if !json.Valid([]byte(s)) || dec.Decode(&v) != nil {
		return nil, false
	}
	return tidy(v), true
}

// tidy gives equal numbers one type, wherever they were written: int64, or
// uint64 where it takes one, or float64 where it is no whole number.
func tidy(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(string(v), 10, 64); err == nil {
			return n
		}
		f, err := v.Float64()
		if err != nil {
			return string(v)
		}
		return tidy(f)
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v)
		}
	case float64:
		switch {
		case v != math.Trunc(v):
		case math.Abs(v) < 1<<63:
			return int64(v)
		case v >= 1<<63 && v < 1<<64:
			return uint64(v)
		}
	case []any:
		for i := range v {
			v[i] = tidy(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = tidy(v[k])
		}
	}
	return v
}
