package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"tidemark/job/selftest"
	"tidemark/run"
	"tidemark/show/render"
	"tidemark/text"
)

func (w *world) selftestCommand() *cobra.Command {
	var config selftest.Config
	var asJSON bool
	c := &cobra.Command{
		Use:     "selftest",
		Short:   w.say("cli.selftest"),
		Long:    w.say("cli.selftest.long"),
		Example: w.say("cli.selftest.example"),
		Args:    w.noArgs,
	}
	c.Flags().IntSliceVar(&config.Streams, "streams", nil, w.say("cli.selftest.streams"))
	c.Flags().Float64SliceVar(&config.Rates, "rates", nil, w.say("cli.selftest.rates"))
	c.Flags().BoolVar(&asJSON, "json", false, w.say("cli.selftest.json"))
	c.RunE = func(*cobra.Command, []string) error {
		if err := rising(config); err != nil {
			return err
		}
		if len(config.Streams) > 0 && config.Rates == nil {
			config.Rates = []float64{}
		}
		if len(config.Rates) > 0 && config.Streams == nil {
			config.Streams = []int{}
		}
		return w.selftest(config, asJSON)
	}
	return c
}

// rising refuses what can't be climbed.
func rising(c selftest.Config) error {
	for i, n := range c.Streams {
		if n < 1 || n > 100_000 || i > 0 && n <= c.Streams[i-1] {
			return wrong(text.Msg("cli.selftest.order", fmt.Sprint(n)), text.Msg("cli.selftest.order.hint"))
		}
	}
	for i, r := range c.Rates {
		if !(r > 0 && r <= 1e6) || i > 0 && r <= c.Rates[i-1] {
			return wrong(text.Msg("cli.selftest.order", fmt.Sprint(r)), text.Msg("cli.selftest.order.hint"))
		}
	}
	return nil
}

// selftest tries what this machine can measure, keeps the result for later
// runs to look at, and shows it.
func (w *world) selftest(c selftest.Config, asJSON bool) error {
	i, release := w.watchInterrupts()
	defer release()
	program, err := itself()
	if err != nil {
		return ours(err)
	}
	c.Command = []string{program, "sim", "--addr", "127.0.0.1:0", "--ttft", "50ms", "--itl", "10ms"}
	c.Machine = thisMachine()
	c.Tidemark, _ = build()
	c.Progress = func(s selftest.Step) { render.SelftestStep(w.stderr, s, w.options(w.stderrScreen)) }
	fmt.Fprintln(w.stderr, w.say("cli.selftest.begin"))
	ctx, cancel := i.untilStopped()
	defer cancel()
	r, err := selftest.Run(ctx, c)
	if errors.Is(err, context.Canceled) {
		return &exit{code: exitInterrupted}
	}
	if err != nil {
		return ours(err)
	}
	if path, err := w.selftestFile(); err == nil {
		if err := r.Save(path); err != nil {
			w.fault(err)
		}
	}
	if asJSON {
		body, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return ours(err)
		}
		fmt.Fprintf(w.stdout, "%s\n", body)
	} else if err := render.Selftest(w.stdout, r, w.options(w.stdoutScreen)); err != nil {
		return err
	}
	switch {
	case r.Wrong:
		return &exit{code: exitOurs}
	case !r.Fine():
		return &exit{code: exitInvalid}
	}
	return nil
}

// itself is how this program is called again.
func itself() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		return filepath.Abs(path)
	}
	return os.Executable()
}

// selftestFile is where the last result is kept.
func (w *world) selftestFile() (string, error) {
	dir, err := w.dataDir()
	return filepath.Join(dir, "selftest.json"), err
}

// beyondSelftest names the level that goes beyond what the last self-test
// found this machine can measure, if there was one.
func (w *world) beyondSelftest(levels []run.Level) (text.Message, bool) {
	path, err := w.selftestFile()
	if err != nil {
		return text.Message{}, false
	}
	r, err := selftest.Load(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.fault(err)
		}
		return text.Message{}, false
	}
	for _, l := range levels {
		at := r.At.Local().Format("2006-01-02")
		switch rate := float64(l.Requests) / max(l.Duration.Seconds(), 1); {
		case l.Schedule == nil && r.Streams > 0 && l.Concurrency > r.Streams:
			return text.Msg("cli.beyond", l.Concurrency, at, r.Streams), true
		case l.Schedule != nil && r.RatePerS > 0 && rate > r.RatePerS:
			return text.Msg("cli.beyond_rate", rate, at, r.RatePerS), true
		}
	}
	return text.Message{}, false
}
