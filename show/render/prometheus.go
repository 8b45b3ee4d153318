package render

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"tidemark/report"
	"tidemark/stat"
)

// prometheus writes the report in the text exposition format, version 0.0.4.
// Every metric is a gauge of a finished run; times are in seconds. A figure
// that is not known, and a percentile with too few requests behind it, is
// left out. Help texts are part of the format and in English.
func prometheus(w io.Writer, r *report.Report) error {
	e := &exposition{report: r, labels: levelLabels(r)}
	e.run()
	e.counts()
	e.rates()
	for _, d := range distributions {
		e.distribution(d)
	}
	_, err := w.Write(e.b.Bytes())
	return err
}

// exposition is metrics being written.
type exposition struct {
	b      bytes.Buffer
	report *report.Report
	labels []string // a level's own, without braces
}

// levelLabels names each level. Two levels that ask for the same are told
// apart by their number.
func levelLabels(r *report.Report) []string {
	seen := map[string]bool{}
	var all []string
	for i := range r.Levels {
		l := &r.Levels[i]
		s := label("target", l.Target) + "," + label("model", l.Model) + "," + label("workload", l.Workload)
		if c := l.Load.Concurrency; c != nil {
			s += "," + label("concurrency", strconv.Itoa(*c))
		}
		if v := l.Load.Schedule; v != nil {
			s += "," + label("rate", rateName(v))
		} else if v := l.Load.RatePerS; v != nil {
			s += "," + label("rate_per_s", strconv.FormatFloat(*v, 'g', -1, 64))
		}
		if seen[s] {
			s += "," + label("level", strconv.Itoa(l.Level))
		}
		seen[s] = true
		all = append(all, s)
	}
	return all
}

// label writes a name and its value, escaped as the format wants it.
func label(name, value string) string {
	return name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(value)) + `"`
}

func (e *exposition) family(name, help string) {
	fmt.Fprintf(&e.b, "# HELP tidemark_%s %s\n# TYPE tidemark_%s gauge\n", name, help, name)
}

func (e *exposition) sample(name, labels string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if labels != "" {
		labels = "{" + labels + "}"
	}
	// Fifteen digits: a millisecond as a second shows no binary dust.
	fmt.Fprintf(&e.b, "tidemark_%s%s %s\n", name, labels, strconv.FormatFloat(v, 'g', 15, 64))
}

// levels writes a family of one sample a level; value is nil where absent.
func (e *exposition) levels(name, help string, value func(*report.Level) *float64) {
	open := false
	for i := range e.report.Levels {
		if v := value(&e.report.Levels[i]); v != nil {
			if !open {
				e.family(name, help)
				open = true
			}
			e.sample(name, e.labels[i], *v)
		}
	}
}

func (e *exposition) run() {
	r := e.report
	e.family("run_info", "The run that the other metrics are of; simulated says that no real endpoint was measured.")
	e.sample("run_info", label("run_id", r.RunID)+","+label("version", r.Tidemark)+","+
		label("simulated", strconv.FormatBool(r.Simulated))+","+label("reason", string(r.Reason)), 1)
	e.family("run_start_timestamp_seconds", "When the run began, in seconds since 1970.")
	e.sample("run_start_timestamp_seconds", "", float64(r.Started.UnixMilli())/1000)
	if v := r.Verdict.Valid; v != nil {
		e.family("run_valid", "1 where the figures describe the endpoint, 0 where they describe the client.")
		e.sample("run_valid", "", truth(*v))
	}
	if c := r.Verdict.BestConcurrency; c != nil {
		e.family("best_concurrency", "The best concurrency that the run found.")
		e.sample("best_concurrency", "", float64(*c))
	}
	if v := r.Verdict.BestRatePerS; v != nil {
		e.family("best_rate_requests_per_second", "The best rate that the run found.")
		e.sample("best_rate_requests_per_second", "", *v)
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func whole(n *int) *float64 {
	if n == nil {
		return nil
	}
	v := float64(*n)
	return &v
}

// checks says which validity checks a level passed. One that had nothing to
// judge, or could not tell, is left out.
func (e *exposition) checks() {
	open := false
	for i := range e.report.Levels {
		for _, c := range e.report.Levels[i].Validity.Checks {
			if c.Status != report.CheckOK && c.Status != report.CheckFailed {
				continue
			}
			if !open {
				e.family("level_check_passed", "1 where a validity check found nothing, 0 where it failed; its severity says what that does.")
				open = true
			}
			e.sample("level_check_passed", e.labels[i]+","+label("check", c.ID)+","+label("severity", string(c.Severity)), truth(c.Status == report.CheckOK))
		}
	}
}

func (e *exposition) counts() {
	if len(e.report.Levels) == 0 {
		return
	}
	e.family("requests", "Requests of a level by how they ended.")
	for i := range e.report.Levels {
		r := e.report.Levels[i].Reliability
		for _, c := range []struct {
			result string
			n      int
		}{{"ok", r.OK}, {"failed", r.Failed}, {"cut", r.Cut}, {"client", r.Client}} {
			e.sample("requests", e.labels[i]+","+label("result", c.result), float64(c.n))
		}
	}
	e.outcomes()
	e.tokens()
}

// outcomes counts requests by class: words and codes of providers make no
// labels, there is no end to them.
func (e *exposition) outcomes() {
	open := false
	for i := range e.report.Levels {
		var classes []string
		n := map[string]int{}
		for _, o := range e.report.Levels[i].Reliability.Outcomes {
			c := oneLine(string(o.Outcome))
			if !slices.Contains(classes, c) {
				classes = append(classes, c)
			}
			n[c] += o.Count
		}
		for _, c := range classes {
			if !open {
				e.family("outcomes", "Requests of a level that did not end well, by class.")
				open = true
			}
			e.sample("outcomes", e.labels[i]+","+label("outcome", c), float64(n[c]))
		}
	}
}

func (e *exposition) tokens() {
	open := false
	for i := range e.report.Levels {
		t := e.report.Levels[i].Tokens
		for _, c := range []struct {
			kind string
			n    *int64
		}{{"input", t.Input}, {"output", t.Output}, {"cached", t.Cached}, {"reasoning", t.Reasoning}} {
			if c.n == nil {
				continue
			}
			if !open {
				e.family("tokens", "Tokens of a level's ok requests, as the server counted them.")
				open = true
			}
			e.sample("tokens", e.labels[i]+","+label("kind", c.kind), float64(*c.n))
		}
	}
}

func (e *exposition) rates() {
	e.levels("level_short", "1 where the level never really had its concurrency in flight.", func(l *report.Level) *float64 {
		v := truth(l.Short)
		return &v
	})
	e.levels("level_valid", "1 where the level's figures describe the endpoint.", func(l *report.Level) *float64 {
		if l.Validity.Valid == nil {
			return nil
		}
		v := truth(*l.Validity.Valid)
		return &v
	})
	e.checks()
	e.levels("offered_requests_per_second", "Requests (with sessions: sessions) that the schedule of an open loop offers, per second.", func(l *report.Level) *float64 { return l.Load.RatePerS })
	e.levels("due_requests", "Requests of an open loop that were due before sending ended.", func(l *report.Level) *float64 { return whole(l.Load.Due) })
	e.levels("unsent_requests", "Requests of an open loop that were due and never sent.", func(l *report.Level) *float64 { return whole(l.Load.Unsent) })
	e.levels("held_requests", "Requests of an open loop that the cap kept back when they were due.", func(l *report.Level) *float64 { return whole(l.Load.Held) })
	e.levels("success_ratio", "Share of requests that ended well, 0 to 1.", func(l *report.Level) *float64 {
		if l.Reliability.SuccessPercent == nil {
			return nil
		}
		v := *l.Reliability.SuccessPercent / 100
		return &v
	})
	e.levels("achieved_concurrency", "Requests in flight, the mean over the window.", func(l *report.Level) *float64 {
		if l.Load.Achieved == nil {
			return nil
		}
		return &l.Load.Achieved.Mean
	})
	e.levels("window_seconds", "Length of the window that the figures are taken from.", func(l *report.Level) *float64 { return l.Load.WindowS })
	e.levels("requests_per_second", "Requests that ended well, per second of the window.", func(l *report.Level) *float64 { return l.Throughput.RequestsPerS })
	e.levels("output_tokens_per_second", "Output tokens per second of the window.", func(l *report.Level) *float64 { return l.Throughput.OutputTokensPerS })
	e.levels("input_tokens_per_second", "Input tokens per second of the window.", func(l *report.Level) *float64 { return l.Throughput.InputTokensPerS })
}

// distribution writes quantiles, mean, greatest value and number.
func (e *exposition) distribution(d distribution) {
	name, unit, per := d.name, "_seconds", 1000.0
	if d.unit != "ms" {
		name, unit, per = d.name+"_speed", "_tokens_per_second", 1
	}
	open := false
	for i := range e.report.Levels {
		s := d.of(&e.report.Levels[i])
		if s == nil {
			continue
		}
		if !open {
			e.family(name+unit, d.help)
			open = true
		}
		for _, q := range []struct {
			name, quantile string
			v              float64
		}{{"p50", "0.5", s.P50}, {"p90", "0.9", s.P90}, {"p95", "0.95", s.P95}, {"p99", "0.99", s.P99}} {
			if !thin(s, q.name) {
				e.sample(name+unit, e.labels[i]+","+label("quantile", q.quantile), q.v/per)
			}
		}
	}
	of := func(figure func(*stat.Summary) float64) func(*report.Level) *float64 {
		return func(l *report.Level) *float64 {
			s := d.of(l)
			if s == nil {
				return nil
			}
			v := figure(s)
			return &v
		}
	}
	e.levels(name+"_mean"+unit, d.help+" The mean.", of(func(s *stat.Summary) float64 { return s.Mean / per }))
	e.levels(name+"_max"+unit, d.help+" The greatest.", of(func(s *stat.Summary) float64 { return s.Max / per }))
	e.levels(name+"_samples", d.help+" How many there are.", of(func(s *stat.Summary) float64 { return float64(s.N) }))
}
