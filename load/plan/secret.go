package plan

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"tidemark/text"
)

// struck stands where a saved plan leaves a secret out.
const struck = "•••"

var (
	reference    = regexp.MustCompile(`\$\{[^}]*\}`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// looksLikeKey tells a key from a name or a path, so that what was put in the
// wrong place is not repeated.
func looksLikeKey(s string) bool {
	lower := strings.ToLower(s)
	for _, prefix := range []string{"sk-", "sk_", "hf_", "gsk_", "bearer "} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return false
}

// likelyVariable says whether s can be, and looks like, a variable's name.
// Long names with digits and small letters are keys that happen to fit.
func likelyVariable(s string) bool {
	if !variableName.MatchString(s) || len(s) > 64 || looksLikeKey(s) {
		return false
	}
	return len(s) < 20 || !strings.ContainsAny(s, "0123456789") || s == strings.ToUpper(s)
}

// carriesSecret says whether a header's value is a secret by the header's
// name.
func carriesSecret(header string) bool {
	h := strings.ToLower(header)
	if slices.Contains([]string{"authorization", "proxy-authorization", "cookie"}, h) {
		return true
	}
	for _, end := range []string{"api-key", "apikey", "subscription-key", "access-key", "-token", "-secret", "-password"} {
		if strings.HasSuffix(h, end) {
			return true
		}
	}
	return false
}

// secretField says the same of a body field.
func secretField(name string) bool {
	return slices.Contains([]string{
		"api_key", "apikey", "authorization", "access_token", "auth_token", "secret", "password", "x_api_key",
	}, underscored(name))
}

// withoutLiterals returns a header's value with all struck out that is neither
// a ${NAME} nor the name of a scheme before one.
func withoutLiterals(value string) string {
	var b strings.Builder
	literal := func(s string) {
		switch strings.ToLower(strings.TrimSpace(s)) {
		case "", "bearer", "basic", "token":
			b.WriteString(s)
		default:
			b.WriteString(struck)
		}
	}
	at := 0
	for _, r := range reference.FindAllStringIndex(value, -1) {
		literal(value[at:r[0]])
		b.WriteString(value[r[0]:r[1]])
		at = r[1]
	}
	if at == 0 && value != "" {
		return struck
	}
	literal(value[at:])
	return b.String()
}

// withoutSecrets returns a URL with user, password and the values of its
// query struck out.
func withoutSecrets(url string) string {
	base, query, asked := strings.Cut(url, "?")
	if scheme, rest, ok := strings.Cut(base, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		if i := strings.LastIndexByte(host, '@'); i >= 0 {
			base = scheme + "://" + struck + host[i:] + strings.TrimPrefix(rest, host)
		}
	}
	if !asked || query == "" {
		return base
	}
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, _, pair := strings.Cut(part, "=")
		parts[i] = struck
		if pair {
			parts[i] = name + "=" + struck
		}
	}
	return base + "?" + strings.Join(parts, "&")
}

// ResolveHeaders returns the plan's headers with each ${NAME} replaced by the
// variable of that name, white space around it taken off. A variable that is
// not set is a *text.Fault, and so is one that no header can carry; neither
// repeats a value. The result is never nil.
func (p *Plan) ResolveHeaders(getenv func(string) string) (map[string]string, error) {
	resolved := make(map[string]string, len(p.Headers))
	for _, name := range slices.Sorted(maps.Keys(p.Headers)) {
		var bad *trouble
		resolved[name] = reference.ReplaceAllStringFunc(p.Headers[name], func(r string) string {
			variable := r[2 : len(r)-1]
			value := strings.TrimSpace(getenv(variable))
			if value == "" {
				bad = wrong(text.Msg("plan.header.unset", name, variable), text.Msg("plan.header.unset.hint", variable))
			} else if !headerValue(value) {
				bad = wrong(text.Msg("plan.header.bytes", name, variable), text.Msg("plan.header.bytes.hint"))
			}
			return value
		})
		if bad != nil {
			return nil, bad.fault()
		}
	}
	return resolved, nil
}

// headerValue says whether HTTP can carry a value: no line breaks, no control
// characters.
func headerValue(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
