// Package outcome answers which class of ending an attempt had, by one table,
// and names the cure. It knows the classes and how a status, a code or a
// message maps to them; it knows nothing of connections or of figures.
package outcome

// Class is how an attempt ended. Every class but [Status] classes
// ("http_502") is a constant here and a row of the table.
type Class string

const (
	OK Class = "ok"

	// The answer came, and is no answer.
	EmptyOutput       Class = "empty_output"
	IncompleteStream  Class = "incomplete_stream"
	InbandError       Class = "inband_error"
	ProtocolError     Class = "protocol_error"
	WrongProtocol     Class = "wrong_protocol"
	NotAnAPIResponse  Class = "not_an_api_response"
	EmptyBody         Class = "empty_body"
	ResponseTooLarge  Class = "response_too_large"
	UnsupportedCoding Class = "unsupported_encoding"

	// The endpoint refused.
	RateLimited      Class = "rate_limited"
	Quota            Class = "quota"
	Overloaded       Class = "overloaded"
	Auth             Class = "auth"
	BadRequest       Class = "bad_request"
	ModelNotFound    Class = "model_not_found"
	PathNotFound     Class = "path_not_found"
	Redirected       Class = "redirected"
	UnexpectedStatus Class = "unexpected_status"

	// The connection failed.
	ConnectionReset Class = "connection_reset"
	StaleConnection Class = "stale_connection"
	Connect         Class = "connect"

	// A limit of the plan passed.
	TTFTTimeout       Class = "ttft_timeout"
	IdleTimeout       Class = "idle_timeout"
	OutputIdleTimeout Class = "output_idle_timeout"
	TotalTimeout      Class = "total_timeout"

	// Ours.
	ClientResource Class = "client_resource"
	CutByRunEnd    Class = "cut_by_run_end"
)

// Side is whose ending it was.
type Side int

const (
	Success Side = iota // counts in latency and in success
	Failure             // counts against the endpoint
	Cut                 // ended by the run itself: neither
	Client              // the client's own pool or machine: shown beside, in no rate
)
