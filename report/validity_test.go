package report

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/stat"
)

// statuses is what each check said.
func statuses(l Level) map[string]Status {
	all := map[string]Status{}
	for _, c := range l.Validity.Checks {
		all[c.ID] = c.Status
	}
	return all
}

// What a check of a healthy level can judge is ok, and the rest says why it
// can't: nothing is left undecided.
func TestHealthyLevels(t *testing.T) {
	closed := map[string]Status{
		"V1.frames": CheckOK, "V1.first": CheckOK, "V1.reads": NotApplicable, "V2": NotApplicable, "V3": NotApplicable, "V4": CheckOK,
		"V5.cpu": CheckOK, "V5.quota": CheckOK, "V6": CheckOK, "V7": NotApplicable, "V8": CheckOK, "V9": CheckOK,
		"V10": NotApplicable, "V11": CheckOK, "V13": NotApplicable,
	}
	open := map[string]Status{"V2": CheckOK, "V3": CheckOK, "V4": NotApplicable, "V7": CheckOK}
	for id, s := range closed {
		if _, own := open[id]; !own {
			open[id] = s
		}
	}
	full := map[string]Status{"V1.reads": CheckOK, "V10": CheckOK, "V13": CheckOK}
	for id, s := range open {
		if _, own := full[id]; !own {
			full[id] = s
		}
	}
	everything := calm(true)
	everything.run.Targets[0].Local = true
	everything.every(1, func(a *record.Attempt) { a.Stamps, a.Lags, a.OutputAsked = "read", nil, 4 })
	for name, c := range map[string]struct {
		scene *scene
		want  map[string]Status
	}{
		"closed":                        {calm(false), closed},
		"open":                          {calm(true), open},
		"open, where all can be judged": {everything, full},
	} {
		r := compute(t, c.scene.records())
		l := r.Levels[0]
		if d := cmp.Diff(c.want, statuses(l)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if v := l.Validity.Valid; v == nil || !*v || r.Verdict.Valid == nil || !*r.Verdict.Valid || r.Verdict.Invalid != nil || r.Verdict.ExitCode != ExitFine {
			t.Errorf("%s: valid %v, verdict %+v", name, v, r.Verdict)
		}
		if l.Uncertain() || l.Bursts() || l.Saturated() {
			t.Errorf("%s: uncertain %v, bursts %v, saturated %v", name, l.Uncertain(), l.Bursts(), l.Saturated())
		}
	}
}

func TestSeverities(t *testing.T) {
	want := map[Severity]string{
		Invalid: "V1.frames V1.first V1.reads V2 V3 V5.cpu V5.quota V9", Withhold: "V4 V6 V11", Remark: "V7 V8 V10 V13",
	}
	got := map[Severity]string{}
	for _, c := range compute(t, calm(true).records()).Levels[0].Validity.Checks {
		got[c.Severity] = strings.TrimSpace(got[c.Severity] + " " + c.ID)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The page's row of a check has its severity, and the numbers of its limit.
func TestMeasurementPageHasTheLimits(t *testing.T) {
	page, err := os.ReadFile("../docs/MEASUREMENT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Validity\n")
	units := map[string]string{"percent": " %", "ms": " ms"}
	for _, r := range rules {
		_, row, told := strings.Cut(table, "\n| "+r.id+" | ")
		row, _, _ = strings.Cut(row, "\n")
		if !told || !strings.HasSuffix(row, "| "+string(r.severity)+" |") {
			t.Errorf("%s is %s: %q", r.id, r.severity, row)
		}
		var numbers []string
		if r.limit > 0 {
			numbers = append(numbers, fmt.Sprintf("%g%s", r.limit, units[r.unit]))
		}
		if r.share > 0 {
			numbers = append(numbers, fmt.Sprintf("%g %%", 100*r.share))
		}
		switch r.id {
		case "V1.frames", "V1.first": // of one figure, with a threshold beside the limit
			numbers = append(numbers, fmt.Sprintf("%g ms", mattersLeast), fmt.Sprintf("%g %%", 100*mattersShare))
		case "V6":
			for _, p := range []string{"p90", "p95", "p99"} {
				numbers = append(numbers, fmt.Sprint(stat.Needed(p)))
			}
		case "V7":
			numbers = append(numbers, fmt.Sprintf("%d times", byChance))
		case "V9":
			numbers = append(numbers, fmt.Sprintf("%g ms", 1000*readings))
		}
		for _, n := range numbers {
			if !contains(row, " "+n) && !contains(row, "("+n) {
				t.Errorf("%s: the page lacks %q: %q", r.id, n, row)
			}
		}
	}
	if parts := fmt.Sprintf("each of %d equal parts", batches); !contains(table, parts) {
		t.Errorf("the page lacks %q", parts)
	}
}

// Where no request was answered there is nothing to call valid, and no check
// of answers has failed.
func TestNothingToJudge(t *testing.T) {
	s := calm(true)
	s.every(1, func(a *record.Attempt) { a.Outcome, a.Sent = outcome.Connect, 0 })
	s.samples, s.end.InFlightS = nil, 0
	r := compute(t, s.records())
	l := r.Levels[0]
	if l.Validity.Valid != nil || r.Verdict.Valid != nil || r.Verdict.ExitCode != ExitTarget {
		t.Errorf("valid %v, verdict %+v", l.Validity.Valid, r.Verdict)
	}
	got := statuses(l)
	for id, want := range map[string]Status{
		"V1.frames": NotApplicable, "V1.first": NotApplicable, "V1.reads": NotApplicable, "V2": Undecided, "V5.cpu": NotApplicable,
		"V5.quota": NotApplicable, "V6": NotApplicable, "V9": Undecided, "V11": NotApplicable,
	} {
		if got[id] != want {
			t.Errorf("%s: %s, not %s", id, got[id], want)
		}
	}
	if f := failedChecks(l); f != nil {
		t.Errorf("failed: %v", f)
	}
}

// Counts of two sources are one level's only with a mark.
func TestCountsOfSeveralSources(t *testing.T) {
	s := calm(false)
	s.every(2, func(a *record.Attempt) { a.Tokens.Output.Source = "another" })
	l := compute(t, s.records()).Levels[0]
	if !slices.Equal(failedChecks(l), []string{"V11"}) || !*l.Validity.Valid || l.Check("V11").Remedy == "" {
		t.Errorf("%v %+v", failedChecks(l), l.Check("V11"))
	}
}
