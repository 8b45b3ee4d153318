//go:build race

package dialect

// racing: the race detector makes pools lose what they hold.
const racing = true
