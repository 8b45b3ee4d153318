package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version and commit are set by the linker where a release is built.
var version, commit = "", ""

func (w *world) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: w.say("cli.version"),
		Args:  w.noArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(w.stdout, "tidemark", versionLine())
			return nil
		},
	}
}

// versionLine is version, commit, Go and platform.
func versionLine() string {
	v, c := build()
	return fmt.Sprintf("%s (%s) %s %s/%s", v, c, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// build returns the version and the commit: the linker's, else what the Go
// tool noted in the binary.
func build() (v, c string) {
	v, c = version, commit
	info, ok := debug.ReadBuildInfo()
	if ok && v == "" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	if ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && c == "" {
				c = s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	if v == "" {
		v = "devel"
	}
	if c == "" {
		c = "unknown commit"
	}
	return v, c
}
