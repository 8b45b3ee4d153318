package render

import (
	"bytes"
	"testing"
	"time"

	"tidemark/job/selftest"
	"tidemark/record"
	"tidemark/run/machine"
	"tidemark/text"
)

func selftested() *selftest.Result {
	figures := func(off float64) []selftest.Figure {
		return []selftest.Figure{
			{Name: selftest.TTFTMean, Client: 50.5 + off, Truth: 50.5, Bound: 1, Agrees: off < 1},
			{Name: selftest.TTFTP99, Client: 51.4 + 9*off, Truth: 51.4, Bound: 4.5, Agrees: off < .5},
			{Name: selftest.ITLP99, Client: 11.1, Truth: 11.1, Bound: 1, Agrees: true},
		}
	}
	return &selftest.Result{
		Format: 1, Tidemark: "0.1.0", At: time.Date(2026, 3, 14, 6, 0, 0, 0, time.UTC), Machine: record.Machine{OS: "linux", Arch: "amd64", CPUs: 8},
		Streams: 500, FramesPerS: 43_316, RatePerS: 1000, RequestsPerS: 998,
		Steps: []selftest.Step{
			{Streams: 500, Requests: 1000, OK: 1000, FramesPerS: 43_316, Figures: figures(.003), CPUFrameUs: ptr(12.7), StreamBytes: ptr(int64(36_000)), Valid: ptr(true), Agrees: true, Fine: true},
			{Streams: 1000, Requests: 2000, OK: 2000, FramesPerS: 82_373, Figures: figures(2.74), CPUFrameUs: ptr(10.8), StreamBytes: ptr(int64(32_000)), Valid: ptr(false), Failed: []string{"V1.frames", "V1.first"}},
			{Streams: 90_000, Requests: 180_000, Lack: &machine.Lack{What: machine.Files, Want: 90_016, Have: 20_000}},
			{RatePerS: 1000, Requests: 2000, OK: 2000, RequestsPerS: 998, Figures: figures(.1), LateMs: ptr(.4), CPURequestUs: ptr(390.0), Valid: ptr(true), Agrees: true, Fine: true},
			{RatePerS: 4000, Requests: 8000, OK: 7990, RequestsPerS: 3987, Figures: figures(.1), LateMs: ptr(1.4), CPURequestUs: ptr(250.0), Valid: ptr(true), Agrees: false, Wrong: true},
		},
	}
}

func TestSelftestGolden(t *testing.T) {
	for _, lang := range languages {
		var b bytes.Buffer
		r := selftested()
		for _, s := range r.Steps {
			SelftestStep(&b, s, options(lang))
		}
		if err := Selftest(&b, r, options(lang)); err != nil {
			t.Fatal(err)
		}
		r.Wrong, r.Streams, r.RatePerS = true, 0, 0
		if err := Selftest(&b, r, options(text.English)); err != nil {
			t.Fatal(err)
		}
		golden(t, "selftest-"+string(lang), b.Bytes())
	}
}
