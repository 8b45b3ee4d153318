package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tidemark/record"
	"tidemark/report"
)

// Every clock that a record has is a column, by the record's own name.
func TestCSVHasEveryClock(t *testing.T) {
	var names []string
	for _, c := range attemptColumns {
		names = append(names, c.name)
	}
	clocks := reflect.TypeFor[record.Clocks]()
	for i := range clocks.NumField() {
		name, _, _ := strings.Cut(clocks.Field(i).Tag.Get("json"), ",")
		if !slices.Contains(names, name) {
			t.Errorf("no column %s", name)
		}
	}
}

// Each clock is in its own column and no other: a record that has one alone
// fills that one.
func TestCSVPutsClocksInTheirColumns(t *testing.T) {
	clocks := reflect.TypeFor[record.Clocks]()
	for i := range clocks.NumField() {
		var a record.Attempt
		reflect.ValueOf(&a.Clocks).Elem().Field(i).SetInt(77)
		want, _, _ := strings.Cut(clocks.Field(i).Tag.Get("json"), ",")
		for _, c := range attemptColumns {
			if filled := c.value(&a) == "77"; filled != (c.name == want) {
				t.Errorf("%s set: column %s is %q", want, c.name, c.value(&a))
			}
		}
	}
}

func one(a *record.Attempt) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) { yield(a, nil) }
}

func TestCSVTextsAreNoFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := words()
		a := &record.Attempt{Target: w.Draw(t, "target"), Workload: w.Draw(t, "workload"), Prompt: w.Draw(t, "prompt"), Finish: w.Draw(t, "finish"),
			Code: w.Draw(t, "code"), Message: w.Draw(t, "message"), RequestID: w.Draw(t, "id"), ServedModel: w.Draw(t, "model"), Fingerprint: w.Draw(t, "print"), Node: w.Draw(t, "node"),
			Warnings: map[string]int{w.Draw(t, "warning"): 1}}
		var b bytes.Buffer
		r := &report.Report{Levels: []report.Level{{Validity: report.Validity{Checks: []report.Check{{ID: w.Draw(t, "check"), Status: report.CheckFailed}}}}}}
		if err := attemptRows(&b, r, one(a)); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String(), false)
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[0]) != len(rows[1]) {
			t.Fatalf("%v: %q", err, rows)
		}
		for _, c := range rows[1] {
			if c != "" && strings.Contains("=+-@", c[:1]) {
				t.Fatalf("a formula: %q", c)
			}
		}
	})
}

// What came before a broken end is written; the error is told.
func TestCSVOfBrokenRecords(t *testing.T) {
	seq := func(yield func(record.Record, error) bool) {
		_ = yield(&record.Attempt{Number: 1}, nil) && yield(nil, record.ErrTruncated)
	}
	var b bytes.Buffer
	if err := attemptRows(&b, &report.Report{}, seq); !errors.Is(err, record.ErrTruncated) {
		t.Error(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 2 {
		t.Errorf("%d lines, want the header and a row", n)
	}
}

// The two forms of the summary have the same columns and agree on what is
// absent.
func TestSummaryFormsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawReport(t)
		var table, lines bytes.Buffer
		if err := errors.Join(summary(&table, r), summaryJSONL(&lines, r)); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&table).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(&lines)
		for _, row := range rows[1:] {
			var object map[string]any
			if err := dec.Decode(&object); err != nil {
				t.Fatal(err)
			}
			if len(object) != len(row) {
				t.Fatalf("%d fields, %d columns", len(object), len(row))
			}
			for i, name := range rows[0] {
				v, ok := object[name]
				if !ok || v == nil && row[i] != "" || v != nil && v != "" && row[i] == "" && oneLine(said(v)) != "" {
					t.Fatalf("%s: %v in JSON, %q in CSV", name, v, row[i])
				}
			}
		}
		if dec.More() {
			t.Fatal("more lines than rows")
		}
	})
}

// said is v if it is a string; of other kinds something that is not empty.
func said(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return "figure"
}

func TestSummaryColumnsAreDistinctAndNameUnits(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range fields {
		if seen[f.name] {
			t.Errorf("column %s twice", f.name)
		}
		seen[f.name] = true
	}
	for _, want := range []string{"ttft_p99_ms", "e2e_mean_ms", "decode_p50_tokens_per_s", "window_s", "success_percent", "requests_per_s"} {
		if !seen[want] {
			t.Errorf("no column %s", want)
		}
	}
}

// JSON is the report and nothing else: it reads back as it was, and controls
// that JSON would let through are escaped.
func TestJSONReadsBack(t *testing.T) {
	r := sample("zh")
	r.Levels[0].SampleAnswer = "a\u009b2J\u007f\u202eb"
	var b bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\u009b\u007f\u202e\x1b") {
		t.Error("a control character got through")
	}
	var back report.Report
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if got := back.Levels[0].SampleAnswer; got != r.Levels[0].SampleAnswer {
		t.Errorf("%q", got)
	}
}

// Six digits say all there is: 0.988856607782097 is noise after the sixth.
func TestSummaryHasSixDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0.988856607782097: "0.988857", 1234567.89: "1234570", 31.25: "31.25", 2.0 / 3e6: "6.66667e-7", 0: "0", -98.7654321: "-98.7654",
	} {
		r := &report.Report{Levels: []report.Level{{Throughput: report.Throughput{RequestsPerS: ptr(v)}}}}
		var table, lines bytes.Buffer
		if err := errors.Join(summary(&table, r), summaryJSONL(&lines, r)); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&table).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		i := slices.Index(rows[0], "requests_per_s")
		if got := rows[1][i]; got != want {
			t.Errorf("CSV: %s, not %s", got, want)
		}
		if !strings.Contains(lines.String(), `"requests_per_s":`+want+`,`) {
			t.Errorf("JSON has no %s: %s", want, lines.String())
		}
	}
}
