package endpoint

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tidemark/record/outcome"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

func TestList(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string // nil: ErrNoList
	}{
		{"the usual shape", `{"object":"list","data":[{"id":"b","object":"model"},{"id":"a"}]}`, []string{"b", "a"}},
		{"models by name", `{"models":[{"name":"toy:1b","model":"toy"},{"name":"n"}]}`, []string{"toy", "n"}},
		{"an array", `[{"id":"a"},"b"]`, []string{"a", "b"}},
		{"both: the usual one", `{"data":[{"id":"a"}],"models":[{"name":"x"}]}`, []string{"a"}},
		{"named twice, not at all, oddly", `{"data":[{"id":"a"},{"id":"a"},{},{"id":7},null,5]}`, []string{"a"}},
		{"too long a name", `{"data":[{"id":"` + strings.Repeat("x", 300) + `"}]}`, []string{}},
		{"none served", `{"data":[]}`, []string{}},
		{"a page", `<html></html>`, nil},
		{"another object", `{"status":"ok"}`, nil},
		{"null", `null`, nil},
		{"nothing", ``, nil},
	} {
		got, err := list([]byte(c.body))
		if diff := cmp.Diff(c.want, got); diff != "" || (err != nil) != (c.want == nil) {
			t.Errorf("%s: %v %s", c.name, err, diff)
		}
	}
	if got, _ := list([]byte("[" + strings.Repeat(`"x",`, mostModels) + `"last"]`)); len(got) != 1 {
		t.Errorf("%d names: the list is not bounded", len(got))
	}
}

func FuzzList(f *testing.F) {
	f.Add([]byte(`{"data":[{"id":"a"},{"id":"a"},null,5]}`))
	f.Add([]byte(`["a",{"name":"b"}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		names, err := list(body)
		if (names == nil) != (err != nil) || len(names) > mostModels {
			t.Fatalf("%d names, %v", len(names), err)
		}
		seen := map[string]bool{}
		for _, n := range names {
			if n == "" || len(n) > longestID || seen[n] {
				t.Fatalf("%q among %q", n, names)
			}
			seen[n] = true
		}
	})
}

func TestModels(t *testing.T) {
	chat, _ := dialect.Named("chat")
	for _, c := range []struct {
		name   string
		status int
		body   string
		check  func([]string, error) bool
	}{
		{"listed", 200, `{"data":[{"id":"a"}]}`, func(m []string, err error) bool { return err == nil && cmp.Equal(m, []string{"a"}) }},
		{"no route", 404, `404 page not found`, func(_ []string, err error) bool { return errors.Is(err, ErrNoRoute) }},
		{"no list", 200, `<html>`, func(_ []string, err error) bool { return errors.Is(err, ErrNoList) }},
		{"refused", 401, `{"error":{"message":"no key"}}`, func(_ []string, err error) bool {
			var r *Refusal
			return errors.As(err, &r) && r.Class == outcome.Auth && r.Message == "no key" && r.Status == 401
		}},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer k" {
				t.Errorf("%s: %s %s", c.name, r.Method, r.URL)
			}
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		base, _ := url.Parse(s.URL + "/v1")
		client := &wire.Client{
			Target:   wire.Target{Base: base, Header: http.Header{"Authorization": {"Bearer k"}}},
			Timeouts: wire.Timeouts{Connect: time.Second, Total: time.Second},
			Epoch:    time.Now(),
		}
		if models, err := Models(t.Context(), client, chat); !c.check(models, err) {
			t.Errorf("%s: %v %v", c.name, models, err)
		}
		s.Close()
	}
}
