// Command recorded prints, as JSON, what the records of a run hold beyond its
// report: mean, p50 and p99, in milliseconds, of the gaps between output frames
// of all ok requests of the load, those outside the windows too; and the most
// memory that the run was seen to hold while there was load:
//
//	recorded DIR
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "recorded DIR")
		os.Exit(2)
	}
	if err := tell(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "recorded:", err)
		os.Exit(1)
	}
}

func tell(dir string) error {
	f, err := os.Open(filepath.Join(dir, record.FileName))
	if err != nil {
		return err
	}
	defer f.Close()
	var gaps []int64
	var rss int64
	for rec, err := range record.Read(f) {
		if err != nil {
			return err
		}
		switch r := rec.(type) {
		case *record.Attempt:
			if r.Phase == record.Measured && r.Outcome == outcome.OK {
				for gap := range r.Gaps.All() {
					gaps = append(gaps, gap)
				}
			}
		case *record.Sample:
			rss = max(rss, r.RSSBytes)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"itl_ms": spread(gaps), "rss_kib": rss >> 10})
}

// spread is nil for nothing; percentiles are nearest rank.
func spread(ns []int64) map[string]float64 {
	if len(ns) == 0 {
		return nil
	}
	slices.Sort(ns)
	sum := 0.0
	for _, v := range ns {
		sum += float64(v)
	}
	rank := func(p int) float64 { return float64(ns[max((len(ns)*p+99)/100, 1)-1]) / 1e6 }
	return map[string]float64{"mean": sum / float64(len(ns)) / 1e6, "p50": rank(50), "p99": rank(99)}
}
