//go:build !linux

package machine

// What is open, and what is left of ports and memory, is not known here.

func openFiles(host) uint64          { return 0 }
func freePorts(host) (uint64, bool)  { return 0, false }
func freeMemory(host) (uint64, bool) { return 0, false }
