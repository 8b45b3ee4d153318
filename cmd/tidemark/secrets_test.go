package main

import (
	"net/url"
	"slices"
	"testing"
)

// A query's value is known however it comes back, and a short word is none.
func TestSecretsOf(t *testing.T) {
	base, err := url.Parse("http://h/v1?key=Query%2fSec+ret%3D99zz&debug=true&NakedSecretKey1234")
	if err != nil {
		t.Fatal(err)
	}
	all := secretsOf("sk-0123456789", map[string]string{"Authorization": "Bearer TOKEN-of-the-plan"}, base)
	for _, want := range []string{
		"sk-0123456789", "Bearer TOKEN-of-the-plan", "TOKEN-of-the-plan", "token-of-the-plan",
		"Query%2fSec+ret%3D99zz", "Query/Sec ret=99zz", "Query%2FSec+ret%3D99zz", "Query%2FSec%20ret%3D99zz", "Query%2fSec%20ret%3d99zz",
		"Query/Sec%20ret%3D99zz", "Query/Sec+ret%3D99zz",
		"NakedSecretKey1234",
	} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if slices.Contains(all, "true") || slices.Contains(all, "Bearer") {
		t.Error("an ordinary word is taken for a secret")
	}
}
