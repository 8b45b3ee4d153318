package plan

import (
	"net/url"
	"strings"

	"tidemark/load/provider"
	"tidemark/text"
)

// Base is the URL that calls go below: the plan's own, else the provider's,
// which the provider's variable overrides. Wherever it comes from it is held
// to the same rules; what is refused is not repeated, since it may hold a
// password.
func (p *Plan) Base(of provider.Provider, getenv func(string) string) (*url.URL, error) {
	base, variable := p.URL, ""
	if base == "" {
		base = of.BaseURL
		if v := strings.TrimSpace(getenv(of.BaseURLEnv)); v != "" {
			base, variable = v, of.BaseURLEnv
		}
	}
	bad := checkURL(&Plan{URL: base})
	if bad == nil {
		return url.Parse(base)
	}
	if variable != "" {
		bad.what = text.Msg("plan.base", variable, bad.what)
	}
	return nil, bad.fault()
}

// Shown is a URL as a person may see it, and as it is kept: user, password and
// the values of its query struck out.
func Shown(u *url.URL) string { return withoutSecrets(u.String()) }
