package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"tidemark/job/check"
	"tidemark/load/plan"
	"tidemark/load/provider"
	"tidemark/text"
)

const defaultKeyEnv = "OPENAI_API_KEY"

// maxKey bounds a key file; keys are some hundred bytes.
const maxKey = 64 << 10

// findKey returns the key and where it came from: the plan's file, the plan's
// variable, the provider's variable, OPENAI_API_KEY. An endpoint named by its
// URL may need no key; a provider that is named, or a place that is, must
// have one.
func findKey(p *plan.Plan, prov provider.Provider, getenv func(string) string) (string, check.Key, error) {
	if p.KeyFile != "" {
		return keyFromFile(p.KeyFile)
	}
	from := check.Key{Variable: defaultKeyEnv}
	needed := false
	switch {
	case p.KeyEnv != "":
		from.Variable, needed = p.KeyEnv, true
	case prov.KeyEnv != "":
		from.Variable, needed = prov.KeyEnv, true
	}
	key, from, err := trimKey(getenv(from.Variable), from)
	if err == nil && needed && key == "" {
		err = target(text.Wrong(text.Msg("cli.key.unset", from.Variable), text.Msg("cli.key.unset.hint", from.Variable)))
	}
	return key, from, err
}

func keyFromFile(path string) (string, check.Key, error) {
	from := check.Key{File: path}
	f, err := os.Open(path)
	if err != nil {
		return "", from, wrong(text.Msg("cli.key.file", path, reason(err)), text.Msg("cli.key.file.hint"))
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err != nil {
		return "", from, wrong(text.Msg("cli.key.file", path, reason(err)), text.Msg("cli.key.file.hint"))
	}
	if len(body) > maxKey {
		return "", from, wrong(text.Msg("cli.key.long", path), text.Msg("cli.key.file.hint"))
	}
	key, from, err := trimKey(string(body), from)
	if err == nil && key == "" {
		err = wrong(text.Msg("cli.key.empty", path), text.Msg("cli.key.file.hint"))
	}
	return key, from, err
}

// trimKey takes white space off a key's ends, which a pasted line brings, and
// refuses what no header may hold. The key itself is never repeated.
func trimKey(raw string, from check.Key) (string, check.Key, error) {
	key := strings.TrimSpace(raw)
	from.Empty = key == ""
	// A file's last newline is no mistake.
	from.Space = key != strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r")
	where := from.Variable + from.File
	for _, c := range key {
		if c <= ' ' || c >= 0x7f {
			return "", from, wrong(text.Msg("cli.key.bytes", where), text.Msg("cli.key.bytes.hint"))
		}
	}
	return key, from, nil
}

// reason is the system's words for a failed call on a path, without the path.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
