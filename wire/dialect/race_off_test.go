//go:build !race

package dialect

const racing = false
