package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// YAML returns the plan as it is saved with a run: every key that has a
// value, defaults among them, in the table's order. It parses again to the
// same plan but for secrets, which are struck out: header values that are no
// ${NAME}, and the values of the URL's query.
func (p *Plan) YAML() ([]byte, error) {
	var b bytes.Buffer
	for _, m := range p.saved() {
		all, ok := m.value.(map[string]any)
		if !ok {
			v, err := yamlValue(m.value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.name, err)
			}
			fmt.Fprintf(&b, "%s: %s\n", m.name, v)
			continue
		}
		fmt.Fprintf(&b, "%s:\n", m.name)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			v, err := yamlValue(all[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", m.name, name, err)
			}
			fmt.Fprintf(&b, "  %s: %s\n", yamlText(name), v)
		}
	}
	return b.Bytes(), nil
}

// JSON returns the same as one object, durations as texts such as "30s".
func (p *Plan) JSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range p.saved() {
		if i > 0 {
			b = append(b, ',')
		}
		value := m.value
		if d, ok := value.(time.Duration); ok {
			value = plainText(d)
		}
		v, err := encode(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		b = append(append(append(b, jsonText(m.name)...), ':'), v...)
	}
	return append(b, '}'), nil
}

// member is a key and its value, fit to be seen.
type member struct {
	name  string
	value any // map[string]any for pairs
}

func (p *Plan) saved() []member {
	seen := *p
	seen.URL = withoutSecrets(p.URL)
	seen.Headers = maps.Clone(p.Headers)
	for name, value := range seen.Headers {
		seen.Headers[name] = withoutLiterals(value)
	}
	none := Default()
	var all []member
	for _, r := range table {
		value := r.show(&seen)
		if (nothing(value) || p.idle(r.name)) && (value == nil || reflect.DeepEqual(value, r.show(none))) {
			continue
		}
		if texts, ok := value.(map[string]string); ok {
			each := make(map[string]any, len(texts))
			for name, v := range texts {
				each[name] = v
			}
			value = each
		}
		all = append(all, member{r.name, value})
	}
	return all
}

// nothing says that a value has nothing in it that a default could not stand
// for: zero, empty, or -1 where zero means something.
func nothing(v any) bool {
	if v == nil || v == -1 {
		return true
	}
	return reflect.ValueOf(v).IsZero()
}

// plain matches texts that YAML takes for nothing else without quotes.
var plain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./@-]*(:[A-Za-z0-9_./@-]+)*$`)

// words that YAML may take for something else than a text.
var notText = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"}

func yamlText(s string) string {
	if plain.MatchString(s) && !slices.Contains(notText, strings.ToLower(s)) {
		return s
	}
	return jsonText(s)
}

func yamlValue(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return yamlText(v), nil
	case time.Duration:
		return plainText(v), nil
	case []string:
		if len(v) == 1 && !strings.Contains(v[0], ",") {
			return yamlText(v[0]), nil
		}
	}
	b, err := encode(v)
	return string(b), err
}

// encode is JSON, which YAML contains, without escapes made for web pages.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func jsonText(s string) string {
	b, _ := encode(s) // a string can't fail
	return string(b)
}

// plainText writes a value as a flag would be given it.
func plainText(v any) string {
	switch v := v.(type) {
	case time.Duration:
		s := v.String() // 10m0s, 1h0m0s
		if cut, ok := strings.CutSuffix(s, "m0s"); ok {
			s = cut + "m"
		}
		if cut, ok := strings.CutSuffix(s, "h0m"); ok {
			s = cut + "h"
		}
		return s
	case []int:
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(v), "[]"), " ", ",")
	}
	return fmt.Sprint(v)
}
