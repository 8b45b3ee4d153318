package plan

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"tidemark/text"
)

func checkURL(p *Plan) *trouble {
	if p.URL == "" {
		return nil
	}
	if !strings.Contains(p.URL, "://") {
		if strings.Contains(p.URL, "@") || looksLikeKey(p.URL) {
			return wrong(text.Msg("plan.url.scheme"), text.Msg("plan.url.hint"))
		}
		return wrong(text.Msg("plan.url.scheme"), text.Msg("plan.url.scheme.hint", withoutSecrets("http://"+strings.TrimLeft(p.URL, "/:"))))
	}
	u, err := url.Parse(p.URL)
	switch {
	case err != nil:
		return wrong(text.Msg("plan.url.invalid"), text.Msg("plan.url.hint")) // err would repeat a password
	case u.Scheme != "http" && u.Scheme != "https":
		return wrong(text.Msg("plan.url.other_scheme", u.Scheme), text.Msg("plan.url.hint"))
	case u.Hostname() == "":
		return wrong(text.Msg("plan.url.host"), text.Msg("plan.url.hint"))
	case u.User != nil:
		return wrong(text.Msg("plan.url.user"), text.Msg("plan.url.user.hint"))
	case u.Fragment != "" || strings.Contains(p.URL, "#"):
		return wrong(text.Msg("plan.url.fragment"), text.Msg("plan.url.fragment.hint"))
	}
	return nil
}

func checkModels(p *Plan) *trouble {
	for i, m := range p.Models {
		if m == "" {
			return wrong(text.Msg("plan.model.empty"), text.Msg("plan.model.empty.hint"))
		}
		if slices.Contains(p.Models[:i], m) {
			return wrong(text.Msg("plan.twice", m), text.Msg("plan.twice.hint"))
		}
	}
	return nil
}

func checkKeyEnv(p *Plan) *trouble {
	if p.KeyEnv == "" || likelyVariable(p.KeyEnv) {
		return nil
	}
	return wrong(text.Msg("plan.key_env.name"), text.Msg("plan.key_env.name.hint"))
}

func checkKeyFile(p *Plan) *trouble {
	if looksLikeKey(p.KeyFile) {
		return wrong(text.Msg("plan.key_file.path"), text.Msg("plan.key_file.path.hint"))
	}
	return nil
}

// ownHeaders are set by the client from the request itself.
var ownHeaders = []string{"Connection", "Content-Length", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func checkHeaders(p *Plan) *trouble {
	for _, name := range slices.Sorted(maps.Keys(p.Headers)) {
		value := p.Headers[name]
		if !headerName(name) {
			return wrong(text.Msg("plan.header.name"), text.Msg("plan.header.name.hint"))
		}
		if slices.Contains(ownHeaders, name) {
			return wrong(text.Msg("plan.header.own", name), text.Msg("plan.header.own.hint"))
		}
		if !headerValue(value) {
			return wrong(text.Msg("plan.header.control", name), text.Msg("plan.header.control.hint"))
		}
		for _, r := range reference.FindAllString(value, -1) {
			if !variableName.MatchString(r[2 : len(r)-1]) {
				return wrong(text.Msg("plan.header.variable", name), text.Msg("plan.header.variable.hint"))
			}
		}
		kept := withoutLiterals(value)
		if carriesSecret(name) && kept != value && value != struck {
			return wrong(text.Msg("plan.header.literal", name), text.Msg("plan.header.literal.hint", name))
		}
	}
	return nil
}

// headerName says whether HTTP allows a name for a header.
func headerName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func checkMaxTokens(p *Plan) *trouble {
	if p.MaxTokens < 0 {
		return wrong(text.Msg("plan.negative"), text.Msg("plan.max_tokens.hint"))
	}
	return nil
}

// planFields are body fields that the plan itself decides.
var planFields = []string{"messages", "model", "stream"}

func checkMaxTokensField(p *Plan) *trouble {
	f := p.MaxTokensField
	if f != "" && !variableName.MatchString(f) || slices.Contains(planFields, f) {
		return wrong(text.Msg("plan.max_tokens_field"), text.Msg("plan.max_tokens_field.hint"))
	}
	return nil
}

func checkTemperature(p *Plan) *trouble {
	if t := p.Temperature; t != nil && !(*t >= 0 && *t <= 2) {
		return wrong(text.Msg("plan.temperature", *t), text.Msg("plan.temperature.hint"))
	}
	return nil
}

func checkExtra(p *Plan) *trouble {
	for _, name := range slices.Sorted(maps.Keys(p.Extra)) {
		if slices.Contains(planFields, name) {
			return wrong(text.Msg("plan.extra.own", name), text.Msg("plan.extra.own.hint"))
		}
	}
	if hasSecret(p.Extra) {
		return wrong(text.Msg("plan.extra.secret"), text.Msg("plan.foreign.key"))
	}
	return nil
}

func hasSecret(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, hasSecret)
	case map[string]any:
		for name, value := range v {
			if _, isText := value.(string); isText && secretField(name) || hasSecret(value) {
				return true
			}
		}
	}
	return false
}

func checkCache(p *Plan) *trouble {
	if p.Cache != "unique" && p.Cache != "allow" {
		return wrong(text.Msg("plan.cache", shortened(p.Cache)), text.Msg("plan.cache.hint"))
	}
	return nil
}

const maxRequests = 1_000_000_000

func checkRequests(p *Plan) *trouble {
	if p.Requests < 0 || p.Requests > maxRequests {
		return wrong(text.Msg("plan.range", p.Requests, 1, maxRequests), text.Msg("plan.requests.hint"))
	}
	return nil
}

func checkDuration(p *Plan) *trouble {
	if p.Duration != 0 && p.Duration < time.Second {
		return wrong(text.Msg("plan.duration.short"), text.Msg("plan.duration.short.hint"))
	}
	return nil
}

const maxRounds = 1000

func checkRounds(p *Plan) *trouble {
	if p.Rounds < 1 || p.Rounds > maxRounds {
		return wrong(text.Msg("plan.range", p.Rounds, 1, maxRounds), text.Msg("plan.rounds.hint"))
	}
	return nil
}

func checkWarmUp(p *Plan) *trouble {
	if p.WarmUp < -1 || p.WarmUp > maxConcurrency {
		return wrong(text.Msg("plan.range", p.WarmUp, 0, maxConcurrency), text.Msg("plan.warmup.hint"))
	}
	return nil
}

func notNegative(field func(*Plan) duration) func(*Plan) *trouble {
	return func(p *Plan) *trouble {
		if field(p) < 0 {
			return wrong(text.Msg("plan.negative"), text.Msg("plan.not_duration.hint"))
		}
		return nil
	}
}

func checkMaxTime(p *Plan) *trouble {
	if p.MaxTime != 0 && p.MaxTime < time.Second {
		return wrong(text.Msg("plan.duration.short"), text.Msg("plan.max_time.hint"))
	}
	return nil
}

func checkMaxTotalTokens(p *Plan) *trouble {
	if p.MaxTotalTokens < 0 {
		return wrong(text.Msg("plan.negative"), text.Msg("plan.max_total_tokens.hint"))
	}
	return nil
}

func checkLabels(p *Plan) *trouble {
	for name := range p.Labels {
		if strings.TrimSpace(name) == "" {
			return wrong(text.Msg("plan.label.name"), text.Msg("plan.label.name.hint"))
		}
	}
	return nil
}

// shortened keeps a line of an error a line.
func shortened(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
