package render

import (
	"math"
	"strings"
)

var blocks = []rune("▁▂▃▄▅▆▇█")

// sparkline draws figures in at most so many cells: a block as high as the
// share of the greatest, a blank for zero. Where there are more figures than
// cells, a cell is the mean of its share of them. top is what a full block
// stands for; where a cell is higher, or top is 0: the greatest cell.
func sparkline(values []float64, width int, top float64) string {
	cells := resampled(values, width)
	top = max(top, highest(values, width))
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

// highest is the greatest cell of a sparkline of that width.
func highest(values []float64, width int) float64 {
	top := 0.0
	for _, c := range resampled(values, width) {
		top = max(top, c)
	}
	return top
}

func resampled(values []float64, width int) []float64 {
	n := min(len(values), max(width, 1))
	cells := make([]float64, n)
	for i := range cells {
		from, to := i*len(values)/n, (i+1)*len(values)/n
		for _, v := range values[from:to] {
			cells[i] += v
		}
		cells[i] /= float64(to - from)
	}
	return cells
}
