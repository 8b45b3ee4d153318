package record

import "slices"

// Warnings of an attempt that is otherwise fine: ids, as Attempt.Warnings has
// them. The first are given by who carried it, the last three by who decoded
// it.
const (
	WarnBurst       = "burst"                   // all output came in one read
	WarnClumped     = "clumped"                 // half of the gaps or more are zero
	WarnCompressed  = "compressed"              // the body was compressed unasked
	WarnCumulative  = "cumulative_text"         // each piece repeats all before it
	WarnDuplicate   = "duplicate_final_text"    // the last piece repeats all before it
	WarnNoFinish    = "done_without_finish"     // a sentinel, and no finish reason
	WarnHidden      = "hidden_reasoning"        // reasoning was counted and not shown
	WarnLingering   = "lingering_body"          // the answer ended, its body didn't
	WarnSeparator   = "missing_event_separator" // two events with no empty line between
	WarnNotStreamed = "not_streamed"            // a whole body although a stream was asked for
	WarnAfterFinish = "output_after_finish"     // text behind a finish reason
	WarnUnclean     = "unclean_close"           // the answer ended, then the connection broke
	WarnTail        = "unterminated_tail"       // the last event lacked its end

	WarnDoneSpelling  = "done_spelling"  // the sentinel in odd letter case
	WarnSuspectZero   = "suspect_zero"   // a count of zero that can't be, left absent
	WarnUsageLocation = "usage_location" // usage only inside a choice or a vendor's object
)

var warnings = []string{
	WarnBurst, WarnClumped, WarnCompressed, WarnCumulative, WarnDuplicate, WarnNoFinish, WarnHidden, WarnLingering,
	WarnSeparator, WarnNotStreamed, WarnAfterFinish, WarnUnclean, WarnTail,
	WarnDoneSpelling, WarnSuspectZero, WarnUsageLocation,
}

// Warnings lists every id there is. A file of a newer version may hold more.
func Warnings() []string { return slices.Clone(warnings) }
