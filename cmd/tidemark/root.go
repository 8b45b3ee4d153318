package main

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"tidemark/show/render"
	"tidemark/text"
)

// world is the process as a command sees it.
type world struct {
	args         []string
	getenv       func(string) string
	stdout       io.Writer
	stderr       io.Writer
	stdoutScreen screen
	stderrScreen screen
	lang         text.Lang
	plain        bool // --plain
}

// main runs the command and returns the exit code. A panic is our own fault:
// it is said in a line, and whatever was recorded is on disk.
func (w *world) main() (code int) {
	defer func() {
		if p := recover(); p != nil {
			w.fault(text.Wrong(text.Msg("cli.panic", fmt.Sprint(p)), text.Msg("cli.panic.hint")))
			if w.getenv("TIDEMARK_DEBUG") != "" {
				w.stderr.Write(debug.Stack())
			}
			code = exitOurs
		}
	}()
	root := w.root()
	root.SetArgs(w.args)
	root.SetOut(w.stdout)
	root.SetErr(w.stderr)
	err := root.Execute()
	if err != nil && err.Error() != "" {
		w.fault(err)
	}
	return codeOf(err)
}

func (w *world) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "tidemark",
		Version:       versionLine(),
		Short:         w.say("cli.tidemark"),
		Long:          w.say("cli.tidemark.long"),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          w.noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return w.flagError(c, err) })
	flags := root.PersistentFlags()
	flags.String("lang", "", w.say("cli.flag.lang"))
	flags.BoolVar(&w.plain, "plain", false, w.say("cli.flag.plain"))
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if w.lang != text.English && w.lang != text.Chinese {
			bad := w.lang
			w.lang = text.English
			return wrong(text.Msg("cli.lang", string(bad)), text.Msg("cli.lang.hint"))
		}
		return nil
	}
	root.AddCommand(w.runCommand(), w.demoCommand(), w.checkCommand(), w.reportCommand(),
		w.selftestCommand(), w.simCommand(), w.versionCommand())
	w.usageTexts(root)
	return root
}

func (w *world) say(id string, args ...any) string { return w.lang.Say(id, args...) }

// fault says an error to a person.
func (w *world) fault(err error) {
	render.Fault(w.stderr, err, w.options(w.stderrScreen))
}

// options is how a renderer is to draw on a screen.
func (w *world) options(s screen) render.Options {
	return render.Options{Lang: w.lang, Width: min(max(s.width, 0), 120), Color: s.color && !w.plain}
}

// cutFlag returns the value of --name=value.
func cutFlag(arg, name string) (string, bool) { return strings.CutPrefix(arg, name+"=") }
