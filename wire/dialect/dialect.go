// Package dialect answers how an API says it: how a request is put into
// bytes, and what each piece of an answer means. It is pure: no network, no
// clock, no figures. Adding an API is one file here and its transcripts.
package dialect

import (
	"net/http"

	"tidemark/load/prompt"
	"tidemark/record"
	"tidemark/record/outcome"
)

// Dialect is one API. Implementations are stateless and safe for use by many
// streams at once.
type Dialect interface {
	// Name is what a plan calls it.
	Name() string
	// Encode puts a request into bytes. It fails only for a request that the
	// API has no words for.
	Encode(prompt.Request) (Call, error)
	// NewDecoder returns the state that one answer needs. It is used by one
	// goroutine, for one answer.
	NewDecoder() Decoder
	// Error names an answer whose status is not 200, from whatever came with
	// it. The body may be empty, cut or no JSON at all.
	Error(status int, header http.Header, body []byte) Failure
}

// Call is one HTTP request, but for the base it is sent to.
type Call struct {
	Method  string
	Path    string // appended to the base; begins with a slash
	Header  http.Header
	Body    []byte
	Framing Framing // of the answer that was asked for
}

// Framing is how an answer is cut into frames.
type Framing int

const (
	Whole  Framing = iota // one body, not streamed
	SSE                   // WHATWG server-sent events
	NDJSON                // one JSON value a line
)

// Frame is one event of a stream, comments excepted. Its slices are valid
// during the call that hands them over.
type Frame struct {
	Event []byte // SSE: the event field; nil where absent
	Data  []byte // SSE: the data lines joined by LF; NDJSON: the line
	Error []byte // SSE: the value of a non-standard field named "error"
}

// Decoder reads one answer.
type Decoder interface {
	// Frame says what one frame means, in o, which the caller has reset. An
	// error means that the frame can't be read: the caller names it
	// protocol_error unless it can cut the frame further.
	Frame(f Frame, o *Observation) error
	// Body says what a whole answer means.
	Body(body []byte, o *Observation) error
}

// Observation is what one frame, or one body, said. A caller reuses it: its
// slices are valid until the decoder's next call.
type Observation struct {
	// Sampled text by kind; several choices are joined. Non-empty is output.
	Answer, Reasoning, Refusal, Tool []byte

	Usage   record.Tokens // counts that were present; later frames win
	Finish  string        // a non-empty finish reason
	Done    bool          // the API's sentinel that nothing follows
	Empty   bool          // a keep-alive: no choice, no usage, no finish, nothing
	Failure *Failure      // an error inside a 200; nil: none

	ID, Model, Fingerprint string   // who served it; "": not in this frame
	Warnings               []string // ids of odd things tolerated
}

// Output reports whether the frame holds at least one sampled character.
func (o *Observation) Output() bool {
	return len(o.Answer) > 0 || len(o.Reasoning) > 0 || len(o.Refusal) > 0 || len(o.Tool) > 0
}

// Reset empties o for the next frame and keeps its buffers.
func (o *Observation) Reset() {
	*o = Observation{
		Answer: o.Answer[:0], Reasoning: o.Reasoning[:0], Refusal: o.Refusal[:0], Tool: o.Tool[:0],
		Warnings: o.Warnings[:0],
	}
}

// Failure is a refusal in the provider's own words.
type Failure struct {
	Class      outcome.Class
	Code       string  // the provider's code or type; "": none
	Message    string  // the provider's words, one line, at most 500 bytes
	RetryAfter float64 // seconds; 0: not said
	RequestID  string
}
