package render

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"tidemark/record"
	"tidemark/report"
	"tidemark/text"
)

// An INVALID level is named with its checks where the first table is, in every
// rendering that is for people.
func TestInvalidLevelsNameTheirChecks(t *testing.T) {
	for lang, want := range map[text.Lang]string{text.English: "rate 1..80@30s, INVALID: V2 failed", text.Chinese: "速率 1..80@30s，无效：V2 未通过"} {
		for _, format := range []string{"table", "markdown"} {
			var b bytes.Buffer
			if err := Write(&b, format, paced(lang), nil, options(lang)); err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(b.String(), "<!-- -->", "")
			if strings.Count(got, want) != 1 {
				t.Errorf("%s does not say %q:\n%s", format, want, got)
			}
			if strings.Contains(got, "rate 20/s, INVALID") {
				t.Errorf("%s calls a valid level INVALID", format)
			}
		}
	}
}

// Where the verdict stands on valid levels and another is INVALID, that one is
// not passed over.
func TestValidVerdictBesideAnInvalidLevel(t *testing.T) {
	r := paced(text.English)
	r.Verdict.Valid = ptr(true)
	for _, c := range []struct {
		second *bool
		want   string
	}{{ptr(true), "show.valid"}, {nil, "show.valid"}, {ptr(false), "show.valid_apart"}} {
		r.Levels[1].Validity.Valid = c.second
		if got, _ := newPage(Options{}).judged(r); got != text.English.Say(c.want) {
			t.Errorf("%v: %q", c.second, got)
		}
	}
}

// The raw rows carry what was found of their level; preflight has none.
func TestCSVSaysWhetherItsLevelIsValid(t *testing.T) {
	r := &report.Report{Levels: []report.Level{
		{Level: 1, Validity: report.Validity{Valid: ptr(false), Checks: []report.Check{
			{ID: "V1.frames", Status: report.CheckFailed}, {ID: "V2", Status: report.CheckOK}, {ID: "V6", Status: report.CheckFailed}}}},
		{Level: 2, Validity: report.Validity{Valid: ptr(true)}},
		{Level: 3},
	}}
	for level, want := range map[int][2]string{0: {"", ""}, 1: {"false", "V1.frames V6"}, 2: {"true", ""}, 3: {"", ""}} {
		var b bytes.Buffer
		if err := attemptRows(&b, r, one(&record.Attempt{Level: level})); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%v: %q", err, rows)
		}
		got := map[string]string{}
		for i, name := range rows[0] {
			got[name] = rows[1][i]
		}
		if got["level_valid"] != want[0] || got["level_failed_checks"] != want[1] {
			t.Errorf("level %d: %q %q", level, got["level_valid"], got["level_failed_checks"])
		}
	}
}
