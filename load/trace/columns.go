package trace

import (
	"slices"
	"strings"

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
var known = [columns]struct {
	key      string // as Options.Columns has it
	required bool
	words    []string
}{
	timeColumn:    {"time", true, []string{"timestamp", "arrivaltime", "arrivaltimestamp", "arrivedat", "time", "starttime", "timestampms", "timestamps", "timestampns"}},
	inputColumn:   {"input", true, []string{"contexttokens", "inputlength", "requesttokens", "inputtokens", "prompttokens", "promptlength", "promptlen", "inputlen", "isl"}},
	outputColumn:  {"output", true, []string{"generatedtokens", "outputlength", "responsetokens", "outputtokens", "completiontokens", "outputlen", "osl"}},
	blocksColumn:  {"blocks", false, []string{"hashids"}},
	sessionColumn: {"session", false, []string{"sessionid", "session", "conversationid", "chatid"}},
}

// reduced is a column's name without what people write in different ways.
func reduced(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' || r == '\ufeff' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// find says where each column is among the file's names; -1: it has none.
func find(names []string, own map[string]string) (at [columns]int, bad *trouble) {
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = reduced(n)
	}
	for c, k := range known {
		at[c] = -1
		words := k.words
		if word, given := own[k.key]; given {
			words = []string{reduced(word)}
		}
		for _, w := range words {
			if at[c] = slices.Index(short, w); at[c] >= 0 {
				break
			}
		}
		if at[c] < 0 && (k.required || own[k.key] != "") {
			return at, wrong(1, text.Msg("trace.column", k.key, listed(names)), text.Msg("trace.column.hint", k.key))
		}
	}
	return at, nil
}

func listed(names []string) string {
	s := strings.Join(names, ", ")
	if runes := []rune(s); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return s
}
