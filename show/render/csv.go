package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tidemark/record"
	"tidemark/report"
)

// attemptColumn is a column of the raw rows.
type attemptColumn struct {
	name  string
	value func(*record.Attempt) string
}

// attemptColumns are the raw rows' columns in order: ids, clocks (nanoseconds
// since the run's epoch), outcome, tokens and who counted them, frames, and
// who served it. Gaps between frames and answers are in the records alone.
var attemptColumns = []attemptColumn{
	{"level", func(a *record.Attempt) string { return some(a.Level) }},
	{"round", func(a *record.Attempt) string { return some(a.Round) }},
	{"phase", func(a *record.Attempt) string { return cell(string(a.Phase)) }},
	{"number", func(a *record.Attempt) string { return some(a.Number) }},
	{"try", func(a *record.Attempt) string { return some(a.Try) }},
	{"target", func(a *record.Attempt) string { return cell(a.Target) }},
	{"workload", func(a *record.Attempt) string { return cell(a.Workload) }},
	{"prompt", func(a *record.Attempt) string { return cell(a.Prompt) }},
	{"slot", func(a *record.Attempt) string { return some(a.Slot) }},
	{"conn", func(a *record.Attempt) string { return some(a.Conn) }},
	{"reused", func(a *record.Attempt) string { return strconv.FormatBool(a.Reused) }},
	{"opened_in_level", func(a *record.Attempt) string { return strconv.FormatBool(a.OpenedInLevel) }},

	{"due_ns", func(a *record.Attempt) string { return some(a.Due) }},
	{"dispatched_ns", func(a *record.Attempt) string { return some(a.Dispatched) }},
	{"dial_ns", func(a *record.Attempt) string { return some(a.Dial) }},
	{"dns_ns", func(a *record.Attempt) string { return some(a.DNS) }},
	{"connected_ns", func(a *record.Attempt) string { return some(a.Connected) }},
	{"tls_ns", func(a *record.Attempt) string { return some(a.TLS) }},
	{"sent_ns", func(a *record.Attempt) string { return some(a.Sent) }},
	{"written_ns", func(a *record.Attempt) string { return some(a.Written) }},
	{"headers_ns", func(a *record.Attempt) string { return some(a.Headers) }},
	{"first_byte_ns", func(a *record.Attempt) string { return some(a.FirstByte) }},
	{"first_event_ns", func(a *record.Attempt) string { return some(a.FirstEvent) }},
	{"first_output_ns", func(a *record.Attempt) string { return some(a.FirstOut) }},
	{"first_answer_ns", func(a *record.Attempt) string { return some(a.FirstAns) }},
	{"last_output_ns", func(a *record.Attempt) string { return some(a.LastOut) }},
	{"terminal_ns", func(a *record.Attempt) string { return some(a.Terminal) }},
	{"end_ns", func(a *record.Attempt) string { return some(a.End) }},

	{"outcome", func(a *record.Attempt) string { return cell(string(a.Outcome)) }},
	{"finish", func(a *record.Attempt) string { return cell(a.Finish) }},
	{"http_status", func(a *record.Attempt) string { return some(a.HTTPStatus) }},
	{"code", func(a *record.Attempt) string { return cell(a.Code) }},
	{"message", func(a *record.Attempt) string { return cell(a.Message) }},
	{"retry_after_s", func(a *record.Attempt) string {
		if a.RetryAfter == 0 {
			return ""
		}
		return strconv.FormatFloat(a.RetryAfter, 'g', -1, 64)
	}},

	{"input_tokens", func(a *record.Attempt) string { return counted(a.Tokens.Input) }},
	{"output_tokens", func(a *record.Attempt) string { return counted(a.Tokens.Output) }},
	{"cached_tokens", func(a *record.Attempt) string { return counted(a.Tokens.Cached) }},
	{"reasoning_tokens", func(a *record.Attempt) string { return counted(a.Tokens.Reasoning) }},
	{"input_source", func(a *record.Attempt) string { return cell(string(a.Tokens.Input.Source)) }},
	{"output_source", func(a *record.Attempt) string { return cell(string(a.Tokens.Output.Source)) }},
	{"output_tokens_estimated", func(a *record.Attempt) string { return some(a.OutputEstimated) }},
	{"characters", func(a *record.Attempt) string { return strconv.Itoa(a.Characters) }},

	{"events", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.Events) }},
	{"output_frames", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.Output) }},
	{"reasoning_frames", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.Reasoning) }},
	{"refusal_frames", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.Refusal) }},
	{"tool_frames", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.Tool) }},
	{"keepalives", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.KeepAlives) }},
	{"uncertain_frames", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.Uncertain) }},
	{"first_uncertain_by_ns", func(a *record.Attempt) string { return some(a.FirstUncertain) }},
	{"first_read_frames", func(a *record.Attempt) string { return strconv.Itoa(a.Frames.FirstRead) }},
	{"body_bytes", func(a *record.Attempt) string { return strconv.FormatInt(a.Frames.Bytes, 10) }},
	{"stamps", func(a *record.Attempt) string { return cell(a.Stamps) }},
	{"rtt_ns", func(a *record.Attempt) string { return some(a.RTT) }},
	{"not_streamed", func(a *record.Attempt) string { return strconv.FormatBool(a.NotStreamed) }},

	{"request_id", func(a *record.Attempt) string { return cell(a.RequestID) }},
	{"served_model", func(a *record.Attempt) string { return cell(a.ServedModel) }},
	{"fingerprint", func(a *record.Attempt) string { return cell(a.Fingerprint) }},
	{"node", func(a *record.Attempt) string { return cell(a.Node) }},
	{"warnings", func(a *record.Attempt) string { return cell(warnings(a.Warnings)) }},

	{"session", func(a *record.Attempt) string { return some(a.Session) }},
	{"turn", func(a *record.Attempt) string { return some(a.Turn) }},
	{"held", func(a *record.Attempt) string { return strconv.FormatBool(a.Held) }},
	{"input_asked", func(a *record.Attempt) string { return some(a.InputAsked) }},
	{"output_asked", func(a *record.Attempt) string { return some(a.OutputAsked) }},
	{"protocol", func(a *record.Attempt) string { return cell(a.Protocol) }},
}

// some is empty for what is absent: no clock and no identifier is zero.
func some[T int | int64 | record.Offset](n T) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// counted is empty where nobody counted; a zero that was reported is a zero.
func counted(c record.Count) string {
	if !c.Known() {
		return ""
	}
	return strconv.FormatInt(c.N, 10)
}

func warnings(all map[string]int) string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%s:%d", id, all[id]))
	}
	return strings.Join(parts, " ")
}

// cell makes a text safe in a spreadsheet: one that a spreadsheet would take
// for a formula begins with an apostrophe.
func cell(s string) string {
	s = oneLine(s)
	if s != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(s)[0]) {
		return "'" + s
	}
	return s
}

// lastColumns end each row and are not of the attempt itself: whether the
// figures of its level describe the endpoint, which checks of it failed, and
// whether the run was against a simulated endpoint.
var lastColumns = []string{"level_valid", "level_failed_checks", "simulated"}

// attemptRows writes CSV: a header, then one row an attempt of every phase, in
// the order they ended, failed ones with the clocks they have. An empty field
// is absent. It returns the records' error, if they end in one, after all the
// rows before it.
func attemptRows(w io.Writer, r *report.Report, seq records) error {
	out := csv.NewWriter(w)
	var row []string
	for _, c := range attemptColumns {
		row = append(row, c.name)
	}
	if err := out.Write(append(row, lastColumns...)); err != nil {
		return err
	}
	judged, simulated := judgements(r), ""
	var last error
	if seq == nil {
		seq = func(func(record.Record, error) bool) {}
	}
	for rec, err := range seq {
		if err != nil {
			last = err
			break
		}
		if run, ok := rec.(*record.Run); ok { // it opens the stream
			simulated = strconv.FormatBool(run.Simulated)
		}
		a, ok := rec.(*record.Attempt)
		if !ok {
			continue
		}
		row = row[:0]
		for _, c := range attemptColumns {
			row = append(row, c.value(a))
		}
		level := judged[a.Level]
		row = append(row, level.valid, level.failed, simulated)
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return last
}

// judgement is a level's validity in two fields.
type judgement struct{ valid, failed string }

// judgements are by Level.Level. One that no check could judge is empty.
func judgements(r *report.Report) map[int]judgement {
	all := map[int]judgement{}
	for i := range r.Levels {
		l := &r.Levels[i]
		j := judgement{failed: cell(failedChecks(l))}
		if v := l.Validity.Valid; v != nil {
			j.valid = strconv.FormatBool(*v)
		}
		all[l.Level] = j
	}
	return all
}
