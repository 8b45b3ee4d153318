package machine

import (
	"bytes"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// group is a control group that this process is in, or one above that.
type group struct {
	dir     string
	version int // 1 or 2
}

func (g group) file(name string) string { return filepath.Join(g.dir, name) }

// groups are the control groups that a controller may limit the process by,
// as far as they can be seen from here: its own and all above, in both
// versions.
func (h host) groups(controller string) []group {
	own := ownGroups(h.read("proc/self/cgroup"), controller)
	var all []group
	for _, m := range groupMounts(h.read("proc/self/mountinfo"), controller) {
		path, ok := own[m.version]
		if !ok {
			continue
		}
		// A container sees its own group as the mount, whatever path it has
		// outside.
		below, err := filepath.Rel(m.root, path)
		if err != nil || below == ".." || strings.HasPrefix(below, "../") {
			below = "."
		}
		for ; ; below = filepath.Dir(below) {
			all = append(all, group{dir: h.path(filepath.Join(m.dir, below)), version: m.version})
			if below == "." {
				break
			}
		}
	}
	return all
}

// ownGroups is the path of the process's group in the hierarchy of a
// controller, by version. Lines are "number:controllers:path"; version 2 names
// no controllers.
func ownGroups(text []byte, controller string) map[int]string {
	own := map[int]string{}
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		switch {
		case len(parts) != 3:
		case parts[0] == "0" && parts[1] == "":
			own[2] = parts[2]
		case slices.Contains(strings.Split(parts[1], ","), controller):
			own[1] = parts[2]
		}
	}
	return own
}

// groupMount is where a hierarchy of groups is mounted, from which of its
// groups on.
type groupMount struct {
	root, dir string
	version   int
}

// groupMounts are the mounts that may hold a controller. A line has six
// fields and more up to a lone dash, then the kind, the source and options,
// among which version 1 names its controllers.
func groupMounts(text []byte, controller string) []groupMount {
	var mounts []groupMount
	for line := range bytes.Lines(text) {
		before, after, _ := strings.Cut(string(line), " - ")
		place, kind := strings.Fields(before), strings.Fields(after)
		if len(place) < 6 || len(kind) < 3 {
			continue
		}
		m := groupMount{root: unescape(place[3]), dir: unescape(place[4])}
		switch {
		case kind[0] == "cgroup2":
			m.version = 2
		case kind[0] == "cgroup" && slices.Contains(strings.Split(kind[2], ","), controller):
			m.version = 1
		default:
			continue
		}
		mounts = append(mounts, m)
	}
	return mounts
}

// unescape puts back the blanks and backslashes that a table of mounts writes
// as three octal digits.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+4 <= len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
