package render

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSparkline(t *testing.T) {
	for _, c := range []struct {
		values []float64
		width  int
		top    float64
		want   string
	}{
		{[]float64{0, 1, 2, 4, 8}, 10, 0, " ▁▂▄█"},
		{[]float64{4, 8}, 10, 16, "▂▄"},
		{[]float64{1, 3, 4, 4}, 2, 0, "▄█"}, // means of 2 and 4
		{[]float64{0, 0}, 4, 0, "  "},
		{nil, 4, 0, ""},
	} {
		if got := sparkline(c.values, c.width, c.top); got != c.want {
			t.Errorf("%v in %d: %q, not %q", c.values, c.width, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Float64Range(0, 1e6)).Draw(t, "values")
		width := rapid.IntRange(-1, 100).Draw(t, "width")
		if n := utf8.RuneCountInString(sparkline(values, width, 0)); n > max(width, 1) || n > len(values) {
			t.Fatalf("%d cells", n)
		}
	})
}
