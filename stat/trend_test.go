package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// A straight line has its own slope, and nothing beside it.
func TestTrendOfALine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(trendFewest, 50).Draw(t, "n")
		by := rapid.IntRange(-1000, 1000).Draw(t, "by")
		ys := make([]float64, n)
		for i := range ys {
			ys[i] = float64(7 + by*i)
		}
		slope, within, ok := Trend(ys)
		if !ok || math.Abs(slope-float64(by)) > 1e-9 || within > 1e-6 {
			t.Fatalf("%v ± %v, %v", slope, within, ok)
		}
	})
}

// Eight values, 1 −1 −1 1 1 −1 −1 1 about a level of 3. The products of
// neighbours sum to −1, over 8: −.125, corrected by (1 − .5)/8 it is −.0625,
// and taken as 0. The slope is (−3.5 + 2.5 + 1.5 − .5 + .5 − 1.5 − 2.5 +
// 3.5)/42 = 0, and its interval t(6) × √(8/6/42) = 2.447 × .17817.
func TestTrendByHand(t *testing.T) {
	slope, within, ok := Trend([]float64{4, 2, 2, 4, 4, 2, 2, 4})
	if !ok || slope != 0 || math.Abs(within-2.44691*.178174) > .001 {
		t.Errorf("%v ± %v, %v", slope, within, ok)
	}
}

func TestTrendOfTooFew(t *testing.T) {
	if _, _, ok := Trend(make([]float64, trendFewest-1)); ok {
		t.Error("a trend of seven values")
	}
}

func TestStudent975(t *testing.T) {
	for freedom, want := range map[float64]float64{3: 3.1824, 4: 2.7764, 6: 2.4469, 18: 2.1009, 100: 1.9840} {
		if got := student975(freedom); math.Abs(got-want) > .002*want {
			t.Errorf("%v: %v, not %v", freedom, got, want)
		}
	}
}

// Of series without a trend one in twenty may show one. Where neighbours are
// alike it is more, since twenty values can hardly tell how alike they are; an
// interval that ignored it would show one in two.
func TestTrendSeesNoneWhereThereIsNone(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for alike, most := range map[float64]int{0: 120, .5: 240, .8: 340} {
		seen := 0
		for range 2000 {
			ys := make([]float64, 20)
			y := rnd.NormFloat64() / math.Sqrt(1-alike*alike)
			for i := range ys {
				ys[i] = y
				y = alike*y + rnd.NormFloat64()
			}
			if slope, within, _ := Trend(ys); math.Abs(slope) > within {
				seen++
			}
		}
		if seen > most {
			t.Errorf("neighbours alike by %v: a trend in %d of 2000", alike, seen)
		}
	}
}
