package wire

import "testing"

func TestRoomIsSharedAndGivenBack(t *testing.T) {
	before := shared.Load()
	shares := make([]share, 64)
	full := 0
	for i := range shares {
		if !shares[i].has(wholeLimit) {
			full++
		}
	}
	// A share is 2 × 16 − 1 MiB; 256 MiB hold 8 of them.
	if got := len(shares) - full; got != 8 {
		t.Errorf("%d answers of 16 MiB found room", got)
	}
	var small share
	if !small.has(freely / 2) {
		t.Error("a small answer found no room")
	}
	for i := range shares {
		shares[i].giveBack()
	}
	small.giveBack()
	if shared.Load() != before {
		t.Errorf("%d bytes were not given back", shared.Load()-before)
	}
}
