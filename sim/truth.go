package sim

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Truth is what the endpoint really sent since it was made or last reset.
// Only requests that ended ok are in the figures of time. A time is from the
// arrival of the request's last bytes, by the kernel's stamp where there is
// one, to the moment the write of the token returned.
type Truth struct {
	Engine      string `json:"engine"`        // "batching" or "schedule"
	Requests    int64  `json:"requests"`      // that ended
	OK          int64  `json:"ok"`            // sent to their end, every token, in good order
	Tokens      int64  `json:"tokens"`        // of all requests
	Frames      int64  `json:"frames"`        // of all requests
	InFlight    int    `json:"in_flight"`     // now
	MaxInFlight int    `json:"max_in_flight"` // at any moment
	Connections int64  `json:"connections"`   // opened since the endpoint was made

	// TTFT and E2E are exact, over the last 100,000 requests; gaps come from a
	// histogram of them all, good to 0.1 %, their mean exact. A time is null
	// where nothing is known. Percentiles are the least value that so many
	// reach.
	TTFT *Spread `json:"ttft_ms"` // streams only
	Gap  *Spread `json:"gap_ms"`  // between the writes of successive tokens
	E2E  *Spread `json:"e2e_ms"`  // to the last token

	Last int64  `json:"last"` // number of the request that arrived last
	Rows []Sent `json:"rows"` // of the last 100,000 that ended, in that order
}

// Spread is a distribution in milliseconds.
type Spread struct {
	N    int64   `json:"n"`
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// Sent is what was sent for one request. Its id in the answer is "sim-" and
// its number.
type Sent struct {
	Number       int64   `json:"number"`           // in order of arrival, from 1; a reset does not begin anew
	ArrivedMs    float64 `json:"arrived_ms"`       // since the endpoint was made
	Status       int     `json:"status,omitzero"`  // HTTP; zero where it was cut before any
	OK           bool    `json:"ok"`               // sent to its end, every token, in good order
	Fault        Kind    `json:"fault,omitempty"`  // that it met
	Streamed     bool    `json:"streamed"`         // it asked for a stream
	TTFTMs       float64 `json:"ttft_ms,omitzero"` // zero where no token was streamed
	E2EMs        float64 `json:"e2e_ms,omitzero"`  // to the last token sent; zero where there was none
	GapMeanMs    float64 `json:"gap_mean_ms,omitzero"`
	GapMaxMs     float64 `json:"gap_max_ms,omitzero"`
	PromptTokens int     `json:"prompt_tokens,omitzero"`
	Tokens       int     `json:"tokens"` // sent
	Frames       int     `json:"frames"` // sent, those without a token and [DONE] included
}

const (
	keptRows   = 100_000
	longestGap = 2 * time.Hour // kept as such; a stall is an hour at most
)

// truth gathers. A stream keeps its own facts until it ends, so that no
// token takes a lock.
type truth struct {
	connections atomic.Int64
	ending      atomic.Int64 // streams whose last bytes are on their way

	mu                    sync.Mutex
	last                  int64
	inFlight, maxInFlight int
	requests, ok          int64
	tokens, frames        int64
	rows                  []Sent // a ring once it is full
	next                  int    // the ring's oldest
	// A histogram of its own, though stat has one: what the tool's figures are
	// held against should share as little as can be with what makes them.
	gaps   *hdrhistogram.Histogram
	gapSum float64 // ns
}

// begin counts a request in and numbers it.
func (t *truth) begin() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.inFlight++
	t.maxInFlight = max(t.maxInFlight, t.inFlight)
	t.last++
	return t.last
}

// end counts a request out and takes its facts.
func (t *truth) end(row Sent, gaps []int64) {
	var sum, most int64
	for _, g := range gaps {
		sum += g
		most = max(most, g)
	}
	if len(gaps) > 0 {
		row.GapMeanMs = float64(sum) / float64(len(gaps)) / 1e6
		row.GapMaxMs = float64(most) / 1e6
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.inFlight--
	t.requests++
	t.tokens += int64(row.Tokens)
	t.frames += int64(row.Frames)
	if row.OK {
		t.ok++
		t.gapSum += float64(sum)
		for _, g := range gaps {
			_ = t.gaps.RecordValue(min(g, int64(longestGap))) // it is in range
		}
	}
	if len(t.rows) < keptRows {
		t.rows = append(t.rows, row)
		return
	}
	t.rows[t.next] = row
	t.next = (t.next + 1) % keptRows
}

func (t *truth) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests, t.ok, t.tokens, t.frames = 0, 0, 0, 0
	t.maxInFlight = t.inFlight
	t.rows, t.next = nil, 0
	t.gaps = hdrhistogram.New(int64(time.Microsecond), int64(longestGap), 3)
	t.gapSum = 0
}

// ResetTruth forgets what was sent so far. Requests in flight are counted
// when they end.
func (s *Server) ResetTruth() { s.truth.reset() }

// Truth tells what was sent. Its rows are those of requests with a number
// above since; all the rest is of all requests. It waits a moment for streams
// whose end their readers may have seen already.
func (s *Server) Truth(since int64) Truth {
	for range 50 {
		if s.truth.ending.Load() == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	out := s.truth.tell(since)
	out.Engine = "batching"
	if s.engine == nil {
		out.Engine = "schedule"
	}
	return out
}

func (t *truth) tell(since int64) Truth {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := Truth{
		Requests: t.requests, OK: t.ok, Tokens: t.tokens, Frames: t.frames,
		InFlight: t.inFlight, MaxInFlight: t.maxInFlight, Connections: t.connections.Load(),
		Gap: t.gapSpread(), Last: t.last, Rows: []Sent{},
	}
	var ttft, e2e []float64
	for i := range t.rows {
		r := t.rows[(t.next+i)%len(t.rows)]
		if r.Number > since {
			out.Rows = append(out.Rows, r)
		}
		if !r.OK {
			continue
		}
		e2e = append(e2e, r.E2EMs)
		if r.Streamed {
			ttft = append(ttft, r.TTFTMs)
		}
	}
	out.TTFT, out.E2E = spread(ttft), spread(e2e)
	return out
}

func (t *truth) gapSpread() *Spread {
	n := t.gaps.TotalCount()
	if n == 0 {
		return nil
	}
	at := func(p float64) float64 { return float64(t.gaps.ValueAtPercentile(p)) / 1e6 }
	return &Spread{N: n, Mean: t.gapSum / float64(n) / 1e6, P50: at(50), P99: at(99), Max: at(100)}
}

// spread sorts values; nil: there are none.
func spread(values []float64) *Spread {
	n := len(values)
	if n == 0 {
		return nil
	}
	slices.Sort(values)
	var sum float64
	for _, v := range values {
		sum += v
	}
	at := func(p float64) float64 { return values[max(int(math.Ceil(p*float64(n))), 1)-1] }
	return &Spread{N: int64(n), Mean: sum / float64(n), P50: at(.5), P99: at(.99), Max: values[n-1]}
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
