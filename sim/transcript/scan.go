package transcript

import (
	"strconv"
	"strings"
)

// word is one word of a line. A quoted one is never a keyword.
type word struct {
	text   string
	quoted bool
}

// scan cuts a line into words. limit bounds what its strings may grow to.
func scan(line string, limit int) ([]word, error) {
	var words []word
	for {
		line = strings.TrimLeft(line, " \t\r")
		switch {
		case line == "" || line[0] == '#':
			return words, nil
		case line[0] == '"' || line[0] == '`':
			w, rest, err := scanString(line, limit)
			if err != nil {
				return nil, err
			}
			words, line, limit = append(words, w), rest, limit-len(w.text)
		default:
			end := strings.IndexAny(line, " \t\r")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, word{text: line[:end]}), line[end:]
		}
	}
}

// scanString takes one string, and its *N, off the front of a line.
func scanString(line string, limit int) (word, string, error) {
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return word{}, "", wrong("transcript.bad_string")
	}
	s, err := strconv.Unquote(quoted)
	if err != nil {
		return word{}, "", wrong("transcript.bad_string")
	}
	line = line[len(quoted):]
	times := 1
	if strings.HasPrefix(line, "*") {
		end := 1
		for end < len(line) && '0' <= line[end] && line[end] <= '9' {
			end++
		}
		if times, err = number(line[1:end]); err != nil {
			return word{}, "", err
		}
		line = line[end:]
	}
	if times > 0 && len(s) > limit/times {
		return word{}, "", tooLarge()
	}
	return word{strings.Repeat(s, times), true}, line, nil
}

// number reads a whole number that is not negative.
func number(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return 0, wrong("transcript.not_number", s)
	}
	return int(n), nil
}

func tooLarge() error { return wrong("transcript.too_large") }

// stars cuts "N*rest" into its two halves; without a star N is 1.
func stars(s string) (int, string, error) {
	count, rest, found := strings.Cut(s, "*")
	if !found {
		return 1, s, nil
	}
	n, err := number(count)
	return n, rest, err
}
