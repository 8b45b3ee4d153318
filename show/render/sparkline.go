package render

import (
	"math"
	"strings"
)

var blocks = []rune("▁▂▃▄▅▆▇█")

// sparkline draws figures in at most so many cells: a block as high as the
// share of the greatest, a blank for zero. Where there are more figures than
// cells, a cell is the mean of its share of them. top is what a full block
// stands for; 0: the greatest cell.
func sparkline(values []int, width int, top float64) string {
	cells := resampled(values, width)
	for _, c := range cells {
		top = max(top, c)
	}
	var b strings.Builder
	for _, c := range cells {
		if c <= 0 || top <= 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(blocks[min(int(math.Ceil(c/top*float64(len(blocks))))-1, len(blocks)-1)])
	}
	return b.String()
}

func resampled(values []int, width int) []float64 {
	n := min(len(values), max(width, 1))
	cells := make([]float64, n)
	for i := range cells {
		from, to := i*len(values)/n, (i+1)*len(values)/n
		for _, v := range values[from:to] {
			cells[i] += float64(v)
		}
		cells[i] /= float64(to - from)
	}
	return cells
}
