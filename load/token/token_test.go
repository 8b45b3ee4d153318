package token

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"nothing", "", 0},
		{"never 0 for a text", " ", 1},
		{"one word", "hello", 1}, // 70+50 = 120
		// 5 words, 22 letters, a mark: 350+220+80 = 650; halves round up.
		{"a sentence", "what makes tides so regular?", 7},
		{"accents cut", "schöne", 2}, // 70+30, 10, 70+20 = 200
		{"cyrillic", "привет", 2},    // 70+6×23 = 208
		{"chinese", "潮汐是怎样形成的？", 6},  // 8×70+80 = 640
		{"kana", "こんにちは", 4},         // 5×75 = 375
		{"hangul", "안녕하세요", 4},
		{"a further script", "สวัสดี", 3},  // 6×50
		{"digits", "20260101", 4},          // 8×45 = 360
		{"marks in a row", "...", 2},       // 80+2×35 = 150
		{"marks apart", ". . .", 2},        // 3×80 = 240
		{"a line break", "a\nb", 2},        // 80+60+80 = 220
		{"indentation", "a\n\t\t    b", 2}, // the same
		{"two spaces", "a  b", 2},
		{"emoji", "🌊🌊", 3},               // 2×150
		{"no text", "\xff\xfe", 3},       // 2×150
		{"cut character", "\xe6\xbd", 3}, // each byte stands for itself
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Estimate(c.text); got != c.want {
				t.Errorf("Estimate(%q) = %d, want %d", c.text, got, c.want)
			}
		})
	}
}

// texts draws what answers are made of, broken bytes among it.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var s string
		for range rapid.IntRange(0, 12).Draw(t, "pieces") {
			s += rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
				" ", "  ", "\n", "潮汐", "tide", "é", "42", "\xff", "\xe6\xbd", "\xf0\x9f", "🌊",
			})).Draw(t, "piece")
		}
		return s
	})
}

func TestCounterIsEstimateHoweverCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := texts().Draw(t, "text")
		var c Counter
		for at := 0; at < len(text); {
			n := rapid.IntRange(0, min(5, len(text)-at)).Draw(t, "piece")
			c.Add([]byte(text[at : at+n]))
			at += n
			if got, want := c.Tokens(), Estimate(text[:at]); got != want {
				t.Fatalf("after %q: %d tokens, want %d", text[:at], got, want)
			}
		}
		if got, want := c.Runes(), utf8.RuneCountInString(text); got != want {
			t.Fatalf("%q: %d runes, want %d", text, got, want)
		}
	})
}

func TestLongerTextIsNeverFewer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if Estimate(a+b) < Estimate(a) {
			t.Fatalf("%q is %d tokens, %q after it makes %d", a, Estimate(a), b, Estimate(a+b))
		}
	})
}

func TestNothingIsAllocated(t *testing.T) {
	text := "a tide is 潮汐, é 🌊\n\n42"
	piece := []byte(text)
	var c Counter
	if n := testing.AllocsPerRun(100, func() { c.Add(piece); c.Tokens(); Estimate(text) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
