package trace

import (
	"slices"
	"strings"
	"unicode"

	"tidemark/text"
)

// column is what a trace tells of a request.
type column int

const (
	timeColumn column = iota
	inputColumn
	outputColumn
	blocksColumn
	sessionColumn
	columns // how many there are
)

// known is the words for each column, reduced, in the order in which they are
// looked for. Sources: Azure's LLM inference traces (TIMESTAMP, ContextTokens,
// GeneratedTokens), Mooncake (timestamp, input_length, output_length,
// hash_ids), BurstGPT (Timestamp, Request tokens, Response tokens, Session ID).
// A word for the time may have a unit behind it.
var known = [columns]struct {
	key      string // as Options.Columns has it
	required bool
	words    []string
}{
	timeColumn:    {"time", true, []string{"timestamp", "arrivaltime", "arrivaltimestamp", "arrivedat", "time", "starttime"}},
	inputColumn:   {"input", true, []string{"contexttokens", "inputlength", "requesttokens", "inputtokens", "prompttokens", "promptlength", "promptlen", "inputlen", "isl", "numprefilltokens"}},
	outputColumn:  {"output", true, []string{"generatedtokens", "outputlength", "responsetokens", "outputtokens", "completiontokens", "outputlen", "osl", "numdecodetokens"}},
	blocksColumn:  {"blocks", false, []string{"hashids"}},
	sessionColumn: {"session", false, []string{"sessionid", "session", "conversationid", "chatid"}},
}

// reduced is a column's name without what people write in different ways.
func reduced(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-()[]\ufeff", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// places says where each column is among a file's names; -1: nowhere.
type places [columns]int

func find(names []string, own map[string]string) (at places) {
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = reduced(n)
	}
	for c, k := range known {
		word, given := own[k.key]
		switch at[c] = slices.Index(names, word); {
		case given && at[c] < 0:
			at[c] = slices.Index(short, reduced(word))
		case !given:
			at[c] = first(short, k.words)
		}
	}
	if _, given := own[known[timeColumn].key]; !given && at[timeColumn] < 0 {
		at[timeColumn] = slices.IndexFunc(short, func(n string) bool { return suffixed(n) != "" })
	}
	return at
}

// first is where the first of the words is that is among the names.
func first(names, words []string) int {
	for _, w := range words {
		if i := slices.Index(names, w); i >= 0 {
			return i
		}
	}
	return -1
}

// suffixed is the unit behind a known word for the time; "": it is none.
func suffixed(name string) string {
	for _, w := range known[timeColumn].words {
		if u, ok := strings.CutPrefix(name, w); ok && units[u] != 0 {
			return u
		}
	}
	return ""
}

// refuse says which column is missing that must be there: one that every trace
// has, or one that was named.
func (at places) refuse(line int, names []string, own map[string]string) *trouble {
	for c, k := range known {
		if _, given := own[k.key]; at[c] < 0 && (k.required || given) {
			return wrong(line, text.Msg("trace.column", k.key, listed(names)), text.Msg("trace.column.hint", k.key))
		}
	}
	return nil
}

// listed is names for a person to read, whatever the file has put into them.
func listed(names []string) string {
	return clipped(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(names, ", ")), 200)
}

// clipped is the first n characters of s.
func clipped(s string, n int) string {
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
}
