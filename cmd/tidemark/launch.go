package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"tidemark/job/check"
	"tidemark/load/plan"
	"tidemark/load/prompt"
	"tidemark/load/token"
	"tidemark/record"
	"tidemark/run"
	"tidemark/run/machine"
	"tidemark/show/render"
	"tidemark/sim"
	"tidemark/text"
	"tidemark/wire"
)

// launch is one run on its way from a plan to a report. Its methods are the
// stops, in order.
type launch struct {
	*world
	plan    *plan.Plan
	prompts *prompt.Set
	offers  []run.Offer    // open loop
	ask     prompt.Request // what every request has in common
	end     *endpoint
	out     string
	epoch   time.Time
	runID   string

	release   func() // of the directory
	file      *os.File
	records   *record.Writer
	targets   []run.Target
	preflight []*record.Attempt
	learned   check.Learned // of the first target
	spent     int64         // tokens the preflight cost
	conns     int           // connections it opened
	simulated bool          // the endpoint says so
}

// prepare checks everything that can be refused before anything is sent.
func (w *world) prepare(p *plan.Plan) (*launch, error) {
	l := &launch{world: w, plan: p, epoch: time.Now().Add(-time.Millisecond), runID: strings.ToLower(rand.Text()[:8])}
	var err error
	if l.prompts, err = loadPrompts(p.Prompts); err != nil {
		return nil, usage(err)
	}
	if l.ask, err = options(p); err != nil {
		return nil, err
	}
	if l.end, err = reach(p, w.getenv, l.epoch); err != nil {
		return nil, err
	}
	if l.offers, err = offers(p); err != nil {
		return nil, usage(err)
	}
	return l, l.fits()
}

// fits refuses, before anything is sent, what the targets as the plan names
// them, or this machine, can't have.
func (l *launch) fits() error {
	named := *l
	named.targets = nil
	for _, m := range asked(l.plan) {
		named.targets = append(named.targets, run.Target{Name: m, Model: m, Client: l.end.client, Dialect: l.end.dialect})
	}
	c, err := named.config()
	if err != nil {
		return err
	}
	levels, err := run.Levels(c)
	if err != nil {
		return usage(err)
	}
	return enough(levels, 0)
}

// perConnection is the memory that a request in flight takes at most, as long
// as its answer comes in frames.
const perConnection = 64 << 10

// enough refuses a level that this machine has no room for (V12). each is how
// long an answer takes; 0: not known.
func enough(levels []run.Level, each time.Duration) error {
	for _, l := range levels {
		n := height(l, each)
		lack := machine.Lacks(machine.Need{Connections: n, Memory: int64(n) * perConnection})
		switch lack.What {
		case "":
		case "files":
			return wrong(text.Msg("cli.files", n, lack.Have), text.Msg("cli.files.hint", lack.Want))
		case "ports":
			return wrong(text.Msg("cli.ports", n, lack.Have), text.Msg("cli.ports.hint"))
		default:
			return wrong(text.Msg("cli.memory", n, lack.Want>>20, lack.Have>>20), text.Msg("cli.memory.hint"))
		}
	}
	return nil
}

func loadPrompts(path string) (*prompt.Set, error) {
	if path == "" {
		return prompt.Builtin(), nil
	}
	return prompt.Load(path)
}

// open makes the run's directory and the file of records in it.
func (l *launch) open(out string, force bool) error {
	l.out = out
	if err := makeOut(out, force); err != nil {
		return err
	}
	var free bool
	if l.release, free = lock(out); !free {
		return wrong(text.Msg("cli.out.busy", out), text.Msg("cli.out.make.hint"))
	}
	if err := clearOut(out); err != nil {
		return err
	}
	saved, err := l.plan.YAML()
	if err != nil {
		return ours(err)
	}
	if err := os.WriteFile(filepath.Join(out, planFile), saved, 0o644); err != nil {
		return l.diskFault(err)
	}
	if l.file, err = os.Create(filepath.Join(out, record.FileName)); err != nil {
		return l.diskFault(err)
	}
	if l.records, err = record.NewWriter(l.file); err != nil {
		return ours(err)
	}
	return nil
}

func (l *launch) diskFault(err error) error {
	return ours(text.Wrong(text.Msg("cli.disk", l.out, reason(err)), text.Msg("cli.disk.hint")))
}

// check asks each model once. The fault is what stands in the way of a load.
func (l *launch) check(ctx context.Context) *text.Fault {
	for _, model := range asked(l.plan) {
		r := l.checkModel(ctx, model)
		if l.learned == (check.Learned{}) {
			l.learned = r.Learned
		}
		l.targets = append(l.targets, run.Target{
			Name: r.Learned.Model, Model: r.Learned.Model, Client: l.end.client, Dialect: l.end.dialect,
			Closes: r.Learned.Closes,
		})
		switch {
		case r.Fault == nil:
			l.sayPreflight(r)
		case l.plan.IgnorePreflight:
			l.fault(r.Fault)
		default:
			return r.Fault
		}
	}
	return nil
}

// sayPreflight says what the one small request met.
func (l *launch) sayPreflight(r check.Result) {
	render.Preflight(l.stderr, r.Learned, l.options(l.stderrScreen))
	for _, s := range r.Steps {
		if s.Status == check.Warning {
			render.Line(l.stderr, l.say("cli.warning", s.Detail))
		}
	}
}

func (l *launch) checkModel(ctx context.Context, model string) check.Result {
	ask := l.ask
	ask.Model = model
	r := check.Run(ctx, check.Config{
		Client: l.end.client, Dialect: l.end.dialect, Target: model, Request: ask, Key: l.end.key,
		FirstConn: l.conns + 1,
		Emit: func(a *record.Attempt) error {
			a.Number = len(l.preflight) + 1
			l.preflight = append(l.preflight, a)
			l.spent += run.Spent(a)
			l.simulated = l.simulated || strings.HasPrefix(a.Fingerprint, sim.Fingerprint)
			return nil
		},
	})
	l.conns = r.LastConn
	if r.Learned.Model == "" {
		r.Learned.Model = model
	}
	return r
}

// config is the run as run wants it.
func (l *launch) config() (run.Config, error) {
	p := l.plan
	shares, err := mix(p.Mix, l.targets, l.prompts.Groups)
	return run.Config{
		Targets: l.targets, Prompts: l.prompts, System: p.System, Ask: l.ask, Unique: p.Cache == "unique",
		RunID: l.runID, Seed: p.Seed,
		Concurrency: p.Ladder(), Users: p.Sessions, Offers: l.offers, MaxInFlight: p.MaxInFlight,
		Session: run.Session{Turns: p.SessionTurns(), Think: p.Think, PrefixTokens: p.UserPrefixTokens}, PrefixTokens: p.PrefixTokens,
		Mix: shares, Cancel: run.Cancel{Percent: p.CancelPercent, Leave: wire.Leave(p.CancelAfter)}, MaxErrorPercent: p.MaxErrorPercent,
		Requests: p.Requests, Duration: p.Duration, Rounds: p.Rounds, WarmUp: p.WarmUp,
		KeepClimbing: p.KeepClimbing, Drain: p.Drain,
		MaxTime: p.MaxTime, MaxTotalTokens: p.MaxTotalTokens, SpentTokens: l.spent,
		SaveAnswers: p.SaveAnswers, FirstConn: l.conns + 1,
	}, err
}

// begin writes the records that open the stream: the run, and what the
// preflight saw.
func (l *launch) begin(estimate record.Estimate) error {
	saved, err := l.plan.JSON()
	if err != nil {
		return ours(err)
	}
	v, _ := build()
	opening := &record.Run{
		Format: record.Format, Tidemark: v, RunID: l.runID, Started: l.epoch, Simulated: l.simulated,
		Plan: json.RawMessage(saved), Machine: thisMachine(), Environment: l.plan.Labels, Estimate: &estimate,
	}
	if l.plan.Cache == "unique" {
		opening.NonceTokens = token.Estimate(prompt.Nonce(l.runID, 1, string(record.Measured), 1))
	}
	for _, t := range l.targets {
		opening.Targets = append(opening.Targets, record.Target{
			Name: t.Name, URL: plan.Shown(l.end.client.Target.Base), Model: t.Model, Dialect: t.Dialect.Name(),
			Local: isLocal(l.end.client.Target.Base.Hostname()),
		})
	}
	if err := l.records.Write(opening); err != nil {
		return l.diskFault(err)
	}
	for _, a := range l.preflight {
		if err := l.records.Write(a); err != nil {
			return l.diskFault(err)
		}
	}
	if err := l.records.Flush(); err != nil {
		return l.diskFault(err)
	}
	return nil
}

// gcPercent lets garbage grow to four times what is in use before it is
// collected: on one core a collection takes its turns of up to 10 ms in the
// place of requests that are due.
const gcPercent = 400

// load climbs the ladder, showing progress, until it is over or interrupted.
func (l *launch) load(c run.Config, i *interruption) (record.Reason, error) {
	progress := render.NewProgress(l.stderr, l.stderrScreen.terminal && !l.plain, l.options(l.stderrScreen))
	defer progress.Close()
	if l.getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	c.Emit = l.records.Write
	c.Watch = progress.Update
	c.Stop = i.stop
	return run.Run(i.ctx, c)
}

// close ends the stream of records and the file.
func (l *launch) close(why record.Reason) error {
	at := record.Offset(time.Since(l.epoch))
	writeErr := l.records.Write(&record.End{At: at, Reason: why})
	closeErr := l.records.Close()
	fileErr := l.file.Close()
	for _, err := range []error{writeErr, closeErr, fileErr} {
		if err != nil {
			return l.diskFault(err)
		}
	}
	return nil
}

// announce says where requests will go, before the first is sent.
func (l *launch) announce(path string) {
	where := wire.Resolve(l.end.client.Target.Base, path)
	render.Target(l.stderr, plan.Shown(where), l.keyPlace().In(l.lang), l.options(l.stderrScreen))
}

// keyPlace is where the key comes from.
func (l *launch) keyPlace() text.Message {
	k := l.end.key
	switch {
	case k.Empty && l.end.client.Target.Header.Get("Authorization") != "":
		return text.Msg("cli.key.header")
	case k.File != "":
		return text.Msg("cli.key.from", k.File)
	case k.Empty:
		return text.Msg("cli.key.none", k.Variable)
	}
	return text.Msg("cli.key.from", k.Variable)
}
