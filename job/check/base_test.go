package check

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tidemark/record"
)

// A base whose path is wrong: what is tried, and what is said to work.
func TestOtherBases(t *testing.T) {
	page := says(200, "text/html", "<html><title>Welcome</title></html>")
	web := func(s server) http.HandlerFunc { // a site that answers every path
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/v1/") {
				s.ServeHTTP(w, r)
				return
			}
			page(w, r)
		}
	}
	good := server{oneModel, stream(answer...)}
	for _, c := range []struct {
		name       string
		handler    http.Handler
		base, want string // paths
		attempts   int
		change     func(*Config)
	}{
		{"case doubled-version-path: version missing", good, "", "use --url http://HOST/v1", 2, nil},
		{"case doubled-version-path: version twice", good, "/v1/v1", "use --url http://HOST/v1", 2, nil},
		{"version where none is", http.StripPrefix("/api", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.URL.Path = "/v1" + r.URL.Path
			if strings.HasPrefix(r.URL.Path, "/v1/v1") {
				http.NotFound(w, r)
				return
			}
			good.ServeHTTP(w, r)
		})), "/api/v1", "use --url http://HOST/api", 2, nil},
		{"a web site's page", web(good), "/", "use --url http://HOST/v1", 2, nil},
		{"it is there, and refuses", server{"", refuses(401, "")}, "", "seems to be at --url http://HOST/v1", 2, nil},
		{"nowhere", http.NotFoundHandler(), "/v1", "with and without /v1", 2, nil},
		{"no model named", good, "", "use --url http://HOST/v1", 0, func(c *Config) { c.Request.Model = "" }},
	} {
		var made []*record.Attempt
		s := httptest.NewServer(c.handler)
		cfg := config(t, s.URL+c.base+"?api-key=hidden")
		cfg.Emit = func(a *record.Attempt) error { made = append(made, a); return nil }
		if c.change != nil {
			c.change(&cfg)
		}
		r := Run(t.Context(), cfg)
		s.Close()
		step := "stream"
		if c.attempts == 0 {
			step = "model"
		}
		expectFault(t, c.name, r, step, "", strings.Replace(c.want, "HOST", strings.TrimPrefix(s.URL, "http://"), 1))
		if r.Fault != nil && strings.Contains(r.Fault.What.String()+r.Fault.Hint.String(), "hidden") {
			t.Errorf("%s: the query is shown", c.name)
		}
		if len(made) != c.attempts {
			t.Errorf("%s: %d attempts, want %d", c.name, len(made), c.attempts)
		}
		for i, a := range made {
			if a.Number != i+1 || a.Phase != record.Preflight {
				t.Errorf("%s: attempt %d is %d of %s", c.name, i+1, a.Number, a.Phase)
			}
		}
	}
}

func TestBaseWithTheWholeRoute(t *testing.T) {
	s := httptest.NewServer(server{oneModel, stream(answer...)})
	defer s.Close()
	c := config(t, s.URL+"/v1/chat/completions")
	c.Request.Model = ""
	if r := Run(t.Context(), c); r.Fault != nil || r.Answer != "alpha beta" {
		t.Errorf("%v %q", r.Fault, r.Answer)
	}
}

func TestRedirect(t *testing.T) {
	r := against(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.test/new"+r.URL.Path+"?k=1", http.StatusPermanentRedirect)
	}), nil)
	expectFault(t, "redirect", r, "stream", "redirect", "use --url https://elsewhere.test/new/v1")
	if strings.Contains(r.Fault.Hint.String(), "k=1") {
		t.Error(r.Fault.Hint)
	}
}
