package wire

import (
	"bytes"
	"slices"
	"time"

	"tidemark/load/token"
	"tidemark/record"
	"tidemark/record/outcome"
	"tidemark/wire/dialect"
	"tidemark/wire/stamp"
)

const (
	answerLimit = 64 << 10 // bytes of an answer that are kept
	packedLimit = 16 << 10 // bytes of a list that a connection keeps for the next attempt
)

// stream is one attempt as its answer is read: what was seen, and when.
type stream struct {
	a      *record.Attempt
	epoch  time.Time
	limits *limits
	dec    dialect.Decoder
	obs    dialect.Observation
	keep   bool // the answer's text
	leave  int  // output frames after which the client goes away; 0: it stays

	sock    stamp.Conn
	now     record.Offset // arrival of what is being decoded
	read    record.Offset // when it was read
	readAt  time.Time     // the same
	emptied time.Time     // when the socket was last empty before it
	kernel  bool          // now is the kernel's
	doubted bool          // some arrival of the attempt is not

	outRead  record.Offset // when the last output was read
	zeroGaps int
	gaps     record.Packed
	lags     record.Packed
	doubts   record.Packed

	finished  bool
	done      bool
	failure   *dialect.Failure
	id        string
	beginning []byte // of the body, to be shown should it be no answer

	echo   echo
	count  token.Counter // of all sampled text
	latest token.Counter // of the last piece, while pieces grow
	answer []byte
	piece  int // where the last piece begins in answer
}

// begin makes s ready for an attempt and keeps its buffers.
func (s *stream) begin(a *record.Attempt, epoch time.Time, sock stamp.Conn, l *limits, ask *Ask) {
	*s = stream{
		a: a, epoch: epoch, sock: sock, limits: l, keep: ask.KeepAnswer, leave: ask.Leave.Frames, dec: ask.Dialect.NewDecoder(), obs: s.obs,
		gaps: s.gaps[:0], lags: s.lags[:0], doubts: s.doubts[:0], beginning: s.beginning[:0],
	}
}

func (s *stream) offset(t time.Time) record.Offset { return record.Offset(t.Sub(s.epoch)) }

// arrived notes the arrival of what is decoded next. Arrivals never go back.
func (s *stream) arrived(ar stamp.Arrival) {
	read := s.offset(ar.Read)
	if read == s.read {
		return
	}
	s.read, s.readAt = read, ar.Read
	s.now = max(s.offset(ar.At), s.now, s.a.Sent)
	s.kernel = s.sock.Source() == stamp.Kernel
	s.doubted = s.doubted || !s.kernel
	s.emptied = ar.Emptied
}

// preface keeps what came before the first frame, to be shown should there be
// none.
func (s *stream) preface(p []byte) {
	if room := record.MessageLimit + 1 - len(s.beginning); room > 0 && s.a.Frames.Events == 0 {
		s.beginning = append(s.beginning, p[:min(len(p), room)]...)
	}
}

// frame takes one frame. Its arrival was noted.
func (s *stream) frame(f dialect.Frame, offset int64) error {
	s.obs.Reset()
	if err := s.dec.Frame(f, &s.obs); err != nil {
		return s.reread(f, offset, err)
	}
	s.take(&s.obs)
	return nil
}

// reread tries each line of a frame that can't be read whole: some servers
// forget the empty line between two events.
func (s *stream) reread(f dialect.Frame, offset int64, cause error) error {
	if !bytes.ContainsRune(f.Data, '\n') {
		return unreadable(f, offset, cause)
	}
	for line := range bytes.SplitSeq(f.Data, []byte{'\n'}) {
		one := dialect.Frame{Event: f.Event, Data: line}
		s.obs.Reset()
		if err := s.dec.Frame(one, &s.obs); err != nil {
			return unreadable(f, offset, cause)
		}
		s.take(&s.obs)
	}
	s.warn(record.WarnSeparator)
	return nil
}

// take notes what a frame said.
func (s *stream) take(o *dialect.Observation) {
	for _, id := range o.Warnings {
		s.warn(id)
	}
	if o.Empty {
		s.a.Frames.KeepAlives++
		return
	}
	s.a.Frames.Events++
	if s.a.FirstEvent == 0 {
		s.a.FirstEvent = s.now
	}
	if o.Output() {
		s.output(o)
	}
	s.learn(o)
	if s.over() {
		s.limits.noMoreOutput()
		s.limits.stay()
	}
	if o.Finish != "" || o.Done {
		s.a.Terminal = s.now
	}
}

// over reports whether the answer said that it ended.
func (s *stream) over() bool { return s.finished || s.done || s.failure != nil }

// leaves reports whether the client has seen as much as it stays for.
func (s *stream) leaves() bool { return s.leave > 0 && s.a.Frames.Output >= s.leave && !s.over() }

// learn notes what a frame or a body said besides text.
func (s *stream) learn(o *dialect.Observation) {
	s.id = first(s.id, o.ID)
	s.a.ServedModel = first(s.a.ServedModel, o.Model)
	s.a.Fingerprint = first(s.a.Fingerprint, o.Fingerprint)
	s.a.Finish = first(s.a.Finish, o.Finish)
	merge(&s.a.Tokens.Input, o.Usage.Input)
	merge(&s.a.Tokens.Output, o.Usage.Output)
	merge(&s.a.Tokens.Cached, o.Usage.Cached)
	merge(&s.a.Tokens.Reasoning, o.Usage.Reasoning)
	s.finished = s.finished || o.Finish != ""
	s.done = s.done || o.Done
	if o.Failure != nil && s.failure == nil {
		f := *o.Failure
		s.failure = &f
	}
}

func first(have, new string) string {
	if have != "" {
		return have
	}
	return new
}

// merge takes a count that is present: the last one said is right.
func merge(have *record.Count, said record.Count) {
	if said.Known() {
		*have = said
	}
}

// output notes the arrival of sampled text.
func (s *stream) output(o *dialect.Observation) {
	a := s.a
	if s.finished {
		s.warn(record.WarnAfterFinish)
	}
	if a.Frames.Output == 0 {
		a.FirstOut = s.now
	} else {
		gap := int64(s.now - a.LastOut)
		if gap == 0 {
			s.zeroGaps++
		}
		s.gaps = s.gaps.Append(gap)
		s.doubtLast()
	}
	if s.now == a.FirstOut {
		a.Frames.FirstRead++
	}
	if s.kernel {
		s.lags = s.lags.Append(int64(s.read - s.now))
	}
	a.Frames.Output++
	a.LastOut, s.outRead = s.now, s.read
	s.limits.gotOutput(s.readAt)
	if len(o.Answer) > 0 && a.FirstAns == 0 {
		a.FirstAns = s.now
	}
	s.kinds(o)
	s.text(o)
}

// doubtLast is called as an output follows another: where one read brought
// both, and not as one write, only the later one's arrival is known.
func (s *stream) doubtLast() {
	if s.outRead != s.read || s.sock.Unsplit() {
		return
	}
	// Nothing of an answer came before it was asked for.
	since := s.a.Sent
	if !s.emptied.IsZero() {
		since = max(since, s.offset(s.emptied))
	}
	early := int64(max(s.now-since, 1))
	s.a.Frames.Uncertain++
	s.doubts = s.doubts.Append(early)
	if s.a.Frames.Output == 1 {
		s.a.FirstUncertain = early
	}
}

// kinds counts what the frame's text was besides an answer.
func (s *stream) kinds(o *dialect.Observation) {
	f := &s.a.Frames
	if len(o.Reasoning) > 0 {
		f.Reasoning++
	}
	if len(o.Refusal) > 0 {
		f.Refusal++
	}
	if len(o.Tool) > 0 {
		f.Tool++
	}
}

// text notes what was sampled.
func (s *stream) text(o *dialect.Observation) {
	for _, text := range [...][]byte{o.Reasoning, o.Answer, o.Refusal, o.Tool} {
		if len(text) > 0 {
			s.count.Add(text)
		}
	}
	if len(o.Answer) == 0 {
		return
	}
	s.echo.add(o.Answer)
	if s.echo.cumulative() {
		s.latest = token.Counter{}
		s.latest.Add(o.Answer)
	}
	if s.keep {
		s.piece = len(s.answer)
		s.answer = append(s.answer, o.Answer[:min(len(o.Answer), answerLimit-len(s.answer))]...)
	}
}

// body takes a whole answer, which arrived now. It has no first output and no
// gaps; that it is whole is its terminal signal.
func (s *stream) body(b []byte) error {
	s.a.NotStreamed = true
	s.obs.Reset()
	if err := s.dec.Body(b, &s.obs); err != nil {
		return unreadableBody(b, err)
	}
	o := &s.obs
	for _, id := range o.Warnings {
		s.warn(id)
	}
	s.learn(o)
	if o.Output() {
		s.a.LastOut = s.now
		s.text(o)
	}
	s.a.Terminal = s.now
	s.finished = true
	return nil
}

// fill puts what was gathered into the record.
func (s *stream) fill() {
	a := s.a
	a.Gaps, a.UncertainBy, a.Lags = packed(s.gaps), packed(s.doubts), packed(s.lags)
	s.gaps, s.doubts, s.lags = kept(s.gaps), kept(s.doubts), kept(s.lags)
	count, answer := &s.count, s.answer
	if s.echo.cumulative() {
		count, answer = &s.latest, answer[s.piece:]
	}
	a.Characters = count.Runes()
	a.Answer = string(answer)
	if a.Outcome == outcome.OK && !a.Tokens.Output.Known() {
		a.OutputEstimated = count.Tokens()
	}
}

// packed is a copy that fits: the record outlives the attempt, and the buffer
// serves the next.
func packed(p record.Packed) record.Packed {
	if len(p) == 0 {
		return nil
	}
	return slices.Clip(slices.Clone(p))
}

func kept(p record.Packed) record.Packed {
	if cap(p) > packedLimit {
		return nil
	}
	return p[:0]
}
