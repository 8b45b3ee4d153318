// Package machine answers what this process may use of the machine it runs
// on, and what it uses: CPU and its quota, memory, files, ports, and how the
// wall clock lies to the monotonic one. It knows nothing of requests.
package machine

import "time"

// Quota is how many cores this process may use: the least of its CPU affinity
// and its control group's limit (v1 or v2, of every group above it); 0: not
// known.
func Quota() float64 { return quota(here) }

// Use is what happened since the last look. Zero is not known, or none.
type Use struct {
	CPU float64 // cores this process kept busy
	// Machine is the cores that all processes kept busy, this one among them,
	// on the whole machine even in a container. What a hypervisor took away is
	// in it for nobody: no process here had it. On Linux it is counted in
	// hundredths of a second of each core.
	Machine   float64
	Throttled time.Duration // the control group held this process back, summed over cores
	SchedP99  time.Duration // goroutines' wait for a thread
	RSS       int64         // bytes, now
	// WallAhead is how far the wall clock has moved from the monotonic one
	// since the watch began, known within WallWithin.
	WallAhead, WallWithin time.Duration
	Slept                 time.Duration // the machine was suspended
}

// Need is what a level will want.
type Need struct {
	Connections int   // beside what is open now
	Memory      int64 // bytes, beside what the process has now
}

// What may be lacking.
const (
	Files  = "files"
	Ports  = "ports"
	Memory = "memory"
)

// Lack is what the machine can't give (V12). The zero Lack: nothing.
type Lack struct {
	What string `json:"what"` // Files, Ports or Memory
	// Want and Have are, of files, the descriptors that will be open in all
	// and how many may be; of ports, connections and free ports; of memory,
	// bytes.
	Want uint64 `json:"want"`
	Have uint64 `json:"have"`
}
