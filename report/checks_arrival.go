package report

import (
	"tidemark/stat"
	"tidemark/text"
)

// arrivalChecks look at when frames arrived.
var arrivalChecks = []string{"V1.frames", "V1.first"}

// lonely is how many alone are no share: one frame, or request, that met a
// hiccup says nothing of a level of a few dozen.
const lonely = 1

// framesArrived is V1.frames: how many output frames arrived at a moment that
// is uncertain by more than matters.
func framesArrived(r rule, e *evidence) answer {
	f := e.tally.frames
	if f.output == 0 {
		return idle(text.Msg("validity.no_frames"))
	}
	gap := matters(e.Latency.ITL)
	n := f.bounds.Above(gap)
	late := n
	if f.untold == 0 {
		late = f.late.Above(gap)
	}
	return e.arrived(r, n, late, f.output, text.Msg("validity.frames", percent(n, f.output), ms(gap)))
}

// firstsArrived is V1.first: the same of first outputs.
func firstsArrived(r rule, e *evidence) answer {
	f := e.tally.frames
	if f.streamed == 0 {
		return idle(text.Msg("validity.no_frames"))
	}
	first := matters(e.serverTTFT())
	n := above(f.firstBounds, first)
	late := n
	if f.untold == 0 {
		late = above(f.lateFirsts, first)
	}
	return e.arrived(r, n, late, f.streamed, text.Msg("validity.firsts", percent(n, f.streamed), ms(first)))
}

// arrived judges n uncertain arrivals out of so many, late of which were read
// late. Those that were not are the endpoint's doing: it sent several at once.
func (e *evidence) arrived(r rule, n, late, of int64, says text.Message) answer {
	fine := func(n int64) bool { return n <= lonely || percent(n, of) <= r.limit }
	a := within(fine(n), percent(n, of), r.limit, says, text.Msg("validity.arrival.remedy"))
	if a.status == CheckOK {
		return a
	}
	why := text.Msg("validity.arrival.either")
	switch lag := e.Frames.UncertainLag; {
	case fine(late):
		a.status, a.remedy = Undecided, text.Message{}
		why = text.Msg("validity.arrival.bursts", percent(late, n))
	case e.Frames.Stamps == "read" && e.promptReads():
		a.status, a.remedy = Undecided, text.Message{}
		why = text.Msg("validity.arrival.prompt", *e.tally.machine.wait())
	case lag != nil:
		why = text.Msg("validity.arrival.late", percent(late, n))
	}
	a.says = text.Msg("validity.because", says, why)
	return a
}

// An arrival that is uncertain by less, in ms or as a share of the figure that
// it goes into, shows in no figure.
const (
	mattersLeast = 1.0
	mattersShare = .02
)

// promptReads reports whether the scheduler is known to have woken readers in
// time.
func (e *evidence) promptReads() bool {
	wait := e.tally.machine.wait()
	return wait != nil && *wait <= ms(matters(e.Latency.ITL))
}

// readsPrompt is V1.reads: without the kernel's stamps an arrival is the
// moment of its read, which waits for the scheduler.
func readsPrompt(r rule, e *evidence) answer {
	switch e.Frames.Stamps {
	case "read", "mixed":
	case "":
		return idle(text.Msg("validity.no_frames"))
	default:
		return idle(text.Msg("validity.kernel_stamps"))
	}
	wait := e.tally.machine.wait()
	if wait == nil {
		return unsure(text.Msg("validity.no_looks"))
	}
	limit := r.beyond(e.Latency.ITL)
	return within(*wait <= limit, *wait, limit, text.Msg("validity.reads", *wait), text.Msg("validity.reads.remedy"))
}

// serverTTFT is the TTFT that the client's own lateness is no part of.
func (e *evidence) serverTTFT() *stat.Summary {
	if e.Latency.TTFTFromSent != nil {
		return e.Latency.TTFTFromSent
	}
	return e.Latency.TTFT
}

// beyond is the threshold, where it grows with a figure's median.
func (r rule) beyond(s *stat.Summary) float64 {
	if s == nil {
		return r.limit
	}
	return max(r.limit, r.share*s.P50)
}

// matters is the uncertainty, in nanoseconds, that would show in a figure.
func matters(s *stat.Summary) int64 {
	if s == nil {
		return int64(mattersLeast * 1e6)
	}
	return int64(1e6 * max(mattersLeast, mattersShare*s.P50))
}
