package report

import (
	"tidemark/stat"
	"tidemark/text"
)

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
	share := percent(n, f.output)
	says := text.Msg("validity.frames", share, ms(gap))
	return e.arrived(share <= r.limit || n <= lonely, share, r, says)
}

// firstsArrived is V1.first: the same of first outputs.
func firstsArrived(r rule, e *evidence) answer {
	f := e.tally.frames
	if f.streamed == 0 {
		return idle(text.Msg("validity.no_frames"))
	}
	first := matters(e.serverTTFT())
	n := f.above(first)
	share := percent(n, f.streamed)
	says := text.Msg("validity.firsts", share, ms(first))
	return e.arrived(share <= r.limit || n <= lonely, share, r, says)
}

// arrived tells a late client from an endpoint that sends bursts, where it can.
func (e *evidence) arrived(fine bool, share float64, r rule, says text.Message) answer {
	a := within(fine, share, r.limit, says, text.Msg("validity.arrival.remedy"))
	if fine {
		return a
	}
	why := text.Msg("validity.arrival.either")
	switch lag := e.Frames.UncertainLag; {
	case e.Bursts():
		a.status, a.remedy = Undecided, text.Message{}
		why = text.Msg("validity.arrival.bursts", *lag)
	case e.Frames.Stamps == "read" && e.promptReads():
		a.status, a.remedy = Undecided, text.Message{}
		why = text.Msg("validity.arrival.prompt", *e.tally.machine.wait())
	case lag != nil:
		why = text.Msg("validity.arrival.late", *lag)
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
