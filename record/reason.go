package record

import "tidemark/text"

// Reason is why a run or a level ended. "" is absent.
type Reason string

const (
	Done        Reason = "done"
	Interrupted Reason = "interrupted"
	MaxTime     Reason = "max_time"
	MaxTokens   Reason = "max_total_tokens"
	MaxErrors   Reason = "max_error_percent"
	DiskFailed  Reason = "disk"
	BadTrace    Reason = "trace"     // of a run: its trace could not be read to the end
	Refused     Reason = "preflight" // of a run: nothing was loaded
	Climbing    Reason = "failing"   // of a level: more than half of it failed
)

var reasonNames = map[Reason]text.Message{
	"":          {},
	Done:        text.Msg("reason.done"),
	Interrupted: text.Msg("reason.interrupted"),
	MaxTime:     text.Msg("reason.max_time"),
	MaxTokens:   text.Msg("reason.max_total_tokens"),
	MaxErrors:   text.Msg("reason.max_error_percent"),
	DiskFailed:  text.Msg("reason.disk"),
	BadTrace:    text.Msg("reason.trace"),
	Refused:     text.Msg("reason.preflight"),
	Climbing:    text.Msg("reason.failing"),
}

// Name is the reason in words. The zero Message: there is none.
func (r Reason) Name() text.Message {
	if m, known := reasonNames[r]; known {
		return m
	}
	return text.Msg("reason.unknown", string(r))
}
