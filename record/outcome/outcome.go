// Package outcome answers which class of ending an attempt had, by one table,
// and names the cure. It knows the classes and how a status, a code or a
// message maps to them; it knows nothing of connections or of figures.
package outcome

import (
	"strconv"
	"strings"

	"tidemark/text"
)

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
	// The plan's: a share of requests leaves early, as users do.
	CancelledByPlan Class = "cancelled_by_plan"
)

// Side is whose ending it was.
type Side int

const (
	Success Side = iota // counts in latency and in success
	Failure             // counts against the endpoint
	Cut                 // ended by the run or the plan itself: neither
	Client              // the client's own pool or machine: shown beside, in no rate
)

// row is all that is known of a class.
type row struct {
	class Class
	side  Side
	name  text.Message
	cure  text.Message // says nothing for OK alone
}

// table holds every class, in the order of the constants.
var table = []row{
	{OK, Success, text.Msg("outcome.ok"), text.Message{}},

	{EmptyOutput, Failure, text.Msg("outcome.empty_output"), text.Msg("outcome.empty_output.cure")},
	{IncompleteStream, Failure, text.Msg("outcome.incomplete_stream"), text.Msg("outcome.incomplete_stream.cure")},
	{InbandError, Failure, text.Msg("outcome.inband_error"), text.Msg("outcome.inband_error.cure")},
	{ProtocolError, Failure, text.Msg("outcome.protocol_error"), text.Msg("outcome.protocol_error.cure")},
	{WrongProtocol, Failure, text.Msg("outcome.wrong_protocol"), text.Msg("outcome.wrong_protocol.cure")},
	{NotAnAPIResponse, Failure, text.Msg("outcome.not_an_api_response"), text.Msg("outcome.not_an_api_response.cure")},
	{EmptyBody, Failure, text.Msg("outcome.empty_body"), text.Msg("outcome.empty_body.cure")},
	{ResponseTooLarge, Failure, text.Msg("outcome.response_too_large"), text.Msg("outcome.response_too_large.cure")},
	{UnsupportedCoding, Failure, text.Msg("outcome.unsupported_encoding"), text.Msg("outcome.unsupported_encoding.cure")},

	{RateLimited, Failure, text.Msg("outcome.rate_limited"), text.Msg("outcome.rate_limited.cure")},
	{Quota, Failure, text.Msg("outcome.quota"), text.Msg("outcome.quota.cure")},
	{Overloaded, Failure, text.Msg("outcome.overloaded"), text.Msg("outcome.overloaded.cure")},
	{Auth, Failure, text.Msg("outcome.auth"), text.Msg("outcome.auth.cure")},
	{BadRequest, Failure, text.Msg("outcome.bad_request"), text.Msg("outcome.bad_request.cure")},
	{ModelNotFound, Failure, text.Msg("outcome.model_not_found"), text.Msg("outcome.model_not_found.cure")},
	{PathNotFound, Failure, text.Msg("outcome.path_not_found"), text.Msg("outcome.path_not_found.cure")},
	{Redirected, Failure, text.Msg("outcome.redirected"), text.Msg("outcome.redirected.cure")},
	{UnexpectedStatus, Failure, text.Msg("outcome.unexpected_status"), text.Msg("outcome.unexpected_status.cure")},

	{ConnectionReset, Failure, text.Msg("outcome.connection_reset"), text.Msg("outcome.connection_reset.cure")},
	{StaleConnection, Client, text.Msg("outcome.stale_connection"), text.Msg("outcome.stale_connection.cure")},
	{Connect, Failure, text.Msg("outcome.connect"), text.Msg("outcome.connect.cure")},

	{TTFTTimeout, Failure, text.Msg("outcome.ttft_timeout"), text.Msg("outcome.ttft_timeout.cure")},
	{IdleTimeout, Failure, text.Msg("outcome.idle_timeout"), text.Msg("outcome.idle_timeout.cure")},
	{OutputIdleTimeout, Failure, text.Msg("outcome.output_idle_timeout"), text.Msg("outcome.output_idle_timeout.cure")},
	{TotalTimeout, Failure, text.Msg("outcome.total_timeout"), text.Msg("outcome.total_timeout.cure")},

	{ClientResource, Client, text.Msg("outcome.client_resource"), text.Msg("outcome.client_resource.cure")},
	{CutByRunEnd, Cut, text.Msg("outcome.cut_by_run_end"), text.Msg("outcome.cut_by_run_end.cure")},
	{CancelledByPlan, Cut, text.Msg("outcome.cancelled_by_plan"), text.Msg("outcome.cancelled_by_plan.cure")},
}

const statusPrefix = "http_"

// Status is the class of an HTTP status that has none of its own.
func Status(code int) Class { return Class(statusPrefix + strconv.Itoa(code)) }

// Classes lists every class but those of [Status], in the table's order.
func Classes() []Class {
	all := make([]Class, len(table))
	for i, r := range table {
		all[i] = r.class
	}
	return all
}

// Side is whose ending it was. A class that nobody knows, from a newer
// version's file, is a failure.
func (c Class) Side() Side { return c.row().side }

// Name is the class in words.
func (c Class) Name() text.Message { return c.row().name }

// Cure is what to do about it. It says nothing for [OK].
func (c Class) Cure() text.Message { return c.row().cure }

func (c Class) row() row {
	for _, r := range table {
		if r.class == c {
			return r
		}
	}
	if code, isStatus := strings.CutPrefix(string(c), statusPrefix); isStatus {
		return row{c, Failure, text.Msg("outcome.http", code), text.Msg("outcome.http.cure", code)}
	}
	return row{c, Failure, text.Msg("outcome.unknown", string(c)), text.Msg("outcome.unknown.cure")}
}
