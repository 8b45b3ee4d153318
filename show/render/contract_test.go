package render

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record/outcome"
	"tidemark/report"
	"tidemark/stat"
)

// section is what docs/OUTPUT.md has under a heading, up to the next.
func section(t *testing.T, heading string) string {
	t.Helper()
	doc, err := os.ReadFile("../../docs/OUTPUT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range regexp.MustCompile(`(?m)^##+ `).Split(string(doc), -1) {
		if name, body, ok := strings.Cut(part, "\n"); ok && name == heading {
			return body
		}
	}
	t.Fatalf("docs/OUTPUT.md has no %q", heading)
	return ""
}

// names are the words in backticks.
func names(s string) []string {
	var all []string
	for _, m := range regexp.MustCompile("`([A-Za-z0-9_]+)`").FindAllStringSubmatch(s, -1) {
		all = append(all, m[1])
	}
	return all
}

// between is the names from one phrase to another.
func between(t *testing.T, s, from, to string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(s, from)
	list, _, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("no %q … %q", from, to)
	}
	return names(list)
}

// firstCells are the names in the first cells of tables, row by row.
func firstCells(s string) []string {
	var all []string
	for _, line := range strings.Split(s, "\n") {
		if cells := strings.SplitN(line, "|", 3); len(cells) == 3 && cells[0] == "" {
			all = append(all, names(cells[1])...)
		}
	}
	return all
}

// in puts a distribution's name and unit into the names that have a place for
// them.
func (d distribution) in(patterns []string) []string {
	var all []string
	for _, p := range patterns {
		p = strings.Replace(p, "X", d.name, 1)
		all = append(all, strings.Replace(p, "U", d.unit, 1))
	}
	return all
}

func TestOutputPageListsTheSummarysColumns(t *testing.T) {
	page := section(t, "summary and summary-jsonl")
	told := between(t, page, "In order:", "Then for each")
	patterns := between(t, page, "its unit as U:", ". The last")
	body, last, _ := strings.Cut(page, "And last:")
	table := names(body[strings.Index(body, "|---|"):])
	for i := 0; i+1 < len(table); i += 2 {
		told = append(told, distribution{name: table[i], unit: table[i+1]}.in(patterns)...)
	}
	told = append(told, names(last)...)
	var have []string
	for _, f := range fields {
		have = append(have, f.name)
	}
	if d := cmp.Diff(have, told); d != "" {
		t.Errorf("(-code +page):\n%s", d)
	}
}

func TestOutputPageListsTheRawColumns(t *testing.T) {
	var have []string
	for _, c := range attemptColumns {
		have = append(have, c.name)
	}
	have = append(have, lastColumns...)
	if d := cmp.Diff(have, names(section(t, "csv"))); d != "" {
		t.Errorf("(-code +page):\n%s", d)
	}
}

// metrics are the names that the exposition of a report whose every figure is
// known has.
func metrics(t *testing.T) []string {
	t.Helper()
	l := quiet("en")
	for _, v := range []reflect.Value{reflect.ValueOf(&l.Latency).Elem(), reflect.ValueOf(&l.Speed).Elem()} {
		for i := range v.NumField() {
			v.Field(i).Set(reflect.ValueOf(&stat.Summary{N: 1}))
		}
	}
	l.Validity.Valid = ptr(true)
	l.Validity.Checks = []report.Check{{ID: "V9", Status: report.CheckOK}}
	l.Load.RatePerS, l.Load.Due, l.Load.Unsent, l.Load.Held = ptr(1.0), ptr(1), ptr(1), ptr(1)
	l.Reliability.Outcomes = []report.Outcome{{Outcome: outcome.Auth, Count: 1}}
	r := &report.Report{Verdict: report.Verdict{Valid: ptr(true), BestConcurrency: ptr(1), BestRatePerS: ptr(1.0)}, Levels: []report.Level{l}}
	var b bytes.Buffer
	if err := prometheus(&b, r); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^# HELP tidemark_([a-z0-9_]+) `).FindAllStringSubmatch(b.String(), -1) {
		all = append(all, m[1])
	}
	return all
}

func TestOutputPageListsTheMetrics(t *testing.T) {
	page := section(t, "prometheus")
	told := firstCells(page)
	inMillis := between(t, page, "X as in the summary,", "; for\n")
	inMillis = slices.DeleteFunc(inMillis, func(s string) bool { return s == "quantile" })
	inTokens := between(t, page, "each in tokens per second", ".\n")
	for _, d := range distributions {
		if d.unit == "ms" {
			told = append(told, d.in(inMillis)...)
		} else {
			told = append(told, d.in(inTokens)...)
		}
	}
	have := metrics(t)
	slices.Sort(have)
	slices.Sort(told)
	if d := cmp.Diff(have, told); d != "" {
		t.Errorf("(-code +page):\n%s", d)
	}
}

// Every distribution of a report is one of the table's, once.
func TestDistributionsAreAll(t *testing.T) {
	var l report.Level
	n := 0
	for _, v := range []reflect.Value{reflect.ValueOf(&l.Latency).Elem(), reflect.ValueOf(&l.Speed).Elem()} {
		for i := range v.NumField() {
			n++
			s := &stat.Summary{N: n}
			v.Field(i).Set(reflect.ValueOf(s))
			if !slices.ContainsFunc(distributions, func(d distribution) bool { return d.of(&l) == s }) {
				t.Errorf("no distribution shows %s", v.Type().Field(i).Name)
			}
		}
	}
	if len(distributions) != n {
		t.Errorf("%d distributions of %d", len(distributions), n)
	}
}
