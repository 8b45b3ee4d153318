// Package render answers how a report, a check or a run in progress looks: in
// a terminal, in a log, as JSON, Markdown, CSV or Prometheus text. It knows
// nothing of where figures came from and computes none.
//
// Whatever a provider or a model wrote is cleaned before it is shown: no
// control character, escape sequence or broken UTF-8 of theirs gets through.
package render

import (
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"tidemark/record"
	"tidemark/report"
	"tidemark/text"
)

// Options is how a reader wants to be shown things.
type Options struct {
	Lang     text.Lang      // zero: English
	Width    int            // cells of a line; zero: 80
	Color    bool           // whether the reader's terminal shows colours
	Location *time.Location // whose clock times are told by; nil: this machine's
}

// records is what a run's records are read from.
type records = iter.Seq2[record.Record, error]

// format is one way to write a report. It may use the records beside it.
type format struct {
	name  string
	write func(io.Writer, *report.Report, records, Options) error
}

// formats is the only place that knows their names.
var formats = []format{
	{"table", func(w io.Writer, r *report.Report, _ records, o Options) error { return table(w, r, o) }},
	{"summary", func(w io.Writer, r *report.Report, _ records, _ Options) error { return summary(w, r) }},
	{"summary-jsonl", func(w io.Writer, r *report.Report, _ records, _ Options) error { return summaryJSONL(w, r) }},
	{"json", func(w io.Writer, r *report.Report, _ records, _ Options) error { return JSON(w, r) }},
	{"markdown", func(w io.Writer, r *report.Report, _ records, o Options) error { return markdown(w, r, o) }},
	{"csv", func(w io.Writer, r *report.Report, recs records, _ Options) error { return attemptRows(w, r, recs) }},
	{"prometheus", func(w io.Writer, r *report.Report, _ records, _ Options) error { return prometheus(w, r) }},
}

// Formats lists the names that [Write] knows, the usual one first.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Write writes a report in the format of that name. Only csv reads the
// records; they may be nil for the others. Of the report it takes what the
// levels' checks found.
func Write(w io.Writer, name string, r *report.Report, recs records, o Options) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return text.Wrong(text.Msg("show.unknown_format", name),
			text.Msg("show.known_formats", strings.Join(Formats(), ", ")))
	}
	return formats[i].write(w, r, recs, o)
}
