package machine

import "os"

// openFiles is how many descriptors are open now; 0: not known.
func openFiles(h host) uint64 {
	dir, err := os.Open(h.path("proc/self/fd"))
	if err != nil {
		return 0
	}
	defer dir.Close()
	var open uint64
	for {
		names, err := dir.Readdirnames(1024) // of thousands, not all at once
		open += uint64(len(names))
		if err != nil {
			break
		}
	}
	return open - min(open, 1) // but the directory's own
}

// freeMemory is how many bytes can still be had, of the machine and of every
// control group above.
func freeMemory(h host) (bytes uint64, known bool) {
	if kB, ok := fieldOf(h.read("proc/meminfo"), "MemAvailable:"); ok {
		bytes, known = uint64(kB)<<10, true
	}
	for _, g := range h.groups("memory") {
		if free, limited := g.free(); limited && (!known || free < bytes) {
			bytes, known = free, true
		}
	}
	return bytes, known
}

// free is what is left of the group's limit. Pages of files count as left:
// they are given up before anything fails.
func (g group) free() (bytes uint64, limited bool) {
	names := []string{"memory.max", "memory.current", "inactive_file", "active_file"}
	if g.version == 1 {
		names = []string{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"}
	}
	var h host
	most, _ := word(h.read(g.file(names[0])))
	limit, limited := number(most) // not "max"
	now, _ := word(h.read(g.file(names[1])))
	used, known := number(now)
	if !limited || !known {
		return 0, false
	}
	stat := h.read(g.file("memory.stat"))
	for _, name := range names[2:] {
		pages, _ := fieldOf(stat, name)
		used -= pages
	}
	return uint64(max(limit-max(used, 0), 0)), true
}
