package wire

// Warnings of an attempt that is otherwise fine: ids, in record.Attempt's
// Warnings. A decoder has its own beside them.
const (
	warnBurst       = "burst"                   // all output came in one read
	warnClumped     = "clumped"                 // half of the gaps or more are zero
	warnCompressed  = "compressed"              // the body was compressed unasked
	warnCumulative  = "cumulative_text"         // each piece repeats all before it
	warnDuplicate   = "duplicate_final_text"    // the last piece repeats all before it
	warnNoFinish    = "done_without_finish"     // a sentinel, and no finish reason
	warnHidden      = "hidden_reasoning"        // reasoning was counted and not shown
	warnLingering   = "lingering_body"          // the answer ended, its body didn't
	warnSeparator   = "missing_event_separator" // two events with no empty line between
	warnNotStreamed = "not_streamed"            // a whole body although a stream was asked for
	warnAfterFinish = "output_after_finish"     // text behind a finish reason
	warnUnclean     = "unclean_close"           // the answer ended, then the connection broke
	warnTail        = "unterminated_tail"       // the last event lacked its end
)

// warningKinds bounds the ids that one attempt keeps.
const warningKinds = 32

func (s *stream) warn(id string) {
	w := s.a.Warnings
	if w == nil {
		w = make(map[string]int)
		s.a.Warnings = w
	}
	if _, known := w[id]; known || len(w) < warningKinds {
		w[id]++
	}
}

// warnOfShape says what is odd about how an answer came.
func (s *stream) warnOfShape() {
	f := s.a.Frames
	gaps := f.Output - 1
	alone := f.Output > 0 && f.FirstRead == f.Output
	switch {
	case alone && (f.Output > 1 || s.a.Tokens.Output.N > 1):
		s.warn(warnBurst)
	case gaps >= 10 && 2*s.zeroGaps >= gaps:
		s.warn(warnClumped)
	}
	switch {
	case s.echo.cumulative():
		s.warn(warnCumulative)
	case s.echo.again:
		s.warn(warnDuplicate)
	}
	if s.a.Tokens.Reasoning.N > 0 && f.Output > 0 && f.Reasoning == 0 {
		s.warn(warnHidden)
	}
}
