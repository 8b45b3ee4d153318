package selftest

import (
	"bytes"
	"context"
	"iter"
	"runtime/debug"
	"strconv"
	"time"

	"tidemark/load/arrival"
	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/report"
	"tidemark/run"
	"tidemark/run/machine"
	"tidemark/sim"
	"tidemark/wire"
	"tidemark/wire/dialect"
)

// trial is a load to try.
type trial struct {
	streams  int     // closed loop
	rate     float64 // open loop
	requests int
	tokens   int
}

// patience bounds each wait for the endpoint. It is on this machine and
// answers at once, but for the pace it was given.
const patience = 30 * time.Second

// run loads the endpoint for no longer than limit, and compares.
func (t trial) run(ctx context.Context, end *Endpoint, limit time.Duration) (Step, error) {
	s := Step{
		Streams: t.streams, RatePerS: t.rate, Requests: t.requests, Tokens: t.tokens,
		Figures: []Figure{}, Failed: []string{},
	}
	if lack := machine.Lacks(machine.Need{Connections: t.streams}); lack != (machine.Lack{}) {
		s.Lack = &lack
		return s, nil
	}
	if err := end.reset(ctx); err != nil {
		return s, err
	}
	debug.FreeOSMemory() // or memory of the step before would be this one's
	file, err := t.load(ctx, end, limit, &s)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return s, err
	}
	truth, err := end.truth(ctx)
	if err != nil {
		return s, err
	}
	return s, s.read(recordsIn(file), truth)
}

// load carries the load and returns its records. It fills in what the load
// took of this process.
func (t trial) load(ctx context.Context, end *Endpoint, limit time.Duration, s *Step) ([]byte, error) {
	epoch := time.Now().Add(-time.Millisecond)
	c := t.config(end.client(epoch), limit)
	c.Timers = end.Timers
	var file bytes.Buffer
	w, err := record.NewWriter(&file)
	if err != nil {
		return nil, err
	}
	watch := machine.NewWatch()
	before := watch.Look()
	most := before.RSS
	c.Emit = func(r record.Record) error {
		if sample, ok := r.(*record.Sample); ok {
			most = max(most, sample.RSSBytes)
		}
		return w.Write(r)
	}
	opening := w.Write(&record.Run{
		Format: record.Format, RunID: c.RunID, Started: epoch, Simulated: true, Plan: []byte("{}"),
		Machine: record.Machine{Quota: machine.Quota()},
		Targets: []record.Target{{Name: sim.DefaultModel, URL: end.Base.String(), Model: sim.DefaultModel, Dialect: c.Targets[0].Dialect.Name(), Local: true}},
	})
	began := time.Now()
	why, err := run.Run(ctx, c)
	took := time.Since(began)
	used := watch.Look()
	s.Ended = why
	s.cpu = time.Duration(used.CPU * float64(took))
	s.grew(max(most, used.RSS) - before.RSS)
	closing := w.Write(&record.End{At: record.Offset(time.Since(epoch)), Reason: why})
	closed := w.Close()
	for _, e := range []error{err, opening, closing, closed} {
		if e != nil {
			return nil, e
		}
	}
	return file.Bytes(), nil
}

// grew fills in the memory of a stream, where it is known.
func (s *Step) grew(bytes int64) {
	if bytes > 0 && s.Streams > 0 {
		each := bytes / int64(s.Streams)
		s.StreamBytes = &each
	}
}

// config is the trial as a run, without warm-up: what the first requests meet
// is asked for too.
func (t trial) config(client *wire.Client, limit time.Duration) run.Config {
	chat, _ := dialect.Named("chat")
	c := run.Config{
		Targets: []run.Target{{Name: sim.DefaultModel, Model: sim.DefaultModel, Client: client, Dialect: chat}},
		Prompts: prompt.Builtin(), Ask: prompt.Request{Stream: true, MaxTokens: t.tokens},
		Unique: true, RunID: "selftest", Seed: 1, Rounds: 1, KeepClimbing: true, MaxTime: limit,
	}
	if t.streams > 0 {
		c.Concurrency, c.Requests = []int{t.streams}, t.requests
		return c
	}
	pace := arrival.Pace{
		Segments: []arrival.Segment{{From: t.rate, To: t.rate}}, Text: strconv.FormatFloat(t.rate, 'g', -1, 64),
	}
	c.Offers = []run.Offer{{Paced: arrival.Paced{Law: arrival.Constant, Pace: pace, Seed: 1, Requests: t.requests}}}
	return c
}

// recordsIn reads a file of records, as often as it is asked.
func recordsIn(file []byte) report.Source {
	return func() iter.Seq2[record.Record, error] { return record.Read(bytes.NewReader(file)) }
}
