package plan

import "strings"

// Nearest returns the known name that name was most likely meant to be, or ""
// where none is near: at most a third of its letters were mistyped, or it is
// the beginning of one name alone.
func Nearest(name string, known []string) string {
	if len(name) > 100 { // no name is
		return ""
	}
	name = strings.ToLower(name)
	best, least := "", len([]rune(name))/3+1
	begun := ""
	for _, k := range known {
		if d := distance(name, strings.ToLower(k)); d < least {
			best, least = k, d
		}
		if len(name) >= 3 && strings.HasPrefix(strings.ToLower(k), name) {
			if begun != "" {
				begun = "" // of several names
				break
			}
			begun = k
		}
	}
	if best == "" {
		return begun
	}
	return best
}

// distance counts the letters to insert, remove, replace, or swap with their
// neighbour.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(s); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(t)]
}
