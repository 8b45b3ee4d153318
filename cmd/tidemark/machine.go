package main

import (
	"os"
	"runtime"

	"tidemark/record"
)

// machine is where this process runs.
func machine() record.Machine {
	host, _ := os.Hostname()
	return record.Machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), MaxProcs: runtime.GOMAXPROCS(0),
		Go: runtime.Version(), Kernel: kernel(), Host: host,
	}
}
