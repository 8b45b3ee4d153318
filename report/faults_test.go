package report

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/text"
)

// scene is a run of one level, whose records a test may spoil.
type scene struct {
	run      *record.Run
	start    *record.Level
	full     *record.Level // nil in an open loop
	emptied  *record.Level
	end      *record.Level
	attempts []*record.Attempt
	samples  []*record.Sample
}

const (
	many    = 800 // requests: as many as p99 needs inside the window
	spacing = 32.0
)

// calm is a level that nothing is wrong with: a request every 32 ms, each in
// flight for 64, so that two are at a time; of a closed loop of two slots, or
// of an open one in which each is due when it is dispatched.
func calm(open bool) *scene {
	s := &scene{run: opening(), start: start(1, 1, 2, 999)}
	s.run.Machine.Quota = 1
	s.start.Load.Requests = many
	for i := range many {
		a := answered(i+1, 1000+spacing*float64(i))
		a.Slot = i%2 + 1
		s.attempts = append(s.attempts, a)
	}
	last := 1000 + spacing*many
	s.full, s.emptied, s.end = edge(record.LevelFull, 1, 1, 1032), edge(record.LevelEmptied, 1, 1, last), edge(record.LevelEnd, 1, 1, last+64)
	s.end.InFlightS = many * .064
	for at := 1000.0; at <= last; at += 250 {
		s.samples = append(s.samples, &record.Sample{Level: 1, At: record.Offset(at * 1e6), CPU: .2, MachineCPU: .4, SchedP99Ms: .1, WallWithin: 100})
	}
	if open {
		s.full = nil
		s.start.At = at(1000)
		s.start.Load = &record.Load{Kind: record.Open, RatePerS: 1000 / spacing, Schedule: &record.Schedule{
			Name: "31.25", Arrival: "constant", Requests: many, LengthS: spacing * many / 1000, SHA256: "x"}}
		for _, a := range s.attempts {
			a.Due = a.Dispatched
		}
		s.end.Due = many
	}
	return s
}

func (s *scene) records() []record.Record {
	all := []record.Record{s.run, s.start}
	if s.full != nil {
		all = append(all, s.full)
	}
	for _, a := range s.attempts {
		all = append(all, a)
	}
	for _, m := range s.samples {
		all = append(all, m)
	}
	return append(all, s.emptied, s.end, &record.End{At: s.end.At + 1, Reason: record.Done})
}

// every changes each n-th attempt.
func (s *scene) every(n int, change func(*record.Attempt)) {
	for i := 0; i < len(s.attempts); i += n {
		change(s.attempts[i])
	}
}

// uncertain makes a request's second frame one whose arrival is not known, in
// a read that came so late.
func uncertain(lagMs float64) func(*record.Attempt) {
	return func(a *record.Attempt) {
		a.Frames.Uncertain = 1
		a.UncertainBy = record.Packed(nil).Append(9e6)
		a.Gaps = record.Packed(nil).Append(20e6).Append(0).Append(10e6)
		lag := int64(lagMs * 1e6)
		a.Lags = record.Packed(nil).Append(1e5).Append(lag).Append(lag).Append(1e5)
	}
}

// move puts all moments of an attempt but the due one later.
func move(a *record.Attempt, ms float64) {
	by := at(ms)
	for _, c := range []*record.Offset{&a.Dispatched, &a.Sent, &a.FirstByte, &a.FirstOut, &a.FirstAns, &a.LastOut, &a.Terminal, &a.End} {
		*c += by
	}
}

func failedChecks(l Level) (ids []string) {
	for _, c := range l.Validity.Checks {
		if c.Status == CheckFailed {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// Each check has a fault that trips it, and no other check.
func TestEachFaultTripsItsCheckAlone(t *testing.T) {
	for _, c := range []struct {
		name  string
		open  bool
		spoil func(*scene)
		trips []string
	}{
		{"nothing, closed", false, func(*scene) {}, nil},
		{"nothing, open", true, func(*scene) {}, nil},
		{"frames read late", false, func(s *scene) { s.every(20, uncertain(5)) }, []string{"V1.frames"}},
		{"first frames read late", false, func(s *scene) {
			s.every(50, func(a *record.Attempt) {
				a.FirstUncertain, a.UncertainBy, a.Frames.Uncertain = 9e6, record.Packed(nil).Append(9e6), 1
				a.Gaps = record.Packed(nil).Append(0).Append(20e6).Append(10e6)
				a.Lags = record.Packed(nil).Append(5e6).Append(5e6).Append(1e5).Append(1e5)
			})
		}, []string{"V1.first"}},
		{"readers that wait for a thread", false, func(s *scene) {
			s.every(1, func(a *record.Attempt) { a.Stamps, a.Lags = "read", nil })
			for _, m := range s.samples {
				m.SchedP99Ms = 7
			}
		}, []string{"V1.reads"}},
		{"sent late", true, func(s *scene) { s.every(20, func(a *record.Attempt) { move(a, 9); s.end.InFlightS += 0 }) }, []string{"V2"}},
		{"never sent", true, func(s *scene) { s.end.Due, s.end.Unsent = many+20, 20 }, []string{"V3"}},
		{"no files to send with", true, func(s *scene) {
			s.every(100, func(a *record.Attempt) { a.Outcome, a.Sent = outcome.ClientResource, 0 })
		}, []string{"V3"}},
		{"a concurrency that was not held", false, func(s *scene) {
			s.every(3, func(a *record.Attempt) { a.End -= at(30); s.end.InFlightS -= .03 })
		}, []string{"V4"}},
		{"no CPU left", false, func(s *scene) {
			for _, m := range s.samples {
				m.CPU, m.MachineCPU = .99, .99
			}
		}, []string{"V5.cpu"}},
		{"held back by a control group", false, func(s *scene) { s.samples[20].ThrottledMs = 40 }, []string{"V5.quota"}},
		{"few requests", false, func(s *scene) {
			s.attempts = s.attempts[:100]
			s.end.InFlightS = 100 * .064
			s.emptied.At, s.end.At = at(1000+spacing*100), at(1064+spacing*100)
		}, []string{"V6"}},
		{"an endpoint that does not keep up", true, func(s *scene) {
			for i, a := range s.attempts {
				a.FirstByte, a.FirstOut = a.FirstByte+at(float64(i)), a.FirstOut+at(float64(i))
				a.FirstAns, a.LastOut, a.Terminal, a.End = a.FirstOut, a.LastOut+at(float64(i)), a.Terminal+at(float64(i)), a.End+at(float64(i))
				s.end.InFlightS += float64(i) / 1000
			}
			s.end.At = at(1000 + spacing*many + many + 64)
		}, []string{"V7"}},
		{"cut by the end", false, func(s *scene) { s.attempts[many-1].Outcome = outcome.CutByRunEnd }, []string{"V8"}},
		{"a counter that went wrong", false, func(s *scene) { s.end.InFlightS *= 1.1 }, []string{"V9"}},
		{"short answers", false, func(s *scene) { s.every(1, func(a *record.Attempt) { a.OutputAsked = 5 }) }, []string{"V10"}},
		{"answers without a count", false, func(s *scene) {
			s.every(50, func(a *record.Attempt) { a.Tokens.Output = record.Count{} })
		}, []string{"V11"}},
		{"an endpoint that takes the client's CPU", false, func(s *scene) {
			s.run.Targets[0].Local = true
			for _, m := range s.samples {
				m.MachineCPU = 1.1
			}
		}, []string{"V13"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := calm(c.open)
			c.spoil(s)
			for _, lang := range []text.Lang{text.English, text.Chinese} {
				r, err := Compute(of(s.records(), nil), Options{Lang: lang})
				if err != nil || len(r.Levels) != 1 {
					t.Fatal(err, len(r.Levels))
				}
				l := r.Levels[0]
				if d := cmp.Diff(c.trips, failedChecks(l)); d != "" {
					t.Errorf("(-want +got):\n%s", d)
				}
				invalid := slices.ContainsFunc(l.Validity.Checks, func(k Check) bool { return k.Status == CheckFailed && k.Severity == Invalid })
				if v := l.Validity.Valid; v == nil || *v == invalid {
					t.Errorf("valid: %v", v)
				}
				if (r.Verdict.ExitCode == ExitInvalid) != invalid {
					t.Errorf("exit %d", r.Verdict.ExitCode)
				}
				for _, k := range l.Validity.Checks {
					if strings.Contains(k.Says+k.Remedy, "%!") || k.Says == "" || k.Status == CheckFailed && k.ID != "V4" && k.Remedy == "" {
						t.Errorf("%s: %q, remedy %q", k.ID, k.Says, k.Remedy)
					}
				}
			}
		})
	}
}

// What the endpoint does never makes a level INVALID.
func TestTheEndpointsDoing(t *testing.T) {
	for name, c := range map[string]struct {
		open  bool
		spoil func(*scene)
	}{
		"bursts, read promptly": {false, func(s *scene) { s.every(2, uncertain(.1)) }},
		"refusals": {true, func(s *scene) {
			s.every(2, func(a *record.Attempt) { a.Outcome, a.HTTPStatus = outcome.RateLimited, 429 })
		}},
		"no connections": {true, func(s *scene) {
			s.every(3, func(a *record.Attempt) { a.Outcome, a.Sent = outcome.Connect, 0 })
		}},
		"a cap that holds requests back": {true, func(s *scene) {
			s.start.Load.MaxInFlight = 1
			s.every(2, func(a *record.Attempt) { a.Held = true; move(a, 40) })
			s.end.Due, s.end.Unsent = many+50, 50
		}},
		"a connection that takes long to open": {true, func(s *scene) {
			s.every(10, func(a *record.Attempt) {
				a.OpenedInLevel, a.Dial, a.Connected = true, a.Dispatched, a.Dispatched+at(50)
				due := a.Due
				move(a, 50)
				a.Dispatched, a.Due = due, due
				s.end.InFlightS += .05
			})
		}},
	} {
		s := calm(c.open)
		c.spoil(s)
		l := compute(t, s.records()).Levels[0]
		if v := l.Validity.Valid; v == nil || !*v {
			t.Errorf("%s: %v, failed %v", name, v, failedChecks(l))
		}
	}
}

// The page lists every check, in order.
func TestMeasurementPageListsTheChecks(t *testing.T) {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.id)
	}
	var told []string
	page, err := os.ReadFile("../docs/MEASUREMENT.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if id, ok := strings.CutPrefix(line, "| V"); ok {
			id, _, _ = strings.Cut(id, " ")
			told = append(told, "V"+id)
		}
	}
	if d := cmp.Diff(ids, slices.DeleteFunc(told, func(id string) bool { return id == "V12" })); d != "" {
		t.Errorf("(-code +page):\n%s", d)
	}
}
