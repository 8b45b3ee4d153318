//go:build !unix

package machine

// fileLimit is not known here.
func fileLimit() (limit uint64, known bool) { return 0, false }
