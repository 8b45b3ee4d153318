// Package stat answers how much and how sure: summaries, percentiles and
// histograms, as arithmetic. It knows nothing of requests.
package stat

// Summary describes a sample. Its unit is the sample's. Percentiles are
// nearest rank: p90 is the smallest value that at least 90 % of the sample
// does not exceed.
type Summary struct {
	N    int      `json:"n"`
	Mean float64  `json:"mean"`
	SD   float64  `json:"sd"` // of the sample, n−1; 0 for n = 1
	Min  float64  `json:"min"`
	P50  float64  `json:"p50"`
	P90  float64  `json:"p90"`
	P95  float64  `json:"p95"`
	P99  float64  `json:"p99"`
	P999 *float64 `json:"p999"` // null where n is too small for it
	Max  float64  `json:"max"`
	// Thin names the percentiles that n is too small for: an upper bound at
	// 99 % would have no value above it. p50 is never thin.
	Thin []string `json:"thin"`
}
