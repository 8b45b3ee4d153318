package stamp

import "time"

// absurd is a lag that no reader has: the wall clock was stepped between the
// stamp and the read.
const absurd = time.Minute

// arrival moves a stamp of the wall clock, in nanoseconds since 1970, onto
// the monotonic one. now carries both and was taken right after the read. It
// is now itself, and false, where there is no stamp or it can't be right.
func arrival(now time.Time, stamped int64) (time.Time, bool) {
	lag := time.Duration(now.UnixNano() - stamped)
	if stamped == 0 || lag < 0 || lag > absurd {
		return now, false
	}
	return now.Add(-lag), true
}
