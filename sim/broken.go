package sim

import (
	"context"
	"net/http"
	"time"
)

// instead sends what comes in the place of an answer, where the fault is of
// that kind, and reports whether it did.
func (a *answer) instead() bool {
	switch {
	case a.fault.Kind == HTML:
		a.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = a.write([]byte(htmlPage)) // failed anyhow
	case a.fault.Kind == Empty && a.chat.Stream:
		a.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_ = a.flush() // makes it a chunked body, as a stream's is
	case a.fault.Kind == Empty:
		a.w.Header().Set("Content-Type", "application/json")
		a.w.WriteHeader(http.StatusOK)
	case a.fault.Kind == InbandError && !a.chat.Stream:
		sendJSON(a.w, http.StatusOK, Fault{Kind: ServerError}.refusal("").body())
	default:
		return false
	}
	return true
}

// breaks ends a stream in the place of its next token, where the fault is of
// that kind, and reports whether it did. It does not return where the
// connection breaks with it.
func (a *answer) breaks() bool {
	switch a.fault.Kind {
	case InbandError:
		_ = a.write([]byte(errorFrame)) // failed anyhow
		a.row.Frames += 2
		return true
	case Reset:
		if a.conn != nil {
			_ = a.conn.SetLinger(0) // a connection that is gone needs none
		}
		panic(http.ErrAbortHandler)
	case Cut:
		panic(http.ErrAbortHandler)
	}
	return false
}

// pause lets the fault's time pass and then the answer go on.
func (a *answer) pause(ctx context.Context) {
	// An end of ctx is met again at the next token.
	_ = sleepUntil(ctx, newTimer(), time.Now().Add(a.fault.wait()))
	a.pace.release()
}
