//go:build !linux

package machine

import "runtime"

func quota(host) float64 { return float64(runtime.NumCPU()) }
