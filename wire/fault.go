package wire

import (
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
)

// fault is how the carriage of an attempt failed. It names the class that the
// attempt has unless what was seen before outweighs it.
type fault struct {
	class outcome.Class
	said  string
	// soft faults are the transport's: a finished answer outweighs them, with
	// the warning. A fault that is not soft has no warning.
	soft    bool
	warning string
	cause   error
}

func (f *fault) Error() string { return f.said }
func (f *fault) Unwrap() error { return f.cause }

// flaw is a breach of HTTP: what follows can't be understood.
func flaw(format string, args ...any) *fault {
	return &fault{class: outcome.ProtocolError, said: fmt.Sprintf(format, args...), soft: true, warning: record.WarnUnclean}
}

// cut is a body that ended before its end.
func cut() *fault {
	return &fault{
		class: outcome.IncompleteStream, said: "the connection closed before the body's end",
		soft: true, warning: record.WarnUnclean, cause: io.ErrUnexpectedEOF,
	}
}

// broken is a connection that failed, or closed where no body could end.
func broken(err error) *fault {
	said := err.Error()
	var op *net.OpError
	switch {
	case errors.Is(err, io.EOF):
		said = "the connection closed before an answer"
	case errors.As(err, &op):
		// Its addresses differ from connection to connection, and would make as
		// many kinds of failure of one.
		said = op.Op + ": " + op.Err.Error()
	}
	return &fault{class: outcome.ConnectionReset, said: said, soft: true, warning: record.WarnUnclean, cause: err}
}

// late is a limit that passed.
func late(class outcome.Class, limit time.Duration) *fault {
	return &fault{class: class, said: fmt.Sprintf("the limit of %v passed", limit), soft: true, warning: record.WarnLingering}
}

// refuse is an answer that can't be taken at all.
func refuse(class outcome.Class, format string, args ...any) *fault {
	return &fault{class: class, said: fmt.Sprintf(format, args...)}
}

// stopped is the run's end.
func stopped() *fault { return &fault{class: outcome.CutByRunEnd} }

// left is the client that went away, as the plan has it.
func left() *fault { return &fault{class: outcome.CancelledByPlan} }

func tooLarge(what string, limit int) *fault {
	return refuse(outcome.ResponseTooLarge, "%s is larger than %d MiB", what, limit>>20)
}

// shown is how much of what can't be read is shown, in bytes.
const shown = 120

func unreadable(f dialect.Frame, offset int64, cause error) *fault {
	data := f.Data
	if len(f.Error) > 0 {
		data = f.Error
	}
	said := refuse(outcome.ProtocolError, "frame at byte %d (%s): %s", offset, record.OneLine(cause.Error(), shown), record.OneLine(data, shown))
	said.cause = cause
	return said
}

// unreadableBody tells a broken answer from something that is none.
func unreadableBody(b []byte, cause error) *fault {
	if c := firstMark(b); c != '{' && c != '[' {
		return refuse(outcome.NotAnAPIResponse, "%s", record.OneLine(b, record.MessageLimit))
	}
	return refuse(outcome.ProtocolError, "body (%s): %s", record.OneLine(cause.Error(), shown), record.OneLine(b, shown))
}
