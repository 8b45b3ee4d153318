package report

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
)

// section is what docs/OUTPUT.md has under a heading, up to the next.
func section(t *testing.T, heading string) string {
	t.Helper()
	page, err := os.ReadFile("../docs/OUTPUT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range regexp.MustCompile(`(?m)^##+ `).Split(string(page), -1) {
		if name, body, ok := strings.Cut(part, "\n"); ok && name == heading {
			return body
		}
	}
	t.Fatalf("docs/OUTPUT.md has no %q", heading)
	return ""
}

var quoted = regexp.MustCompile("`([a-z0-9_]+)`")

func names(s string) []string {
	var all []string
	for _, m := range quoted.FindAllStringSubmatch(s, -1) {
		all = append(all, m[1])
	}
	return all
}

// rows are a section's table rows by each name in their first cells; the value
// is the other cells.
func rows(s string) map[string]string {
	all := map[string]string{}
	for _, line := range strings.Split(s, "\n") {
		if cells := strings.SplitN(line, "|", 3); len(cells) == 3 && cells[0] == "" {
			for _, name := range names(cells[1]) {
				all[name] = cells[2]
			}
		}
	}
	return all
}

// where is the section that explains an object of the report: its fields are
// the first cells of the section's tables. Objects that are not here are
// explained in the row of the field that holds them.
var where = map[string]string{
	"report": "The report", "verdict": "Verdict", "console": "Console", "level": "Levels", "load": "Load", "frames": "Frames",
	"latency": "Latency and speed", "speed": "Latency and speed", "summary": "Latency and speed", "reliability": "Reliability",
	"outcome": "Outcomes", "tokens": "Tokens", "check": "Checks", "group": "Groups", "timeline": "Timeline", "clock": "Clock", "finding": "Findings and warnings", "warning": "Findings and warnings",
}

// The page that explains the contract names every field where it belongs, and
// no other.
func TestOutputPageNamesEveryField(t *testing.T) {
	want := map[string][]string{} // by section
	var visit func(object, row string, n node)
	visit = func(object, row string, n node) {
		heading, own := where[object]
		for name, p := range n.Properties {
			if own {
				want[heading] = append(want[heading], name)
				row = rows(section(t, heading))[name]
			} else if !slices.Contains(names(row), name) {
				t.Errorf("docs/OUTPUT.md does not name %s.%s where it explains %s", object, name, object)
			}
			if p.Items != nil {
				visit(name, row, *p.Items)
			}
			visit(name, row, p)
		}
	}
	root := readSchema(t)
	visit("report", "", root)
	for name, d := range root.Defs {
		visit(name, "", d)
	}
	for heading, fields := range want {
		var told []string
		for name := range rows(section(t, heading)) {
			told = append(told, name)
		}
		slices.Sort(fields)
		slices.Sort(told)
		if d := cmp.Diff(slices.Compact(fields), told); d != "" {
			t.Errorf("%s (-fields +page):\n%s", heading, d)
		}
	}
}

// after is the names in a section from one phrase to another.
func after(t *testing.T, s, from, to string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(s, from)
	list, _, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("no %q … %q", from, to)
	}
	all := names(list)
	slices.Sort(all)
	return all
}

func TestOutputPageListsClassesAndWarnings(t *testing.T) {
	of := func(side outcome.Side) []string {
		var all []string
		for _, c := range outcome.Classes() {
			if c.Side() == side {
				all = append(all, string(c))
			}
		}
		slices.Sort(all)
		return all
	}
	classes, warnings := section(t, "Outcomes"), section(t, "Findings and warnings")
	inRecords := record.Warnings()
	slices.Sort(inRecords)
	for name, c := range map[string][2][]string{
		"failures":               {of(outcome.Failure), after(t, classes, "count against success:", ", and `http_`")},
		"client":                 {of(outcome.Client), after(t, classes, "Client:", ".")},
		"cut":                    {of(outcome.Cut), after(t, classes, "Cut:", ".")},
		"warnings":               {inRecords, after(t, warnings, "answers may hold:", ".")},
		"warnings of the report": {[]string{clockStepped, machineSlept, roundsLeftOut, usageMissing}, after(t, warnings, "Of the report:", ".")},
	} {
		if d := cmp.Diff(c[0], c[1]); d != "" {
			t.Errorf("%s (-code +page):\n%s", name, d)
		}
	}
}

func TestOutputPageListsExitCodes(t *testing.T) {
	page := section(t, "Exit codes")
	for _, code := range []int{ExitFine, ExitMissed, ExitUsage, ExitInvalid, ExitTarget, ExitOurs, ExitInterrupted} {
		if !strings.Contains(page, "\n| "+strconv.Itoa(code)+" |") {
			t.Errorf("no row for %d", code)
		}
	}
}
