package check

import (
	"net/url"
	"strings"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
	"tidemark/wire"
	"tidemark/wire/endpoint"
)

// pathFault looks for the base that would have worked, by the same small
// request.
func (p *probe) pathFault(a *record.Attempt) *text.Fault {
	tried := wire.Resolve(p.Client.Target.Base, p.route())
	what := text.Msg("check.failed", a.Outcome.Name(), shown(tried))
	var there *url.URL // refused the request, so that it has the path
	for _, base := range p.otherBases() {
		other, fault := p.askAt(base)
		switch {
		case fault != nil:
			return fault
		case other == nil:
		case other.Outcome == outcome.OK:
			return text.Wrong(what, text.Msg("check.path.use", shown(base)))
		case there == nil && knowsPath(other.Outcome):
			there = base
		}
	}
	if there != nil {
		return text.Wrong(what, text.Msg("check.path.there", shown(there)))
	}
	return text.Wrong(what, a.Outcome.Cure())
}

// knowsPath reports whether a refusal can only come from the API itself.
func knowsPath(c outcome.Class) bool {
	switch c {
	case outcome.Auth, outcome.Quota, outcome.RateLimited, outcome.Overloaded,
		outcome.BadRequest, outcome.ModelNotFound, outcome.EmptyOutput:
		return true
	}
	return false
}

// askAt sends the small request below another base; nil where no connection
// could be opened. It becomes the result's attempt where it is answered.
func (p *probe) askAt(base *url.URL) (*record.Attempt, *text.Fault) {
	conn, err := p.at(base).Open(p.ctx, p.conns+1)
	if err != nil {
		return nil, nil
	}
	defer conn.Close()
	p.conns++
	return p.ask(conn)
}

// listingBase is another base below which models are listed; nil: none.
func (p *probe) listingBase() *url.URL {
	for _, base := range p.otherBases() {
		if models, err := endpoint.Models(p.ctx, p.at(base), p.Dialect); err == nil && len(models) > 0 {
			return base
		}
	}
	return nil
}

// at is the client with another base.
func (p *probe) at(base *url.URL) *wire.Client {
	c := *p.Client
	c.Target.Base = base
	return &c
}

// otherBases are the bases that people mean: with and without the version.
func (p *probe) otherBases() []*url.URL {
	root := p.root()
	paths := []string{root.Path, root.Path + "/v1"}
	if short, versioned := strings.CutSuffix(root.Path, "/v1"); versioned {
		paths = []string{root.Path, short}
	}
	tried := wire.Resolve(p.Client.Target.Base, p.route()).Path
	var bases []*url.URL
	for _, path := range paths {
		base := *root
		base.Path, base.RawPath = path, ""
		if wire.Resolve(&base, p.route()).Path != tried {
			bases = append(bases, &base)
		}
	}
	return bases
}

// root is the base without the route, where it was given as part of the base.
func (p *probe) root() *url.URL {
	base := *p.Client.Target.Base
	base.Path = strings.TrimSuffix(strings.TrimRight(base.Path, "/"), p.route())
	base.RawPath = ""
	return &base
}

// route is the path that the dialect appends to the base; "" where it has no
// words for the request.
func (p *probe) route() string {
	call, _ := p.Dialect.Encode(p.Request)
	return call.Path
}

// shown is a base as a person may see it: no password, no query, which may
// hold a key.
func shown(base *url.URL) string {
	u := *base
	u.RawQuery, u.User = "", nil
	return u.String()
}
