package machine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tree makes a host of files by name.
func tree(t testing.TB, files map[string]string) host {
	t.Helper()
	h := host{root: t.TempDir()}
	for name, text := range files {
		h.put(t, name, text)
	}
	return h
}

func (h host) put(t testing.TB, name, text string) {
	t.Helper()
	path := h.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

const (
	mountV2  = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountCPU = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
	mountMem = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:1 - cgroup cgroup rw,memory\n"
	others   = "22 1 8:1 / / rw - ext4 /dev/root rw\n\nodd\n33 31 0:30 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
)

func with(files map[string]string, more ...string) map[string]string {
	all := map[string]string{}
	for name, text := range files {
		all[name] = text
	}
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	return all
}

func TestQuota(t *testing.T) {
	v2 := map[string]string{"proc/self/mountinfo": others + mountV2, "proc/self/cgroup": "0::/a/b\n"}
	v1 := map[string]string{
		"proc/self/mountinfo": others + mountCPU, "proc/self/cgroup": "4:memory:/m\n2:cpuacct,cpu:/a/b\n1:pids:/\n",
	}
	const near2, near1 = "sys/fs/cgroup/a/b/", "sys/fs/cgroup/cpu,cpuacct/a/b/"
	const far2, far1 = "sys/fs/cgroup/a/", "sys/fs/cgroup/cpu,cpuacct/a/"
	free := affinity()
	for _, c := range []struct {
		name  string
		files map[string]string
		want  float64
	}{
		{"nothing known", nil, free},
		{"no limit", with(v2, near2+"cpu.max", "max 100000\n"), free},
		{"half a core", with(v2, near2+"cpu.max", "50000 100000\n"), .5},
		{"the group above has less", with(v2, near2+"cpu.max", "50000 100000\n", far2+"cpu.max", "25000 100000\n"), .25},
		{"the group above has more", with(v2, near2+"cpu.max", "50000 100000\n", far2+"cpu.max", "75000 100000\n"), .5},
		{"only the mount", with(v2, "sys/fs/cgroup/cpu.max", "10000 100000\n"), .1},
		{"more than there is", with(v2, near2+"cpu.max", "100000000 100000\n"), free},
		{"odd", with(v2, near2+"cpu.max", "half a core\n"), free},
		{"no period", with(v2, near2+"cpu.max", "50000 0\n"), free},
		{"v1", with(v1, near1+"cpu.cfs_quota_us", "20000\n", near1+"cpu.cfs_period_us", "100000\n"), .2},
		{"v1, no limit", with(v1, near1+"cpu.cfs_quota_us", "-1\n", near1+"cpu.cfs_period_us", "100000\n"), free},
		{"v1, above", with(v1, near1+"cpu.cfs_quota_us", "-1\n", near1+"cpu.cfs_period_us", "100000\n",
			far1+"cpu.cfs_quota_us", "30000\n", far1+"cpu.cfs_period_us", "100000\n"), .3},
		{"a container that sees its group as the root", map[string]string{
			"proc/self/mountinfo":   "1 1 0:1 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
			"proc/self/cgroup":      "0::/docker/abc\n",
			"sys/fs/cgroup/cpu.max": "40000 100000\n"}, .4},
		{"a group from outside the mount", map[string]string{
			"proc/self/mountinfo":   "1 1 0:1 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n",
			"proc/self/cgroup":      "0::/\n",
			"sys/fs/cgroup/cpu.max": "40000 100000\n"}, .4},
		{"a mount with a blank", map[string]string{
			"proc/self/mountinfo": `1 1 0:1 / /odd\040place\134 rw - cgroup2 cgroup rw` + "\n",
			"proc/self/cgroup":    "0::/\n",
			`odd place\/cpu.max`:  "60000 100000\n"}, .6},
	} {
		if got := quota(tree(t, c.files)); got != c.want {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
	if free < 1 {
		t.Error("affinity", free)
	}
}

func TestUseOfAMadeUpMachine(t *testing.T) {
	h := tree(t, map[string]string{
		"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/a/b\n",
		"proc/self/statm": "3000 20 5 1 0 30 0\n",
		// user nice system idle iowait irq softirq steal guest guest_nice
		"proc/stat":                  "cpu  100 20 30 4000 50 6 7 800 9 1\ncpu0 1 1 1 1\n",
		"sys/fs/cgroup/a/b/cpu.stat": "usage_usec 5\nnr_throttled 0\nthrottled_usec 1000\n",
		"sys/fs/cgroup/a/cpu.stat":   "throttled_usec 500\n",
		"sys/fs/cgroup/cpu.stat":     "usage_usec 5\n", // the root is never held back
	})
	s := newSystem(h)
	if got := s.resident(); got != 20*int64(os.Getpagesize()) {
		t.Error("resident", got)
	}
	if got := s.busy(); got != 1630*ms { // 100 + 20 + 30 + 6 + 7 hundredths
		t.Error("busy", got)
	}
	if got := s.throttled(); got != 0 {
		t.Error("throttled", got)
	}
	// Both groups hold it back: 2 ms and 7 ms, at the same time.
	h.put(t, "sys/fs/cgroup/a/b/cpu.stat", "throttled_usec 3000\n")
	h.put(t, "sys/fs/cgroup/a/cpu.stat", "throttled_usec 7500\n")
	if got := s.throttled(); got != 7*ms {
		t.Error("throttled", got)
	}
	if got := s.throttled(); got != 0 {
		t.Error("throttled again", got)
	}
	for _, odd := range []string{"", "cpu 1 2\n", "cpu0 1 1 1 1 1 1 1 1\n", "cpu a b c d e f g\n"} {
		h.put(t, "proc/stat", odd)
		if got := s.busy(); got != 0 {
			t.Errorf("busy of %q: %v", odd, got)
		}
	}
	none := newSystem(tree(t, nil))
	if none.resident() != 0 || none.busy() != 0 || none.throttled() != 0 {
		t.Error("an empty machine tells of something")
	}
}

func TestThrottledV1(t *testing.T) {
	h := tree(t, map[string]string{
		"proc/self/mountinfo": mountCPU, "proc/self/cgroup": "2:cpu,cpuacct:/a\n",
		"sys/fs/cgroup/cpu,cpuacct/a/cpu.stat": "nr_periods 9\nthrottled_time 1000000\n",
	})
	s := newSystem(h)
	h.put(t, "sys/fs/cgroup/cpu,cpuacct/a/cpu.stat", "nr_periods 9\nthrottled_time 4000000\n")
	if got := s.throttled(); got != 3*ms {
		t.Error(got)
	}
}

// What the machine slept is told once, and what two readings may be apart by
// is none.
func TestSlept(t *testing.T) {
	s := sleep{last: distance{100, 200}}
	for i, c := range []struct {
		now  distance
		want time.Duration
	}{
		{distance{150, 300}, 0}, // it is in 150…200, then
		{distance{120, 180}, 0}, // in 150…180
		{distance{1000, 1010}, 840},
		{distance{1005, 1020}, 0},
		{distance{10, 20}, 0}, // no clock wakes before it slept
	} {
		if got := s.see(c.now); got != c.want {
			t.Errorf("%d: %v", i, got)
		}
	}
	real := newSleep()
	if got := real.look(); got != 0 {
		t.Error("slept", got)
	}
}

func TestMemory(t *testing.T) {
	const meminfo = "MemTotal:  2000 kB\nMemFree: 10 kB\nMemAvailable:    1000 kB\n"
	v2 := map[string]string{
		"proc/meminfo":        meminfo,
		"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/a/b\n",
	}
	v1 := map[string]string{
		"proc/meminfo":        meminfo,
		"proc/self/mountinfo": mountMem + mountCPU, "proc/self/cgroup": "4:memory:/m\n2:cpu:/a\n",
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  uint64
		known bool
	}{
		{"nothing known", nil, 0, false},
		{"the machine's", v2, 1000 << 10, true},
		{"no limit", with(v2, "sys/fs/cgroup/a/b/memory.max", "max\n", "sys/fs/cgroup/a/b/memory.current", "5\n"), 1000 << 10, true},
		{"the group's", with(v2, "sys/fs/cgroup/a/b/memory.max", "5000\n", "sys/fs/cgroup/a/b/memory.current", "4000\n"), 1000, true},
		{"the group's above", with(v2, "sys/fs/cgroup/a/memory.max", "5000\n", "sys/fs/cgroup/a/memory.current", "4800\n"), 200, true},
		{"pages of files can be given up", with(v2, "sys/fs/cgroup/a/memory.max", "5000\n", "sys/fs/cgroup/a/memory.current", "4800\n",
			"sys/fs/cgroup/a/memory.stat", "anon 1\nactive_file 100\ninactive_file 1000\n"), 1300, true},
		{"over the limit", with(v2, "sys/fs/cgroup/a/memory.max", "5000\n", "sys/fs/cgroup/a/memory.current", "5001\n"), 0, true},
		{"a limit without a use", with(v2, "sys/fs/cgroup/a/memory.max", "5000\n"), 1000 << 10, true},
		{"v1", with(v1, "sys/fs/cgroup/memory/m/memory.limit_in_bytes", "9000\n", "sys/fs/cgroup/memory/m/memory.usage_in_bytes", "8000\n",
			"sys/fs/cgroup/memory/m/memory.stat", "inactive_file 7\ntotal_inactive_file 70\n"), 1070, true},
		{"v1, no limit", with(v1, "sys/fs/cgroup/memory/m/memory.limit_in_bytes", "9223372036854771712\n",
			"sys/fs/cgroup/memory/m/memory.usage_in_bytes", "8000\n"), 1000 << 10, true},
	} {
		if got, known := freeMemory(tree(t, c.files)); got != c.want || known != c.known {
			t.Errorf("%s: %v %v", c.name, got, known)
		}
	}
}

// socket is a line of the kernel's table.
func socket(near, far, state string) string {
	return fmt.Sprintf("   0: %s %s %s 00000000:00000000 00:00000000 00000000     0        0 640 1 0000\n", near, far, state)
}

const tableHead = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

func TestPorts(t *testing.T) {
	const port = "0100007F:%04X"
	near := func(n int) string { return fmt.Sprintf(port, n) }
	const server, loop, other = "0500A8C0:1F90", "0100007F:2328", "0600A8C0:1F90"
	base := map[string]string{"proc/sys/net/ipv4/ip_local_port_range": "1000\t1099\n"}
	table := func(lines ...string) string { return tableHead + strings.Join(lines, "") }
	for _, c := range []struct {
		name  string
		files map[string]string
		want  uint64
		known bool
	}{
		{"nothing known", nil, 0, false},
		{"all", base, 100, true},
		{"upside down", map[string]string{"proc/sys/net/ipv4/ip_local_port_range": "9 1\n"}, 0, false},
		{"reserved", with(base, "proc/sys/net/ipv4/ip_local_reserved_ports", "80,990-1009,1050\n"), 89, true},
		{"one address holds two, another one", with(base, "proc/net/tcp", table(
			socket(near(1000), server, "01"), socket(near(1099), server, "01"), socket(near(1005), other, "01"))), 98, true},
		{"of other ports nothing is taken", with(base, "proc/net/tcp", table(
			socket(near(999), server, "01"), socket(near(1100), server, "01"))), 100, true},
		{"a listener is in everyone's way", with(base, "proc/net/tcp", table(
			socket(near(1000), "00000000:0000", "0A"), socket(near(1001), server, "01"))), 98, true},
		{"waiting connections hold their port", with(base, "proc/net/tcp", table(
			socket(near(1000), server, "06"), socket(near(1001), server, "06"))), 98, true},
		{"unless it is given out again", with(base, "proc/sys/net/ipv4/tcp_tw_reuse", "1\n", "proc/net/tcp", table(
			socket(near(1000), server, "06"), socket(near(1001), server, "01"))), 99, true},
		{"which may be so on loopback only", with(base, "proc/sys/net/ipv4/tcp_tw_reuse", "2\n", "proc/net/tcp", table(
			socket(near(1000), server, "06"), socket(near(1001), loop, "06"), socket(near(1002), loop, "06"))), 99, true},
		{"IPv6", with(base, "proc/net/tcp6", table(
			socket("00000000000000000000000001000000:03E8", "B80D0120000000000000000001000000:1F90", "01"))), 99, true},
		{"odd lines", with(base, "proc/net/tcp", "\n\n0: x y z\n0: 1:zz 2 3\n"), 100, true},
	} {
		if got, known := freePorts(tree(t, c.files)); got != c.want || known != c.known {
			t.Errorf("%s: %v %v", c.name, got, known)
		}
	}
}

func TestToLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"0100007F:1F90":                         true,
		"0100017F:1F90":                         true,
		"0500A8C0:1F90":                         false,
		"00000000000000000000000001000000:1F90": true,
		"0000000000000000FFFF00000100007F:1F90": true,
		"0000000000000000FFFF00000500A8C0:1F90": false,
		"B80D0120000000000000000001000000:1F90": false,
		"":                                      false,
	} {
		if got := toLoopback([]byte(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

func TestLacks(t *testing.T) {
	limit, known := fileLimit()
	if !known || limit < 100 {
		t.Skip("no limit on files is known")
	}
	fds := map[string]string{}
	for i := range 20 {
		fds[fmt.Sprintf("proc/self/fd/%d", i)] = ""
	}
	h := tree(t, with(fds,
		"proc/meminfo", "MemAvailable: 1 kB\n",
		"proc/sys/net/ipv4/ip_local_port_range", "2000 2049\n"))
	open := uint64(19) // 20, of which one is the directory that was read
	fits := int(limit - open - beside)
	for _, c := range []struct {
		name string
		need Need
		want Lack
	}{
		{"nothing", Need{}, Lack{}},
		{"enough", Need{Connections: 50, Memory: 1024}, Lack{}},
		{"files", Need{Connections: fits + 1, Memory: 1025}, Lack{Files, limit + 1, limit}},
		{"files fit, ports don't", Need{Connections: fits, Memory: 1025}, Lack{Ports, uint64(fits), 50}},
		{"memory", Need{Connections: 50, Memory: 1025}, Lack{Memory, 1025, 1024}},
	} {
		if got := lacks(h, c.need); got != c.want {
			t.Errorf("%s: %+v, not %+v", c.name, got, c.want)
		}
	}
	if got := lacks(tree(t, nil), Need{Connections: 10, Memory: 1 << 50}); got != (Lack{}) {
		t.Errorf("what is not known is lacking: %+v", got)
	}
}

func TestOpenFiles(t *testing.T) {
	before := openFiles(here)
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if after := openFiles(here); before == 0 || after != before+1 {
		t.Errorf("%d, then %d", before, after)
	}
}

func BenchmarkPorts(b *testing.B) {
	table := []byte(tableHead)
	for i := range 20_000 {
		table = append(table, socket(fmt.Sprintf("0100007F:%04X", 32768+i), "0100007F:2328", "01")...)
	}
	h := tree(b, map[string]string{
		"proc/sys/net/ipv4/ip_local_port_range": "32768 60999\n", "proc/net/tcp": string(table)})
	for b.Loop() {
		if free, _ := freePorts(h); free != 8232 {
			b.Fatal(free)
		}
	}
}

// No text makes the readers fail, and a word and its rest are the text.
func FuzzTexts(f *testing.F) {
	f.Add([]byte(mountV2+mountCPU+others), []byte("0::/a\n2:cpu:/b\n"))
	f.Add([]byte(`1 1 0:1 /\04 /\777 rw - cgroup2 a b`), []byte(socket("a:1", "b:2", "06")))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, text := range [][]byte{a, b} {
			groupMounts(text, "cpu")
			ownGroups(text, "cpu")
			first, rest := word(text)
			if bytes.ContainsAny(first, " \t\n") || !bytes.HasSuffix(text, append(bytes.Clone(first), rest...)) {
				t.Errorf("%q is cut into %q and %q", text, first, rest)
			}
			if n, ok := number(first); ok && n < 0 {
				t.Errorf("%q is %d", first, n)
			}
			fieldOf(text, string(first))
			hexPort(text)
			toLoopback(text)
		}
	})
}
