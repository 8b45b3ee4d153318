package main

import (
	"time"

	"github.com/spf13/cobra"

	"tidemark/job/check"
	"tidemark/show/render"
)

func (w *world) checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "check [PLAN]",
		Short:   w.say("cli.check"),
		Long:    w.say("cli.check.long"),
		Example: w.say("cli.check.example"),
		Args:    w.maxArgs(1),
	}
	flags := w.planFlags(c, false)
	c.RunE = func(_ *cobra.Command, args []string) error {
		p, err := w.readPlan(args, flags)
		if err != nil {
			return err
		}
		ask, err := options(p)
		if err != nil {
			return err
		}
		end, err := reach(p, w.getenv, time.Now().Add(-time.Millisecond))
		if err != nil {
			return err
		}
		ctx, cancel := untilInterrupted()
		defer cancel()
		var failed bool
		for _, model := range asked(p) {
			ask.Model = model
			r := check.Run(ctx, check.Config{Client: end.client, Dialect: end.dialect, Target: model, Request: ask, Key: end.key})
			if err := render.Check(w.stdout, r, w.options(w.stdoutScreen)); err != nil {
				return ours(err)
			}
			failed = failed || r.Fault != nil
		}
		switch {
		case ctx.Err() != nil:
			return &exit{code: exitInterrupted}
		case failed:
			return &exit{code: exitTarget}
		}
		return nil
	}
	return c
}
