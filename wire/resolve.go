package wire

import (
	"net/url"
	"strings"
)

// Resolve is the URL that a call to path goes to: the base is kept, its query
// too, and path is appended, as the official SDKs do. A base that already
// ends in path is used as it is. path may have a query of its own.
func Resolve(base *url.URL, path string) *url.URL {
	path, query, _ := strings.Cut(path, "?")
	to := *base
	to.Fragment, to.RawFragment = "", ""
	to.Path = join(base.Path, path)
	if base.RawPath != "" {
		to.RawPath = join(base.RawPath, path)
	}
	if query != "" && to.RawQuery != "" {
		query = "&" + query
	}
	to.RawQuery += query
	return &to
}

func join(base, path string) string {
	base = strings.TrimRight(base, "/")
	if path != "" && strings.HasSuffix(base, strings.TrimRight(path, "/")) {
		return base
	}
	if path != "" && path[0] != '/' {
		path = "/" + path
	}
	return base + path
}
