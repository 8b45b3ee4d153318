package render

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tidemark/report"
)

var (
	metricName = regexp.MustCompile(`^tidemark_[a-z0-9_]+$`)
	labelName  = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)
)

// parseExposition reads the text format strictly: a family's help, its type,
// then its samples, no family and no series twice. It returns values by
// series.
func parseExposition(doc string) (map[string]float64, error) {
	values, families := map[string]float64{}, map[string]bool{}
	family := ""
	if doc != "" && !strings.HasSuffix(doc, "\n") {
		return nil, fmt.Errorf("the last line has no end")
	}
	lines := strings.Split(strings.TrimSuffix(doc, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if name, ok := strings.CutPrefix(lines[i], "# HELP "); ok {
			name, help, _ := strings.Cut(name, " ")
			if !metricName.MatchString(name) || help == "" || strings.Contains(help, `\`) || families[name] {
				return nil, fmt.Errorf("help: %q", lines[i])
			}
			families[name], family = true, name
			if i++; i == len(lines) || lines[i] != "# TYPE "+name+" gauge" {
				return nil, fmt.Errorf("%s has no type", name)
			}
			continue
		}
		series, v, err := parseSample(lines[i], family)
		if err != nil {
			return nil, err
		}
		if _, twice := values[series]; twice {
			return nil, fmt.Errorf("twice: %s", series)
		}
		values[series] = v
	}
	return values, nil
}

func parseSample(line, family string) (string, float64, error) {
	rest, ok := strings.CutPrefix(line, family)
	if !ok {
		return "", 0, fmt.Errorf("%q is not of %s", line, family)
	}
	series := family
	if strings.HasPrefix(rest, "{") {
		end, err := parseLabels(rest)
		if err != nil {
			return "", 0, fmt.Errorf("%q: %v", line, err)
		}
		series, rest = family+rest[:end], rest[end:]
	}
	v, err := strconv.ParseFloat(strings.TrimPrefix(rest, " "), 64)
	return series, v, err
}

// parseLabels returns where the labels end.
func parseLabels(s string) (int, error) {
	seen := map[string]bool{}
	for i := 1; ; {
		eq := strings.Index(s[i:], `="`)
		if eq < 0 || !labelName.MatchString(s[i:i+eq]) || seen[s[i:i+eq]] {
			return 0, fmt.Errorf("label at %d", i)
		}
		seen[s[i:i+eq]] = true
		for i += eq + 2; i < len(s) && s[i] != '"'; i++ {
			if s[i] == '\\' {
				if i++; i == len(s) || !strings.ContainsRune(`\"n`, rune(s[i])) {
					return 0, fmt.Errorf("escape at %d", i)
				}
			}
		}
		if i++; i >= len(s) {
			return 0, fmt.Errorf("no end")
		}
		switch s[i] {
		case '}':
			return i + 1, nil
		case ',':
			i++
		default:
			return 0, fmt.Errorf("%q after a value", s[i])
		}
	}
}

func TestPrometheusIsWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		if err := prometheus(&b, drawReport(t)); err != nil {
			t.Fatal(err)
		}
		if _, err := parseExposition(b.String()); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
	})
}

func TestPrometheusValues(t *testing.T) {
	var b bytes.Buffer
	r := sample("en")
	r.Levels[1].Model = `glm "4\6"`
	if err := prometheus(&b, r); err != nil {
		t.Fatal(err)
	}
	got, err := parseExposition(b.String())
	if err != nil {
		t.Fatal(err)
	}
	at32 := `{target="glm-4.6",model="glm-4.6",workload="default",concurrency="32"`
	for series, want := range map[string]float64{
		"tidemark_ttft_seconds" + at32 + `,quantile="0.9"}`:                                                11.2, // 11,200 ms
		"tidemark_ttft_samples" + at32 + `}`:                                                               84,
		"tidemark_success_ratio" + at32 + `}`:                                                              0.875,
		"tidemark_requests" + at32 + `,result="failed"}`:                                                   12,
		`tidemark_success_ratio{target="glm-4.6",model="glm \"4\\6\"",workload="default",concurrency="8"}`: 0.96875,
	} {
		if v, ok := got[series]; !ok || v != want {
			t.Errorf("%s: %v, %v; want %v", series, v, ok, want)
		}
	}
	for _, series := range []string{
		"tidemark_ttft_seconds" + at32 + `,quantile="0.95"}`, // thin
		"tidemark_tpot_mean_seconds" + at32 + `}`,            // absent
		"tidemark_run_valid",                                 // nobody judged
	} {
		if _, ok := got[series]; ok {
			t.Errorf("%s should be left out", series)
		}
	}
}

// Two levels that ask for the same stay two series.
func TestPrometheusTellsEqualLevelsApart(t *testing.T) {
	r := &report.Report{Levels: []report.Level{quiet("en"), quiet("en")}}
	var b bytes.Buffer
	if err := prometheus(&b, r); err != nil {
		t.Fatal(err)
	}
	if _, err := parseExposition(b.String()); err != nil {
		t.Error(err)
	}
}
