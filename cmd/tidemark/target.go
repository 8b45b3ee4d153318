package main

import (
	"encoding/json"
	"fmt"
	"time"

	"tidemark/job/check"
	"tidemark/load/plan"
	"tidemark/load/prompt"
	"tidemark/load/provider"
	"tidemark/text"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// endpoint is one plan's target, ready to be asked.
type endpoint struct {
	client  *wire.Client
	dialect dialect.Dialect
	key     check.Key
}

// reach builds what a plan's URL, provider, key and headers say. epoch is the
// run's zero.
func reach(p *plan.Plan, getenv func(string) string, epoch time.Time) (*endpoint, error) {
	prov, _ := provider.Named(p.Provider)
	u, err := p.Base(prov, getenv)
	if err != nil {
		return nil, usage(err)
	}
	key, from, err := findKey(p, prov, getenv)
	if err != nil {
		return nil, err
	}
	headers, err := p.ResolveHeaders(getenv)
	if err != nil {
		return nil, usage(err)
	}
	d, ok := dialect.Named(p.Dialect)
	if !ok {
		return nil, usage(fmt.Errorf("unknown dialect %q", p.Dialect)) // refused by the plan before
	}
	t := wire.Target{Base: u, Header: header(key, headers), Secrets: secretsOf(key, headers, u)}
	return &endpoint{
		client:  &wire.Client{Target: t, Timeouts: timeouts(p), Epoch: epoch},
		dialect: d,
		key:     from,
	}, nil
}

func timeouts(p *plan.Plan) wire.Timeouts {
	return wire.Timeouts{
		Connect:    p.ConnectTimeout,
		TTFT:       p.TTFTTimeout,
		Idle:       p.IdleTimeout,
		OutputIdle: p.OutputIdleTimeout,
		Total:      p.Timeout,
	}
}

// asked are the models to ask; "" for the one that the endpoint lists.
func asked(p *plan.Plan) []string {
	if len(p.Models) == 0 {
		return []string{""}
	}
	return p.Models
}

// options are what every request of a plan has in common.
func options(p *plan.Plan) (prompt.Request, error) {
	extra := make(map[string]json.RawMessage, len(p.Extra))
	for name, value := range p.Extra {
		body, err := json.Marshal(value)
		if err != nil {
			return prompt.Request{}, wrong(text.Msg("cli.extra", name, err.Error()), text.Msg("cli.extra.hint"))
		}
		extra[name] = body
	}
	return prompt.Request{
		Stream:         p.Stream,
		MaxTokens:      p.MaxTokens,
		MaxTokensField: p.MaxTokensField,
		Temperature:    p.Temperature,
		Extra:          extra,
	}, nil
}
