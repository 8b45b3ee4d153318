// Package transcript answers what a server sent, when, and what must be
// reported of it: a small text format, its parser, and a player that writes
// it to a connection. It judges a record that a client made; it knows nothing
// of how the client made it.
//
// # The format
//
// A file holds cases, each of which may have variants. A whole one:
//
//	case sse-comment-between-pieces
//	note a comment in the middle is no piece and no gap
//	ask  stream
//
//	0    HEAD
//	100  ROLE
//	300  C "al"
//	320  C "pha"
//	330  COMMENT "still here"
//	340  C " be"
//	360  C "ta"  FIN stop  USE 7 4  DONE  EOF
//
//	want outcome    ok
//	want finish     stop
//	want ttft       300
//	want gaps       20 20 20
//	want e2e        360
//	want tokens     7 4
//	want keepalives 1
//	want text       "alpha beta"
//
//	variant reset
//	note the connection breaks after the second piece
//	0    HEAD
//	300  C "al"
//	320  C "pha"
//	325  RST
//	want outcome connection_reset
//	want frames  2
//
// A word that begins with # begins a comment. A string is one of Go's,
// "with \x65scapes" or `without`; followed by *N it stands for N of itself.
//
// # What is asked
//
// A variant has the settings of its case, and a timeline and wants of its own.
//
//	case NAME, variant NAME    a new transcript
//	note WORDS                 what is odd
//	ask stream | whole         what the request asks for (stream)
//	base URL                   where the client is pointed to (http://h/v1)
//	reused                     the connection has carried a request before
//	limit NAME MS              a limit of the client: ttft, idle, output_idle, total
//	decode MS                  the client's decoder takes this long a frame
//
// # What is sent
//
//	status N                   of the answer (200)
//	type MIME | none           its Content-Type (text/event-stream)
//	header NAME: VALUE | none  one more header, or no more of them
//	body chunked               how the body is framed (chunked):
//	     counted [N]           a Content-Length, the true one unless N is given
//	     until-close           its end is the connection's
//	     none                  no body and no word of one
//	coding gzip | identity     whether the body is compressed, and then flushed
//	                           after each piece (identity)
//	writes bytes               every byte is a write of its own
//	style crlf | lf | cr       how the frames below end their lines (lf)
//	style tight | spaced       whether a blank follows a field's colon (spaced)
//	also MEMBERS | none        JSON members that the chunks below also have
//
// A line that begins with a number is a moment, in milliseconds after the
// request, and all that is sent then in one write. "MS every STEP until LAST"
// stands for as many such lines. N* before a frame stands for N of it.
//
//	HEAD                       status line and headers
//	ROLE                       chunk: role assistant, content ""
//	C TEXT, R TEXT             chunk: content, reasoning
//	DELTA JSON, CHOICE JSON    chunk with this delta, with this only choice
//	FIN REASON                 chunk: empty delta, finish_reason
//	USE P C                    chunk: no choice, usage of P and C tokens
//	DONE                       data: [DONE]
//	DATA TEXT                  a frame with this data
//	COMMENT TEXT               a comment and a blank line
//	RAW TEXT, FILE NAME        bytes of the body, as they are
//	SPLIT                      what follows is another write, at the same moment
//	EOF                        the body's proper end
//	WIRE TEXT                  bytes outside of the body's framing
//	CLOSE, RST                 the connection is closed, or reset
//
// Where neither CLOSE nor RST ends it, the connection stays open.
//
// # What must be reported
//
// Each "want NAME VALUE" is one thing to be checked, and only these are. Times
// are in milliseconds from the request's first byte; what must be absent is
// "none". A later want of the same name replaces an earlier one.
//
//	outcome finish code request_id model fingerprint path      words
//	status bytes characters estimated                          numbers
//	frames events reasoning_frames refusal_frames tool_frames
//	keepalives first_read uncertain                            counts
//	input output cached reasoning                              tokens
//	tokens IN OUT                                              both, from the usage
//	headers first_byte first_event ttft ttfa e2e terminal end  times
//	gaps MS…, N*MS for several alike                           times
//	tpot, retry_after (s)                                      to the decimals given
//	message TEXT                                               contained in it
//	text TEXT                                                  the whole answer
//	not_streamed usable                                        yes or no
//	warnings NAME… | any | none                                all that there are
//	CHAT-BASE                                                  what "alpha beta" in four
//	                                                           pieces from 300 to 360 gives
package transcript

import "time"

// Transcript is one answer of a server, and what must be reported of it.
type Transcript struct {
	Name    string // of the case
	Variant string // "": the case itself
	Note    string
	Line    int // where it begins in its file
	Ask     Ask
	Steps   []Step
	Wants   []Want

	head     []byte
	chunked  bool
	bytewise bool
}

// Title is the case's name, and the variant's behind a slash.
func (t *Transcript) Title() string {
	if t.Variant == "" {
		return t.Name
	}
	return t.Name + "/" + t.Variant
}

// Ask is what the transcript answers.
type Ask struct {
	Stream bool
	Base   string        // the client's base URL
	Reused bool          // the connection carried a request before
	Decode time.Duration // what the client's decoder takes a frame; 0: nothing
	Limits Limits
}

// Limits that the client is given. Zero: off.
type Limits struct{ TTFT, Idle, OutputIdle, Total time.Duration }

// Step is what is sent in one write.
type Step struct {
	At    time.Duration // after the request
	Parts []Part
	End   End
}

// Part is some bytes of a step.
type Part struct {
	Kind  Kind
	Bytes []byte // as the body has them, before framing; of Head and Last none
}

// Kind is where bytes stand in an answer.
type Kind int

const (
	Body Kind = iota // inside of the body's framing
	Wire             // outside of it
	Head             // status line and headers
	Last             // the body's proper end
)

// End is what happens to the connection after a step.
type End int

const (
	Open  End = iota // nothing
	Close            // an orderly close
	Reset            // a reset, where the connection can do it
)

// Want is one thing to be checked.
type Want struct {
	Line int
	Name string
	Args []string
}
