// Package render answers how a report, a check or a run in progress looks: in
// a terminal, in a log, as JSON, Markdown, CSV or Prometheus text. It knows
// nothing of where figures came from and computes none.
package render
