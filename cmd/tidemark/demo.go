package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tidemark/load/plan"
	"tidemark/sim"
)

func (w *world) demoCommand() *cobra.Command {
	var o output
	c := &cobra.Command{
		Use:   "demo",
		Short: w.say("cli.demo"),
		Long:  w.say("cli.demo.long"),
		Args:  w.noArgs,
	}
	w.formatFlag(c, &o.format)
	c.RunE = func(*cobra.Command, []string) error {
		if err := w.knownFormat(o.format); err != nil {
			return err
		}
		listener, err := sim.Listen("127.0.0.1:0", false)
		if err != nil {
			return ours(err)
		}
		server, err := sim.New(sim.Config{})
		if err != nil {
			return ours(err)
		}
		go server.Serve(listener)
		defer server.Close()
		if o.dir, err = os.MkdirTemp("", "tidemark-demo-"); err != nil {
			return ours(err)
		}
		fmt.Fprintln(w.stderr, w.say("cli.demo.begin"))
		return w.demo(o, "http://"+listener.Addr().String()+"/v1")
	}
	return c
}

// demo runs the default ladder against the simulated endpoint at url.
func (w *world) demo(o output, url string) error {
	p := plan.Default()
	p.URL = url
	p.MaxTokens = 64 // a quarter of a minute in all
	noKey := *w
	noKey.getenv = func(string) string { return "" } // the demo reads no key and no provider
	l, err := noKey.prepare(p)
	if err != nil {
		return err
	}
	return l.run(o)
}
