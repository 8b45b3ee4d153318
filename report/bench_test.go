package report

import (
	"testing"

	"tidemark/record"
	"tidemark/text"
)

// BenchmarkCompute is both readings of 20,000 answers of 128 frames, from
// memory.
func BenchmarkCompute(b *testing.B) {
	const attempts = 20000
	recs := []record.Record{opening(), start(1, 1, 2, 999), edge(record.LevelFull, 1, 1, 1032)}
	for i := range attempts {
		a := answered(i+1, 1000+32*float64(i))
		a.Gaps, a.Lags = nil, nil
		for range 127 {
			a.Gaps, a.Lags = a.Gaps.Append(2e5), a.Lags.Append(3e4)
		}
		recs = append(recs, a)
	}
	last := 1000 + 32*float64(attempts-1)
	recs = append(recs, edge(record.LevelEmptied, 1, 1, last), edge(record.LevelEnd, 1, 1, last+64), &record.End{At: at(last + 64), Reason: record.Done})
	b.ReportAllocs()
	for b.Loop() {
		r, err := Compute(of(recs, nil), Options{Lang: text.English})
		if err != nil || r.Levels[0].Short {
			b.Fatal(err, r.Levels[0].ShortWhy)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/attempts, "ns/attempt")
}
