//go:build race

package wire

// racing: the race detector makes pools lose what they hold.
const racing = true
