package main

import (
	"net"
	"os"
	"runtime"
	"strings"

	"tidemark/record"
	"tidemark/run/machine"
)

// thisMachine is where this process runs.
func thisMachine() record.Machine {
	host, _ := os.Hostname()
	return record.Machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU(), MaxProcs: runtime.GOMAXPROCS(0),
		Go: runtime.Version(), Kernel: kernel(), Host: host, Quota: machine.Quota(),
	}
}

// isLocal reports whether a host is this machine. A name is looked up by
// nobody: only one that says so counts.
func isLocal(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	if ip == nil || ip.IsLoopback() {
		return ip != nil
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, a := range own {
		if n, ok := a.(*net.IPNet); ok && n.IP.Equal(ip) {
			return true
		}
	}
	return false
}
