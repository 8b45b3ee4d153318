package machine

// beside is how many files a run opens besides its connections, and some to
// spare.
const beside = 16

// Lacks holds a need against what there is: file descriptors (the soft limit
// is raised to the hard one first), ephemeral ports to one address, memory
// (the machine's and the control group's). What is not known is no lack.
func Lacks(n Need) Lack { return lacks(here, n) }

func lacks(h host, n Need) Lack {
	if n.Connections > 0 {
		want := uint64(n.Connections)
		if limit, known := fileLimit(); known {
			if all := want + openFiles(h) + beside; all > limit {
				return Lack{Files, all, limit}
			}
		}
		if free, known := freePorts(h); known && want > free {
			return Lack{Ports, want, free}
		}
	}
	if n.Memory > 0 {
		want := uint64(n.Memory)
		if free, known := freeMemory(h); known && want > free {
			return Lack{Memory, want, free}
		}
	}
	return Lack{}
}
