// Command tidemark finds the load that an LLM endpoint can really carry.
//
// One file a subcommand: flags in, packages called, exit code out. It decides
// nothing about figures; it knows files, terminals, signals and the
// environment, which the packages do not.
package main

import (
	"os"

	"golang.org/x/term"

	"tidemark/text"
)

func main() { os.Exit(program()) }

// program is main as a function of the process, for tests that run the
// command inside themselves.
func program() int {
	w := &world{
		args:   os.Args[1:],
		getenv: os.Getenv,
		stdout: os.Stdout,
		stderr: os.Stderr,
	}
	w.lang = language(w.args, w.getenv)
	w.stdoutScreen = screenOf(os.Stdout, w.getenv)
	w.stderrScreen = screenOf(os.Stderr, w.getenv)
	return w.main()
}

// screen is what is known of where output goes.
type screen struct {
	terminal bool
	width    int // cells; 0: not known
	color    bool
}

// screenOf looks at an output. NO_COLOR (no-color.org), TERM=dumb and CI mean
// no colour; CI and TERM=dumb also mean nothing that redraws.
func screenOf(f *os.File, getenv func(string) string) screen {
	if !term.IsTerminal(int(f.Fd())) || getenv("TERM") == "dumb" || getenv("CI") != "" {
		return screen{}
	}
	width, _, _ := term.GetSize(int(f.Fd()))
	return screen{terminal: true, width: width, color: getenv("NO_COLOR") == ""}
}

// language is what --lang says, else TIDEMARK_LANG, else the locale. It is
// needed before flags are parsed, since help and errors are said in it.
func language(args []string, getenv func(string) string) text.Lang {
	for i, a := range args {
		if a == "--" {
			break
		}
		if v, ok := cutFlag(a, "--lang"); ok {
			return text.Lang(v)
		}
		if a == "--lang" && i+1 < len(args) {
			return text.Lang(args[i+1])
		}
	}
	if v := getenv("TIDEMARK_LANG"); v != "" {
		return text.Lang(v)
	}
	return text.FromEnv(getenv)
}
