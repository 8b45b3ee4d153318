package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"tidemark/job/check"
	"tidemark/load/plan"
	"tidemark/load/provider"
	"tidemark/load/token"
	"tidemark/record"
	"tidemark/run"
	"tidemark/show/render"
	"tidemark/text"
	"tidemark/wire/dialect"
)

// output is where a run's results go and how they look.
type output struct {
	dir    string // "": a new one under the user's data directory
	ours   bool   // dir is that new one
	force  bool
	format string
	dryRun bool
	bear   bool // --allow-invalid: the exit code doesn't tell of it
}

func (w *world) runCommand() *cobra.Command {
	var o output
	c := &cobra.Command{
		Use:     "run [PLAN]",
		Short:   w.say("cli.run"),
		Long:    w.say("cli.run.long"),
		Example: w.say("cli.run.example"),
		Args:    w.maxArgs(1),
	}
	flags := w.planFlags(c, true)
	c.Flags().StringVar(&o.dir, "out", "", w.say("cli.flag.out"))
	c.Flags().BoolVar(&o.force, "force", false, w.say("cli.flag.force"))
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, w.say("cli.flag.dry_run"))
	c.Flags().BoolVar(&o.bear, "allow-invalid", false, w.say("cli.flag.allow_invalid"))
	w.formatFlag(c, &o.format)
	c.RunE = func(c *cobra.Command, args []string) error {
		p, err := w.readPlan(args, flags)
		if err != nil {
			return err
		}
		if err := w.knownFormat(o.format); err != nil {
			return err
		}
		l, err := w.prepare(p)
		if err != nil {
			return err
		}
		if o.dryRun {
			return l.dryRun()
		}
		if o.ours = o.dir == ""; o.ours {
			if o.dir, err = w.defaultOut(l.runID, time.Now()); err != nil {
				return err
			}
		}
		return l.run(o)
	}
	return c
}

// readPlan is the plan: defaults, the file, then flags. (What the environment
// says of a provider is looked up where it is used.)
func (w *world) readPlan(args []string, flags *planFlags) (*plan.Plan, error) {
	p := plan.Default()
	if len(args) == 1 {
		if strings.Contains(args[0], "://") {
			return nil, wrong(text.Msg("cli.plan.url", args[0]), text.Msg("cli.plan.url.hint", args[0]))
		}
		body, err := readSmall(args[0])
		if err != nil {
			return nil, wrong(text.Msg("cli.plan.read", args[0], reason(err)), text.Msg("cli.plan.read.hint"))
		}
		if p, err = plan.Parse(args[0], body); err != nil {
			return nil, usage(err)
		}
	}
	if err := flags.apply(p); err != nil {
		return nil, usage(err)
	}
	return p, usage(p.Validate(dialect.Names(), provider.Names()))
}

// run carries the plan to its report: preflight, load, figures.
func (l *launch) run(o output) error {
	i, release := l.watchInterrupts()
	defer release()
	if err := l.open(o.dir, o.force); err != nil {
		return err
	}
	defer l.release()
	call, err := l.end.dialect.Encode(l.ask)
	if err != nil {
		return usage(err)
	}
	l.announce(call.Path)
	ctx, cancel := i.untilStopped()
	fault := l.check(ctx)
	cancel()
	c, err := l.config()
	if err != nil {
		return err
	}
	levels, estimate, err := l.expect(c, l.knowledge())
	if err != nil {
		return l.giveUp(o, err)
	}
	if err := l.begin(estimate); err != nil {
		return err
	}
	why, runErr := record.Refused, error(nil)
	if i.stopped() {
		why, fault = record.Interrupted, nil
	} else if fault == nil {
		render.Estimate(l.stderr, levels, estimate, l.options(l.stderrScreen))
		l.warn(levels)
		if why, runErr = l.load(c, i); runErr != nil && why == record.DiskFailed {
			runErr = l.diskFault(runErr)
		}
	}
	if err := l.close(why); runErr == nil {
		runErr = err
	}
	var refused error
	if fault != nil {
		refused = fault
	}
	return l.finish(o, why, runErr, refused)
}

// expect is what the run will send. It refuses levels that this machine has
// no room for.
func (l *launch) expect(c run.Config, known run.Learned) ([]run.Level, record.Estimate, error) {
	levels, err := run.Levels(c)
	if err != nil {
		return nil, record.Estimate{}, usage(err)
	}
	estimate, err := run.Estimate(c, known)
	if err != nil {
		return nil, estimate, usage(err)
	}
	return levels, estimate, enough(levels, known.E2E)
}

// giveUp leaves nothing behind of a run that was refused before its load.
func (l *launch) giveUp(o output, err error) error {
	l.file.Close()
	if o.ours {
		removeRun(l.out)
	}
	return err
}

// warn says, before the load, what is likely to spoil it.
func (l *launch) warn(levels []run.Level) {
	if beyond, ok := l.beyondSelftest(levels); ok {
		render.Line(l.stderr, l.say("cli.warning", beyond))
	}
	if level, need, ok := capped(levels, l.plan.MaxInFlight, l.learned.E2E); ok {
		render.Line(l.stderr, l.say("cli.warning", l.say("cli.capped", l.plan.MaxInFlight, level.Schedule.Name, need)))
	}
}

// knowledge is what the preflight tells an estimate.
func (l *launch) knowledge() run.Learned {
	k := run.Learned{TTFT: l.learned.TTFT, TPOT: l.learned.TPOT, E2E: l.learned.E2E}
	if n := l.learned.InputTokens; n > 0 {
		k.Overhead = max(n-int64(token.Estimate(check.Question)), 0)
	}
	return k
}

// finish computes the report from what was recorded, keeps it, shows it, and
// says the run's path last. broke is our own fault or the disk's, refused what
// stood in the way of a load.
func (l *launch) finish(o output, why record.Reason, broke, refused error) error {
	r, err := makeReport(l.out, l.lang)
	if broke == nil && err != nil {
		broke = l.unreadable(l.out, err)
	}
	if r.Reason == "" {
		r.Reason = why // a disk that is full has no room for it
	}
	r.Verdict.ExitCode = exitOf(r.Verdict.ExitCode, why, broke)
	if err := keepReport(l.out, r); err != nil && broke == nil {
		broke = l.diskFault(err)
		r.Verdict.ExitCode = exitOf(r.Verdict.ExitCode, why, broke)
	}
	if len(r.Levels) > 0 || o.format != "table" || why == record.Interrupted {
		if err := l.show(l.out, o.format, r); err != nil && broke == nil && !errors.Is(err, syscall.EPIPE) {
			broke = err
		}
	}
	for _, err := range []error{broke, refused} {
		if err != nil {
			l.fault(err)
		}
	}
	if refused != nil && o.ours {
		removeRun(l.out) // nothing was loaded, and nobody asked for its records
	} else {
		l.sayPath(o.format)
	}
	code := exitOf(r.Verdict.ExitCode, why, broke)
	if code == exitInvalid && o.bear {
		code = exitFine
	}
	if code != exitFine {
		return &exit{code: code}
	}
	return nil
}

// exitOf puts what only the process knows before what the figures deserve.
func exitOf(figures int, why record.Reason, broke error) int {
	switch {
	case why == record.Interrupted:
		return exitInterrupted
	case broke != nil:
		return exitOurs
	}
	return figures
}

// sayPath ends the output with the run's directory: on standard output below
// a table, else where it can't be taken for data.
func (l *launch) sayPath(format string) {
	to := l.stderr
	if format == "table" {
		to = l.stdout
	}
	render.Line(to, l.say("cli.path", l.out))
}

// dryRun shows what would be sent, and sends nothing.
func (l *launch) dryRun() error {
	models := l.plan.Models
	if len(models) == 0 {
		models = []string{l.say("cli.dry.model")}
	}
	for _, m := range models {
		l.targets = append(l.targets, run.Target{Name: m, Model: m, Client: l.end.client, Dialect: l.end.dialect})
	}
	saved, err := l.plan.YAML()
	if err != nil {
		return ours(err)
	}
	call, err := l.end.dialect.Encode(l.ask)
	if err != nil {
		return usage(err)
	}
	l.announce(call.Path)
	fmt.Fprintf(l.stdout, "%s\n", saved)
	c, err := l.config()
	if err != nil {
		return err
	}
	levels, estimate, err := l.expect(c, run.Learned{})
	if err != nil {
		return err
	}
	render.Estimate(l.stderr, levels, estimate, l.options(l.stderrScreen))
	if err := render.Levels(l.stdout, levels, l.options(l.stdoutScreen)); err != nil {
		return err
	}
	return render.Schedules(l.stdout, levels, l.options(l.stdoutScreen))
}
