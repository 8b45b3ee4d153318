package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Chinese has no spaces to break lines at: a line may end beside any wide
// character, but these marks belong to what is before or after them.
const (
	closing = "，。、；：！？）】」』》〉”’％…—,.;:!?)]}%"
	opening = "（【「『《〈“‘([{"
)

// piece is text that is not broken, and whether a space is before it.
type piece struct {
	text  string
	width int
	space bool
}

// wrap breaks a clean text into lines of at most width cells; at least one.
// Parts between middle dots stay whole where that leaves no great gap.
func wrap(s string, width int) []string {
	var lines []string
	line, used := "", 0
	all := pieces(s)
	for i, pc := range all {
		if pc.space && used > 0 {
			pc.text, pc.width = " "+pc.text, pc.width+1
		}
		need := pc.width
		if i > 0 && all[i-1].text == "·" {
			if part := partWidth(all[i:]); part <= width/2 {
				need = part + 1
			}
		}
		if used > 0 && used+need > width {
			lines = append(lines, line)
			line, used = "", 0
			if pc.space {
				pc.text, pc.width = pc.text[1:], pc.width-1
			}
		}
		for pc.width > width {
			// A word wider than a line is broken where the line ends.
			head := fitting(pc.text, width)
			if head == "" {
				break
			}
			lines = append(lines, head)
			pc.text = pc.text[len(head):]
			pc.width = ansi.StringWidth(pc.text)
		}
		line += pc.text
		used += pc.width
	}
	return append(lines, line)
}

// fitting is the beginning of a text that fills at most width cells.
func fitting(s string, width int) string {
	end, used := 0, 0
	for end < len(s) {
		c, w := ansi.FirstGraphemeCluster(s[end:], ansi.GraphemeWidth)
		if used += w; used > width {
			break
		}
		end += len(c)
	}
	return s[:end]
}

// partWidth is how wide a text is up to and with its next middle dot.
func partWidth(all []piece) int {
	w := 0
	for i, pc := range all {
		w += pc.width
		if i > 0 && pc.space {
			w++
		}
		if pc.text == "·" {
			break
		}
	}
	return w
}

func pieces(s string) []piece {
	var all []piece
	var before string // the last character, "" after a space
	wide, space := false, false
	for s != "" {
		c, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(c):]
		if c == " " {
			space, before = true, ""
			continue
		}
		join := before != "" && (!wide && w < 2 ||
			strings.Contains(closing, c) || strings.Contains(opening, before))
		if join {
			last := &all[len(all)-1]
			last.text += c
			last.width += w
		} else {
			all = append(all, piece{c, w, space})
		}
		before, wide, space = c, w >= 2, false
	}
	return all
}
