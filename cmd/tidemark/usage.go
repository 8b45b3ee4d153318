package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tidemark/text"
)

// usageTexts puts the words around a command's help into the reader's language.
func (w *world) usageTexts(root *cobra.Command) {
	width := w.options(w.stdoutScreen).Width
	if width == 0 {
		width = 100
	}
	cobra.AddTemplateFunc("wrapped", func(f *pflag.FlagSet) string { return f.FlagUsagesWrapped(width) })
	root.PersistentFlags().BoolP("help", "h", false, w.say("cli.flag.help"))
	// `tidemark help run` works and needs no line of its own.
	usage := strings.NewReplacer(
		`(or .IsAvailableCommand (eq .Name "help"))`, ".IsAvailableCommand",
		".LocalFlags.FlagUsages", "wrapped .LocalFlags",
		".InheritedFlags.FlagUsages", "wrapped .InheritedFlags",
	).Replace(root.UsageTemplate())
	root.SetUsageTemplate(usage)
	root.SetHelpCommand(&cobra.Command{Use: "help [command]", Hidden: true, RunE: func(c *cobra.Command, args []string) error {
		of, _, err := c.Root().Find(args)
		if err != nil {
			return err
		}
		return of.Help()
	}})
	if w.lang != text.Chinese {
		return
	}
	for _, c := range append(root.Commands(), root) {
		c.Use, c.DisableFlagsInUseLine = c.Use+" [参数]", true
	}
	root.SetUsageTemplate(strings.NewReplacer(
		"Usage:", "用法：",
		"Examples:", "示例：",
		"Available Commands:", "命令：",
		"Global Flags:", "通用参数：",
		"Flags:", "参数：",
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`,
		`用 "{{.CommandPath}} [command] --help" 查看某个命令的说明。`,
	).Replace(usage))
}
