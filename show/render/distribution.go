package render

import (
	"strings"

	"tidemark/report"
	"tidemark/stat"
	"tidemark/text"
)

// distribution is a sample that a level has: a row of its table, some columns
// of the summary, some metrics of Prometheus.
type distribution struct {
	name   string // of the columns and metrics
	unit   string // of the columns: "ms" or "tokens_per_s"
	of     func(*report.Level) *stat.Summary
	said   text.Message // in the table; none: the name in capitals
	always bool         // in the table even where it is absent
	help   string       // Prometheus'
}

// distributions are all there are, in the order in which they are shown.
var distributions = []distribution{
	{"ttft", "ms", func(l *report.Level) *stat.Summary { return l.Latency.TTFT }, text.Message{}, true,
		"Time to the first output of a request."},
	{"ttfa", "ms", func(l *report.Level) *stat.Summary { return l.Latency.TTFA }, text.Message{}, false,
		"Time to the first character of the answer."},
	{"tpot", "ms", func(l *report.Level) *stat.Summary { return l.Latency.TPOT }, text.Message{}, true,
		"Time per output token after the first."},
	{"itl", "ms", func(l *report.Level) *stat.Summary { return l.Latency.ITL }, text.Message{}, true,
		"Gap between successive output frames."},
	{"e2e", "ms", func(l *report.Level) *stat.Summary { return l.Latency.E2E }, text.Message{}, true,
		"Time to the last output of a request."},
	{"ntpot", "ms", func(l *report.Level) *stat.Summary { return l.Latency.NTPOT }, text.Message{}, false,
		"Whole latency per output token."},
	{"decode", "tokens_per_s", func(l *report.Level) *stat.Summary { return l.Speed.Decode }, text.Msg("show.row_decode"), false,
		"Output speed of a request after its first token."},
	{"request", "tokens_per_s", func(l *report.Level) *stat.Summary { return l.Speed.Request }, text.Msg("show.row_request"), false,
		"Output speed of a request over its whole latency."},
	{"ttfb", "ms", func(l *report.Level) *stat.Summary { return l.Latency.TTFB }, text.Message{}, false,
		"Time to the first byte of the body."},
	{"stream_end_lag", "ms", func(l *report.Level) *stat.Summary { return l.Latency.StreamEndLag }, text.Msg("show.row_end"), false,
		"From the last output to the end signal."},
	{"connect", "ms", func(l *report.Level) *stat.Summary { return l.Latency.Connect }, text.Msg("show.row_connect"), false,
		"Time to open a connection."},
	{"rtt", "ms", func(l *report.Level) *stat.Summary { return l.Latency.RTT }, text.Msg("show.row_rtt"), false,
		"Round-trip time of the connection."},
	{"send_lag", "ms", func(l *report.Level) *stat.Summary { return l.Latency.SendLag }, text.Msg("show.row_send"), false,
		"How late the client sent."},
	{"client_lag", "ms", func(l *report.Level) *stat.Summary { return l.Latency.ClientLag }, text.Msg("show.row_client"), false,
		"How late the client read what had arrived."},
	{"ttft_from_sent", "ms", func(l *report.Level) *stat.Summary { return l.Latency.TTFTFromSent }, text.Msg("show.row_ttft_sent"), false,
		"Time to the first output of a request since it was sent, of an open loop."},
	{"e2e_from_sent", "ms", func(l *report.Level) *stat.Summary { return l.Latency.E2EFromSent }, text.Msg("show.row_e2e_sent"), false,
		"Time to the last output of a request since it was sent, of an open loop."},
	{"dispatch_lag", "ms", func(l *report.Level) *stat.Summary { return l.Latency.DispatchLag }, text.Msg("show.row_dispatch"), false,
		"How long after its due moment the client let a request go."},
}

// heading is its name in the table.
func (d distribution) heading(lang text.Lang) string {
	if d.said.ID == "" {
		return strings.ToUpper(d.name)
	}
	return d.said.In(lang)
}
