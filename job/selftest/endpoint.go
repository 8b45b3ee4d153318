package selftest

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"time"

	"tidemark/sim"
	"tidemark/text"
	"tidemark/wire"
)

// Endpoint is a simulated endpoint that can be asked for its truth.
type Endpoint struct {
	Base *url.URL // of its API: "http://127.0.0.1:9000/v1"
	// Dial opens a connection to it; nil: the network's own.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Timers is run.Config's: in virtual time only the runtime's timers ring.
	Timers bool
	// Close ends it.
	Close func()
}

// client is what loads it.
func (e *Endpoint) client(epoch time.Time) *wire.Client {
	return &wire.Client{
		Target: wire.Target{Base: e.Base}, Epoch: epoch, Dial: e.Dial,
		Timeouts: wire.Timeouts{Connect: patience, TTFT: patience, Idle: patience, Total: 2 * patience},
	}
}

// truth asks what it did since the reset.
func (e *Endpoint) truth(ctx context.Context) (*sim.Truth, error) {
	var t sim.Truth
	return &t, e.ask(ctx, http.MethodGet, &t)
}

func (e *Endpoint) reset(ctx context.Context) error { return e.ask(ctx, http.MethodDelete, nil) }

// ask uses the standard library's client, which shares nothing with what is
// tested, and a connection of its own.
func (e *Endpoint) ask(ctx context.Context, method string, into any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	where := url.URL{Scheme: e.Base.Scheme, Host: e.Base.Host, Path: "/sim/truth"}
	err := func() error {
		r, err := http.NewRequestWithContext(ctx, method, where.String(), nil)
		if err != nil {
			return err
		}
		answer, err := (&http.Transport{DialContext: e.Dial, DisableKeepAlives: true}).RoundTrip(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if into == nil {
			return nil
		}
		return json.NewDecoder(answer.Body).Decode(into)
	}()
	if err != nil && ctx.Err() == nil {
		return text.Wrong(text.Msg("selftest.truth", err.Error()), text.Msg("selftest.truth.hint"))
	}
	return err
}
