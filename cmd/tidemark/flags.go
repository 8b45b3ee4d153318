package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/load/plan"
	"tidemark/text"
)

// planFlags are the flags that set a plan's keys, in the order they were given.
type planFlags struct{ given []setting }

type setting struct{ key, value string }

// planFlags gives a command a flag for each key of a plan, or for those that
// say how a single request is sent.
func (w *world) planFlags(c *cobra.Command, load bool) *planFlags {
	f := &planFlags{}
	for _, k := range plan.Keys() {
		if k.Load && !load {
			continue
		}
		flag := c.Flags().VarPF(&planValue{flags: f, key: k}, k.Flag, "", k.Help.In(w.lang))
		if flag.DefValue = k.Default; k.Switch {
			flag.NoOptDefVal, flag.DefValue = "true", "false"
		}
	}
	c.Flags().SortFlags = false
	return f
}

// apply sets what was given.
func (f *planFlags) apply(p *plan.Plan) error {
	for _, s := range f.given {
		if err := p.Set(s.key, s.value); err != nil {
			return err
		}
	}
	return nil
}

// planValue is one flag. It parses nothing: the plan does, in one place.
type planValue struct {
	flags *planFlags
	key   plan.Key
}

var _ pflag.Value = (*planValue)(nil)

func (v *planValue) Set(s string) error {
	if v.key.Off {
		s = map[string]string{"true": "false", "false": "true"}[s]
	}
	v.flags.given = append(v.flags.given, setting{v.key.Name, s})
	return nil
}

func (v *planValue) String() string { return "" }

// Type is shown beside the flag's name; a bool's is not.
func (v *planValue) Type() string {
	if v.key.Switch {
		return "bool"
	}
	return v.key.Kind
}

// flagError turns a flag mistake into two lines: the flag as it was typed,
// and the nearest one there is.
func (w *world) flagError(c *cobra.Command, err error) error {
	what, hint := text.Msg("cli.flag", err.Error()), text.Msg("cli.flag.hint", c.CommandPath())
	if name, ok := strings.CutPrefix(err.Error(), "flag needs an argument: --"); ok {
		return wrong(text.Msg("cli.flag.needs", name), hint)
	}
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return wrong(what, hint)
	}
	what = text.Msg("cli.flag.unknown", name)
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	var known *text.Fault
	switch near := plan.Nearest(name, names); {
	case near != "":
		hint = text.Msg("cli.flag.near", near, c.CommandPath())
	case c.Flags().Lookup("url") != nil && errors.As(plan.Default().Set(name, ""), &known) && known.Hint.ID != "plan.unknown_key.hint":
		hint = known.Hint // a name that people bring from other tools
	}
	return wrong(what, hint)
}

// Arguments, each refusal with its cure.

func (w *world) noArgs(c *cobra.Command, args []string) error { return w.maxArgs(0)(c, args) }

func (w *world) maxArgs(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return wrong(text.Msg("cli.args", c.CommandPath(), args[n]), text.Msg("cli.args.hint", c.CommandPath()))
		}
		return nil
	}
}

func (w *world) exactArgs(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return wrong(text.Msg("cli.args.missing", c.CommandPath(), what), text.Msg("cli.args.hint", c.CommandPath()))
		}
		return w.maxArgs(n)(c, args)
	}
}

// noCommand refuses a word that is no command, and names the nearest.
func (w *world) noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := text.Msg("cli.command.hint")
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	if near := plan.Nearest(args[0], names); near != "" {
		hint = text.Msg("cli.command.near", near)
	}
	return wrong(text.Msg("cli.command", args[0]), hint)
}
