package plan

import (
	"strings"
	"testing"

	"tidemark/load/provider"
)

func TestBase(t *testing.T) {
	of := provider.Provider{BaseURL: "https://own/api", BaseURLEnv: "OWN_BASE_URL"}
	for _, c := range []struct{ name, url, env, want, refused string }{
		{"the plan's", "http://h/v1", "http://other/v1", "http://h/v1", ""},
		{"the provider's", "", "", "https://own/api", ""},
		{"the variable's", "", " http://other/v1\n", "http://other/v1", ""},
		{"a variable with a password", "", "http://bob:hunter22@h/v1", "", "OWN_BASE_URL"},
		{"a variable that is no URL", "", "hunter22", "", "OWN_BASE_URL"},
	} {
		p := &Plan{URL: c.url}
		u, err := p.Base(of, func(name string) string {
			if name == of.BaseURLEnv {
				return c.env
			}
			return ""
		})
		switch {
		case c.refused != "":
			if err == nil || !strings.Contains(err.Error(), c.refused) || strings.Contains(err.Error(), "hunter22") {
				t.Errorf("%s: %v", c.name, err)
			}
		case err != nil || u.String() != c.want:
			t.Errorf("%s: %v, %v", c.name, u, err)
		}
	}
}
