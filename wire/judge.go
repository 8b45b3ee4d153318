package wire

import (
	"time"

	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/stamp"
)

// judge names the ending of an attempt, by what was seen of the answer and by
// how its carriage failed; nil: it did not. The order is the rule.
// empty says that the body had no byte.
func (s *stream) judge(f *fault, empty bool) outcome.Class {
	ended := s.finished || s.done
	switch {
	case s.failure != nil:
		return s.failure.Class // the endpoint's own word
	case f != nil && (!f.soft || !ended):
		return f.class
	case f != nil && !s.finished && f.warning == record.WarnUnclean:
		return outcome.IncompleteStream // a sentinel without a finish, cut: two weak ends are none
	}
	if f != nil {
		s.warn(f.warning)
	}
	switch {
	case empty:
		return outcome.EmptyBody
	case !ended && s.a.Frames.Events+s.a.Frames.KeepAlives == 0:
		return outcome.NotAnAPIResponse
	case !ended:
		return outcome.IncompleteStream // the end of a body alone ends nothing
	case s.a.LastOut == 0:
		return outcome.EmptyOutput
	}
	return outcome.OK
}

// unknownFinish stands where an answer ended by the sentinel alone.
const unknownFinish = "unknown"

// conclude ends the attempt's record.
func (c *Conn) conclude(err error) {
	s, f := &c.s, asFault(err)
	a := s.a
	a.Outcome = s.judge(f, c.body.bytes == 0)
	a.Message = s.message(f)
	a.RequestID = first(s.id, a.RequestID)
	if s.failure != nil {
		a.Code, a.RetryAfter = s.failure.Code, s.failure.RetryAfter
		a.RequestID = first(s.failure.RequestID, a.RequestID)
	}
	if a.Outcome == outcome.OK {
		if !s.finished {
			a.Finish = unknownFinish
			s.warn(record.WarnNoFinish)
		}
		s.warnOfShape()
	}
	s.fill()
	a.RTT = int64(c.sock.RTT())
	a.Stamps = string(stamp.Read)
	if !s.doubted && c.sock.Source() == stamp.Kernel {
		a.Stamps = string(stamp.Kernel)
	}
	c.client.Target.strikeAll(a)
	a.End = s.offset(time.Now())
}

// message is the words to an ending: the endpoint's, else the system's.
func (s *stream) message(f *fault) string {
	switch {
	case s.failure != nil:
		return s.failure.Message
	case f != nil && f.class == s.a.Outcome:
		return f.said
	case s.a.Outcome == outcome.NotAnAPIResponse:
		return record.OneLine(s.beginning, record.MessageLimit)
	case s.a.Outcome == outcome.IncompleteStream:
		return "the stream ended without a sign that the answer did"
	}
	return ""
}

// strikeAll takes the secrets out of every word that came from outside.
func (t Target) strikeAll(a *record.Attempt) {
	a.Message = record.OneLine(t.strike(a.Message), record.MessageLimit)
	for _, s := range []*string{&a.Code, &a.RequestID, &a.Node, &a.Finish, &a.ServedModel, &a.Fingerprint} {
		*s = record.OneLine(t.strike(*s), nameLimit)
	}
	a.Answer = t.strike(a.Answer)
}

// nameLimit bounds what an endpoint calls things, in bytes.
const nameLimit = 200

// asFault is the fault that an error of the carriage is; nil: it is none.
func asFault(err error) *fault {
	f, _ := err.(*fault)
	return f
}
