package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"tidemark/report"
	"tidemark/stat"
)

// field is a column of the summary. Its value is a string, bool, int, int64,
// float64, or nil where it is absent.
type field struct {
	name  string
	value func(*report.Report, *report.Level) any
}

// fields are the summary's columns in order. Scripts rely on their names: new
// ones go to the end.
var fields = summaryFields()

func summaryFields() []field {
	fs := []field{
		{"run_id", func(r *report.Report, _ *report.Level) any { return r.RunID }},
		{"started", func(r *report.Report, _ *report.Level) any { return r.Started.UTC().Format(time.RFC3339) }},
		{"simulated", func(r *report.Report, _ *report.Level) any { return r.Simulated }},
		{"truncated", func(r *report.Report, _ *report.Level) any { return r.Truncated }},
		{"reason", func(r *report.Report, _ *report.Level) any { return word(string(r.Reason)) }},
	}
	level := func(name string, value func(*report.Level) any) {
		fs = append(fs, field{name, func(_ *report.Report, l *report.Level) any { return value(l) }})
	}
	level("target", func(l *report.Level) any { return l.Target })
	level("model", func(l *report.Level) any { return l.Model })
	level("workload", func(l *report.Level) any { return l.Workload })
	level("level", func(l *report.Level) any { return l.Level })
	level("load", func(l *report.Level) any { return l.Load.Kind })
	level("concurrency", func(l *report.Level) any { return deref(l.Load.Concurrency) })
	level("rate_per_s", func(l *report.Level) any { return finite(l.Load.RatePerS) })
	level("rounds", func(l *report.Level) any { return l.Load.Rounds })
	level("short", func(l *report.Level) any { return l.Short })
	level("valid", func(l *report.Level) any { return deref(l.Validity.Valid) })
	fs = append(fs, field{"best", func(r *report.Report, l *report.Level) any {
		if r.Verdict.BestLevel == nil {
			return nil
		}
		return *r.Verdict.BestLevel == l.Level
	}})
	level("window_s", func(l *report.Level) any { return finite(l.Load.WindowS) })
	level("duration_s", func(l *report.Level) any { return finite(l.Load.DurationS) })
	level("achieved_concurrency_mean", func(l *report.Level) any {
		if l.Load.Achieved == nil {
			return nil
		}
		return finite(&l.Load.Achieved.Mean)
	})
	level("achieved_concurrency_max", func(l *report.Level) any {
		if l.Load.Achieved == nil {
			return nil
		}
		return l.Load.Achieved.Max
	})
	level("requests_per_s", func(l *report.Level) any { return finite(l.Throughput.RequestsPerS) })
	level("requests_per_s_overall", func(l *report.Level) any { return finite(l.Throughput.RequestsPerSOverall) })
	level("output_tokens_per_s", func(l *report.Level) any { return finite(l.Throughput.OutputTokensPerS) })
	level("input_tokens_per_s", func(l *report.Level) any { return finite(l.Throughput.InputTokensPerS) })
	level("sent", func(l *report.Level) any { return l.Reliability.Sent })
	level("ok", func(l *report.Level) any { return l.Reliability.OK })
	level("failed", func(l *report.Level) any { return l.Reliability.Failed })
	level("cut", func(l *report.Level) any { return l.Reliability.Cut })
	level("client", func(l *report.Level) any { return l.Reliability.Client })
	level("success_percent", func(l *report.Level) any { return finite(l.Reliability.SuccessPercent) })
	level("input_tokens", func(l *report.Level) any { return deref(l.Tokens.Input) })
	level("output_tokens", func(l *report.Level) any { return deref(l.Tokens.Output) })
	level("output_tokens_estimated", func(l *report.Level) any { return deref(l.Tokens.OutputEstimated) })
	level("cached_tokens", func(l *report.Level) any { return deref(l.Tokens.Cached) })
	level("reasoning_tokens", func(l *report.Level) any { return deref(l.Tokens.Reasoning) })
	level("token_source", func(l *report.Level) any { return word(l.Tokens.Source) })
	level("without_count", func(l *report.Level) any { return l.Tokens.WithoutCount })
	level("tokens_per_frame", func(l *report.Level) any { return finite(l.Frames.TokensPerFrame) })
	level("uncertain_frames", func(l *report.Level) any { return l.Frames.Uncertain })
	for _, d := range distributions {
		fs = append(fs, d.fields()...)
	}
	level("schedule", func(l *report.Level) any {
		if l.Load.Schedule == nil {
			return nil
		}
		return l.Load.Schedule.Name
	})
	level("arrival", func(l *report.Level) any {
		if l.Load.Schedule == nil {
			return nil
		}
		return l.Load.Schedule.Arrival
	})
	level("due", func(l *report.Level) any { return deref(l.Load.Due) })
	level("unsent", func(l *report.Level) any { return deref(l.Load.Unsent) })
	level("held", func(l *report.Level) any { return deref(l.Load.Held) })
	level("max_in_flight", func(l *report.Level) any { return deref(l.Load.MaxInFlight) })
	level("turns", func(l *report.Level) any { return deref(l.Load.Turns) })
	level("failed_checks", func(l *report.Level) any { return word(failedChecks(l)) })
	return fs
}

// fields are a distribution's columns. The thin ones are named, not left out.
func (d distribution) fields() []field {
	column := func(figure string, value func(*stat.Summary) any) field {
		return field{d.name + "_" + figure, func(_ *report.Report, l *report.Level) any {
			if s := d.of(l); s != nil {
				return value(s)
			}
			return nil
		}}
	}
	return []field{
		column("n", func(s *stat.Summary) any { return s.N }),
		column("mean_"+d.unit, func(s *stat.Summary) any { return finite(&s.Mean) }),
		column("p50_"+d.unit, func(s *stat.Summary) any { return finite(&s.P50) }),
		column("p90_"+d.unit, func(s *stat.Summary) any { return finite(&s.P90) }),
		column("p95_"+d.unit, func(s *stat.Summary) any { return finite(&s.P95) }),
		column("p99_"+d.unit, func(s *stat.Summary) any { return finite(&s.P99) }),
		column("max_"+d.unit, func(s *stat.Summary) any { return finite(&s.Max) }),
		column("thin", func(s *stat.Summary) any { return word(strings.Join(s.Thin, " ")) }),
	}
}

func deref[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

// word is nil for a text that says nothing.
func word(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// finite is nil for what is no number, too: neither CSV readers nor JSON have
// a word for it. It keeps six significant digits: more are noise.
func finite(v *float64) any {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return nil
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(*v, 'g', 6, 64), 64) // can't fail
	return rounded
}

// summary writes CSV: a header, then a row a level. An empty field is a
// figure that is not known. The thin columns name the percentiles that too
// few requests stand behind.
func summary(w io.Writer, r *report.Report) error {
	out := csv.NewWriter(w)
	row := make([]string, len(fields))
	for i, f := range fields {
		row[i] = f.name
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for i := range r.Levels {
		for c, f := range fields {
			row[c] = csvField(f.value(r, &r.Levels[i]))
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func csvField(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return cell(v)
	case float64:
		digits, _ := json.Marshal(v) // finite: it can't fail
		return string(digits)
	}
	return fmt.Sprint(v)
}

// summaryJSONL writes the summary's rows as JSON objects, a line each, with
// the columns' names; null is a figure that is not known.
func summaryJSONL(w io.Writer, r *report.Report) error {
	var b bytes.Buffer
	for i := range r.Levels {
		for c, f := range fields {
			b.WriteByte("{,"[min(c, 1)])
			v, err := json.Marshal(f.value(r, &r.Levels[i]))
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%q:%s", f.name, v)
		}
		b.WriteString("}\n")
	}
	_, err := w.Write(escapeControls(b.Bytes()))
	return err
}
