package selftest

import (
	"math"
	"time"

	"tidemark/record"
	"tidemark/run/machine"
)

// Format is the version of a result's JSON.
const Format = 1

// Result is what the machine can measure.
type Result struct {
	Format   int            `json:"format"`
	Tidemark string         `json:"tidemark"`
	At       time.Time      `json:"at"`
	Machine  record.Machine `json:"machine"`
	Steps    []Step         `json:"steps"`

	// The greatest that was measured well, with everything below it. Zero:
	// nothing was.
	Streams      int     `json:"streams"`
	FramesPerS   float64 `json:"frames_per_s"`
	RatePerS     float64 `json:"rate_per_s"`     // that was asked for
	RequestsPerS float64 `json:"requests_per_s"` // that there were

	// Wrong: figures that a report vouches for are not what the endpoint did.
	// It is the tool's own failure, whatever else went well.
	Wrong bool `json:"wrong"`
}

// Fine reports whether there is something that this machine can measure, of
// each ladder that was tried, and nothing was wrong.
func (r *Result) Fine() bool {
	if r.Wrong || len(r.Steps) == 0 {
		return false
	}
	for _, s := range r.Steps {
		if s.Streams > 0 && r.Streams == 0 || s.RatePerS > 0 && r.RatePerS == 0 {
			return false
		}
	}
	return true
}

// add takes a step. counts says that it and all below it are fine.
func (r *Result) add(s Step, counts bool) {
	r.Steps = append(r.Steps, s)
	r.Wrong = r.Wrong || s.Wrong
	if !counts {
		return
	}
	r.FramesPerS = max(r.FramesPerS, s.FramesPerS)
	r.Streams = max(r.Streams, s.Streams)
	if s.RatePerS > 0 {
		r.RatePerS, r.RequestsPerS = max(r.RatePerS, s.RatePerS), max(r.RequestsPerS, s.RequestsPerS)
	}
}

// Step is one load that was tried. A nil figure is not known.
type Step struct {
	Streams  int     `json:"streams,omitzero"`    // closed loop: at a time
	RatePerS float64 `json:"rate_per_s,omitzero"` // open loop: asked for
	Requests int     `json:"requests"`            // asked for
	Tokens   int     `json:"tokens"`              // of an answer

	OK           int      `json:"ok"`         // requests that ended well
	Frames       int64    `json:"frames"`     // with output, that arrived
	DurationS    float64  `json:"duration_s"` // from the first dispatch to the last end
	FramesPerS   float64  `json:"frames_per_s"`
	RequestsPerS float64  `json:"requests_per_s"`   // inside the report's window
	LateMs       *float64 `json:"late_p99_ms"`      // open loop: sent − due, less connecting; p99
	CPUFrameUs   *float64 `json:"cpu_frame_us"`     // this process's CPU time / frames
	CPURequestUs *float64 `json:"cpu_request_us"`   // " / requests
	StreamBytes  *int64   `json:"bytes_per_stream"` // closed loop: growth of this process's memory / streams

	Figures []Figure `json:"figures"`       // what was measured, and what was so
	Valid   *bool    `json:"valid"`         // says the report; null: no check could judge
	Failed  []string `json:"failed_checks"` // ids of the checks that make it invalid
	// Uncertain: the report says that it doesn't know well enough when frames
	// arrived, whoever's doing that is. It doesn't vouch for such a level,
	// valid or not.
	Uncertain bool          `json:"uncertain"`
	Ended     record.Reason `json:"ended"` // other than done: it was cut, and nothing is judged
	Lack      *machine.Lack `json:"lack,omitempty"`

	Agrees bool `json:"agrees"` // every figure is within its bound
	Fine   bool `json:"fine"`   // vouched for, in agreement, and every request ended well
	Wrong  bool `json:"wrong"`  // vouched for, and not in agreement

	cpu time.Duration // that this process used
}

// Figure is what was measured beside what the endpoint knows it did.
type Figure struct {
	Name   Name    `json:"name"`
	Client float64 `json:"client"`
	Truth  float64 `json:"truth"`
	Bound  float64 `json:"bound"` // how far apart they may be
	Agrees bool    `json:"agrees"`
}

// Error is how far the measured figure lies from the truth.
func (f Figure) Error() float64 { return f.Client - f.Truth }

// Name says what is compared. All but the counts are in milliseconds, and of
// an open loop too they are counted from the send: the endpoint knows nothing
// of when a request was due.
type Name string

const (
	TTFTMean Name = "ttft_mean_ms"
	TTFTP99  Name = "ttft_p99_ms"
	ITLP99   Name = "itl_p99_ms" // of every request, the report's window or not
	E2EMean  Name = "e2e_mean_ms"
	Requests Name = "requests" // that ended well
	Timed    Name = "timed"    // of these, those inside the report's window
	Tokens   Name = "tokens"   // by the endpoint's usage
	Frames   Name = "frames"   // with output
)

// bounds is how far from the truth a figure may be: so much, and a share of
// the truth beside it. What is not here is a count, and exact.
var bounds = map[Name]struct{ least, share float64 }{
	TTFTMean: {.5, .01},
	TTFTP99:  {2, .05},
	ITLP99:   {.5, .05},
	E2EMean:  {.5, .01},
}

// compare holds a figure against the truth.
func compare(name Name, client, truth float64) Figure {
	b := bounds[name]
	bound := b.least + b.share*math.Abs(truth)
	return Figure{Name: name, Client: client, Truth: truth, Bound: bound, Agrees: math.Abs(client-truth) <= bound}
}

// judge draws the conclusions from what the step holds.
func (s *Step) judge() {
	if s.Ended != record.Done {
		return
	}
	s.Agrees = len(s.Figures) > 0
	for _, f := range s.Figures {
		s.Agrees = s.Agrees && f.Agrees
	}
	vouched := s.Valid != nil && *s.Valid && !s.Uncertain
	s.Fine = vouched && s.Agrees && s.OK == s.Requests
	s.Wrong = vouched && !s.Agrees
}
