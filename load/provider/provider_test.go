package provider

import (
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamed(t *testing.T) {
	got, ok := Named("taotoken")
	want := Provider{
		Name:       "taotoken",
		BaseURL:    "https://taotoken.net/api",
		BaseURLEnv: "TAOTOKEN_BASE_URL",
		KeyEnv:     "TAOTOKEN_API_KEY",
	}
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("known %v (-want +got):\n%s", ok, diff)
	}
	for _, name := range []string{"", "Taotoken", "taotoken ", "nobody"} {
		if p, ok := Named(name); ok {
			t.Errorf("Named(%q) = %v, want none", name, p)
		}
	}
}

func TestRowsAreWhole(t *testing.T) {
	names := Names()
	if len(names) == 0 || len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Fatalf("names %q: want some, each once", names)
	}
	for _, name := range names {
		p, ok := Named(name)
		u, err := url.Parse(p.BaseURL)
		if !ok || err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%s: base %q: want a whole https address", name, p.BaseURL)
		}
		if p.BaseURLEnv == "" || p.KeyEnv == "" {
			t.Errorf("%s: a field is empty: %+v", name, p)
		}
	}
}
