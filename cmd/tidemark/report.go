package main

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/record"
	"tidemark/report"
	"tidemark/report/finding"
	"tidemark/show/render"
	"tidemark/text"
)

func (w *world) reportCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "report DIR",
		Short:   w.say("cli.report"),
		Long:    w.say("cli.report.long"),
		Example: w.say("cli.report.example"),
		Args:    w.exactArgs(1, "DIR"),
	}
	w.formatFlag(c, &format)
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := w.knownFormat(format); err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(args[0], record.FileName)); err != nil {
			return wrong(text.Msg("cli.report.none", args[0]), text.Msg("cli.report.none.hint"))
		}
		r, err := makeReport(args[0], w.lang)
		if err != nil && len(r.Levels) == 0 {
			return w.unreadable(args[0], err)
		}
		if shown := w.show(args[0], format, r); err == nil {
			return shown
		}
		return w.unreadable(args[0], err)
	}
	return c
}

func (w *world) unreadable(dir string, err error) error {
	return ours(text.Wrong(text.Msg("cli.report.read", dir, err.Error()), text.Msg("cli.report.read.hint")))
}

// formatFlag adds --format, with the formats there are.
func (w *world) formatFlag(c *cobra.Command, format *string) {
	c.Flags().StringVar(format, "format", "table", w.say("cli.flag.format", strings.Join(render.Formats(), ", ")))
}

func (w *world) knownFormat(format string) error {
	for _, f := range render.Formats() {
		if f == format {
			return nil
		}
	}
	return wrong(text.Msg("cli.format", format), text.Msg("cli.format.hint", strings.Join(render.Formats(), ", ")))
}

// recordsOf reads a run's records from its directory, anew at each use.
func recordsOf(dir string) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		f, err := os.Open(filepath.Join(dir, record.FileName))
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		record.Read(f)(yield)
	}
}

// makeReport computes the report of a run's directory. Beside an error it
// returns the report of what came before.
func makeReport(dir string, lang text.Lang) (*report.Report, error) {
	r, err := report.Compute(func() iter.Seq2[record.Record, error] { return recordsOf(dir) }, report.Options{Lang: lang})
	finding.Add(r, lang)
	return r, err
}

// keepReport writes report.json whole or not at all.
func keepReport(dir string, r *report.Report) error {
	f, err := os.CreateTemp(dir, reportFile+".*")
	if err != nil {
		return err
	}
	err = errors.Join(render.JSON(f, r), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, reportFile))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// show writes a report in a format to standard output.
func (w *world) show(dir, format string, r *report.Report) error {
	err := render.Write(w.stdout, format, r, recordsOf(dir), w.options(w.stdoutScreen))
	if errors.Is(err, record.ErrTruncated) {
		render.Line(w.stderr, w.say("show.truncated"))
		return nil
	}
	return ours(err)
}
