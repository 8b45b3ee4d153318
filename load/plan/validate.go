package plan

import (
	"slices"
	"strings"

	"tidemark/text"
)

// Validate refuses what can't be run: values out of range, names that are
// none of the given dialects and providers, keys that exclude each other, and
// what a saved plan leaves out. Every error is a *text.Fault.
func (p *Plan) Validate(dialects, providers []string) error {
	for _, r := range table {
		if r.check == nil {
			continue
		}
		if t := r.check(p); t != nil {
			t.what = text.Msg("plan.in_key", r.name, t.what)
			return t.fault()
		}
	}
	for _, check := range []func() *trouble{
		p.target,
		func() *trouble {
			return unknownName(text.Msg("plan.unknown_dialect", shortened(p.Dialect)), p.Dialect, dialects)
		},
		func() *trouble {
			if p.Provider == "" {
				return nil
			}
			return unknownName(text.Msg("plan.unknown_provider", shortened(p.Provider)), p.Provider, providers)
		},
		p.exclusive,
		p.offering,
		p.leftOut,
	} {
		if t := check(); t != nil {
			return t.fault()
		}
	}
	return nil
}

func (p *Plan) target() *trouble {
	if p.URL == "" && p.Provider == "" {
		return wrong(text.Msg("plan.no_target"), text.Msg("plan.no_target.hint"))
	}
	return nil
}

func unknownName(what text.Message, name string, known []string) *trouble {
	if slices.Contains(known, name) {
		return nil
	}
	if near := Nearest(name, known); near != "" {
		return wrong(what, text.Msg("plan.did_you_mean", near))
	}
	return wrong(what, text.Msg("plan.known", strings.Join(known, " ")))
}

func (p *Plan) exclusive() *trouble {
	if p.Requests > 0 && p.Duration > 0 {
		return wrong(text.Msg("plan.both", "requests", "duration"), text.Msg("plan.both_ends.hint"))
	}
	if p.KeyEnv != "" && p.KeyFile != "" {
		return wrong(text.Msg("plan.both", "key_env", "key_file"), text.Msg("plan.both_keys.hint"))
	}
	return nil
}

// leftOut finds what was struck out when the plan was saved with a run.
func (p *Plan) leftOut() *trouble {
	if strings.Contains(p.URL, struck) {
		return wrong(text.Msg("plan.struck", "url"), text.Msg("plan.struck_url.hint"))
	}
	for name, value := range p.Headers {
		if strings.Contains(value, struck) {
			return wrong(text.Msg("plan.struck", "header "+name), text.Msg("plan.struck_header.hint"))
		}
	}
	return nil
}
