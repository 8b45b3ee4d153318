package wire

import "tidemark/record"

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
		s.warn(record.WarnBurst)
	case gaps >= 10 && 2*s.zeroGaps >= gaps:
		s.warn(record.WarnClumped)
	}
	switch {
	case s.echo.cumulative():
		s.warn(record.WarnCumulative)
	case s.echo.again:
		s.warn(record.WarnDuplicate)
	}
	if s.a.Tokens.Reasoning.N > 0 && f.Output > 0 && f.Reasoning == 0 {
		s.warn(record.WarnHidden)
	}
}
