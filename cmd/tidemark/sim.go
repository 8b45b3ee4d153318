package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/sim"
	"tidemark/sim/transcript"
	"tidemark/text"
)

// simFlags are what the simulated endpoint can be told.
type simFlags struct {
	addr        string
	any         bool
	models      []string
	keyEnv      string
	ttft, itl   time.Duration
	slots       int
	kv          int
	maxTokens   int
	seed        uint64
	faults      []string
	transcripts []string
}

func (w *world) simCommand() *cobra.Command {
	var f simFlags
	c := &cobra.Command{
		Use:     "sim",
		Short:   w.say("cli.sim"),
		Long:    w.say("cli.sim.long") + "\n\n" + w.say("cli.sim.faults") + "\n" + w.faultList(),
		Example: w.say("cli.sim.example"),
		Args:    w.noArgs,
	}
	flags := c.Flags()
	flags.StringVar(&f.addr, "addr", "127.0.0.1:9000", w.say("cli.sim.addr"))
	flags.BoolVar(&f.any, "any-address", false, w.say("cli.sim.any"))
	flags.StringSliceVar(&f.models, "model", nil, w.say("cli.sim.model", sim.DefaultModel))
	flags.StringVar(&f.keyEnv, "key-env", "", w.say("cli.sim.key_env"))
	flags.DurationVar(&f.ttft, "ttft", 0, w.say("cli.sim.ttft"))
	flags.DurationVar(&f.itl, "itl", 0, w.say("cli.sim.itl"))
	flags.IntVar(&f.slots, "slots", 0, w.say("cli.sim.slots"))
	flags.IntVar(&f.kv, "kv-tokens", 0, w.say("cli.sim.kv"))
	flags.IntVar(&f.maxTokens, "max-tokens", 0, w.say("cli.sim.max_tokens"))
	flags.Uint64Var(&f.seed, "seed", 1, w.say("cli.sim.seed"))
	flags.StringArrayVar(&f.faults, "fault", nil, w.say("cli.sim.fault"))
	flags.StringArrayVar(&f.transcripts, "transcript", nil, w.say("cli.sim.transcript"))
	c.RunE = func(*cobra.Command, []string) error {
		config, err := f.config(flags, w.getenv)
		if err != nil {
			return usage(err)
		}
		return w.serve(config, f.addr, f.any)
	}
	return c
}

func (w *world) faultList() string {
	var b strings.Builder
	for _, f := range sim.Faults() {
		fmt.Fprintf(&b, "  %-10s %s\n", f.ID, f.What.In(w.lang))
	}
	return strings.TrimRight(b.String(), "\n")
}

// config is the endpoint that the flags describe.
func (f *simFlags) config(set *pflag.FlagSet, getenv func(string) string) (sim.Config, error) {
	c := sim.Config{
		Models: f.models, MaxTokens: f.maxTokens, Seed: f.seed,
		Engine: sim.Engine{Slots: f.slots, KVTokens: f.kv},
	}
	if f.keyEnv != "" {
		if c.APIKey = getenv(f.keyEnv); c.APIKey == "" {
			return c, text.Wrong(text.Msg("cli.key.unset", f.keyEnv), text.Msg("cli.sim.key_env.hint"))
		}
	}
	if set.Changed("ttft") || set.Changed("itl") {
		c.Schedule = &sim.Schedule{TTFT: f.ttft, ITL: f.itl}
	}
	for _, s := range f.faults {
		fault, err := sim.ParseFault(s)
		if err != nil {
			return c, err
		}
		c.Faults = append(c.Faults, fault)
	}
	for _, path := range f.transcripts {
		body, err := readSmall(path)
		if err != nil {
			return c, text.Wrong(text.Msg("cli.sim.read", path, reason(err)), text.Msg("cli.sim.read.hint"))
		}
		all, err := transcript.Parse(path, body, os.DirFS(filepath.Dir(path)))
		if err != nil {
			return c, text.Wrong(text.Msg("cli.sim.parse", err.Error()), text.Msg("cli.sim.read.hint"))
		}
		c.Transcripts = append(c.Transcripts, all...)
	}
	return c, nil
}

// serve answers until the first signal.
func (w *world) serve(c sim.Config, addr string, exposed bool) error {
	listener, err := sim.Listen(addr, exposed)
	if err != nil {
		return usage(err)
	}
	server, err := sim.New(c)
	if err != nil {
		listener.Close()
		return usage(err)
	}
	ctx, cancel := untilInterrupted()
	defer cancel()
	models := c.Models
	if len(models) == 0 {
		models = []string{sim.DefaultModel}
	}
	fmt.Fprintln(w.stdout, w.say("cli.sim.serving", listener.Addr().String(), strings.Join(models, ", ")))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	server.Close()
	return ours(err)
}
