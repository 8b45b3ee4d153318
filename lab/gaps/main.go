// Command gaps prints mean, p50 and p99, in milliseconds, of the gaps between
// output frames of all ok requests of a run, those outside the windows too:
//
//	gaps DIR
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
)

func main() {
	f, err := os.Open(filepath.Join(os.Args[1], record.FileName))
	if err != nil {
		fmt.Fprintln(os.Stderr, "gaps:", err)
		os.Exit(1)
	}
	defer f.Close()
	var all []int64
	sum := 0.0
	for rec, err := range record.Read(f) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "gaps:", err)
			os.Exit(1)
		}
		if a, ok := rec.(*record.Attempt); ok && a.Phase == record.Measured && a.Outcome == outcome.OK {
			for gap := range a.Gaps.All() {
				all = append(all, gap)
				sum += float64(gap)
			}
		}
	}
	slices.Sort(all)
	rank := func(p int) float64 { return float64(all[max((len(all)*p+99)/100, 1)-1]) / 1e6 }
	fmt.Println(sum/float64(len(all))/1e6, rank(50), rank(99))
}
