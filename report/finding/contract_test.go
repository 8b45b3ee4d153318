package finding

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The list of docs/MEASUREMENT.md is the contract: each rule is on it, and
// nothing else is.
func TestMeasurementPageListsTheRules(t *testing.T) {
	page, err := os.ReadFile("../../docs/MEASUREMENT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## Findings")
	section, _, _ = strings.Cut(section, "\n## ")
	var told []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(section, -1) {
		told = append(told, m[1])
	}
	have := []string{"quota_spent"} // of the run itself
	for _, r := range ofLevel {
		have = append(have, r.id)
	}
	for _, r := range ofLadder {
		have = append(have, r.id)
	}
	slices.Sort(told)
	slices.Sort(have)
	if d := cmp.Diff(have, told); d != "" {
		t.Errorf("(-rules +page):\n%s", d)
	}
}
