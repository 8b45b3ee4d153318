package machine

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
)

// freePorts is how many connections to one more address can be opened at
// least. A port serves one connection to each address, so what is taken is
// counted by address, and the address with most stands for all: a run meets
// again what the run before it left behind. A listener's port is taken for
// all addresses.
func freePorts(h host) (free uint64, known bool) {
	r, ok := portRange(h)
	if !ok {
		return 0, false
	}
	taken := takenPorts{ports: r, reuse: tcpReuse(h), to: map[string]uint64{}}
	for _, table := range []string{"proc/net/tcp", "proc/net/tcp6"} {
		taken.read(h.path(table))
	}
	return r.size - min(taken.most(), r.size), true
}

// ports are those that connections are given.
type ports struct {
	low, high uint64
	size      uint64 // but for those reserved
}

func portRange(h host) (ports, bool) {
	first, rest := word(h.read("proc/sys/net/ipv4/ip_local_port_range"))
	last, _ := word(rest)
	low, ok1 := number(first)
	high, ok2 := number(last)
	if !ok1 || !ok2 || high < low {
		return ports{}, false
	}
	p := ports{low: uint64(low), high: uint64(high), size: uint64(high - low + 1)}
	reserved := strings.TrimSpace(string(h.read("proc/sys/net/ipv4/ip_local_reserved_ports")))
	for part := range strings.SplitSeq(reserved, ",") { // "8080,9000-9010"
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		a, err1 := strconv.ParseUint(from, 10, 16)
		b, err2 := strconv.ParseUint(to, 10, 16)
		if a, b = max(a, p.low), min(b, p.high); err1 == nil && err2 == nil && a <= b {
			p.size -= min(b-a+1, p.size)
		}
	}
	return p, true
}

// reuse is for which connections the port of one that waits after its end is
// given out again.
type reuse int

const (
	reuseNever reuse = iota
	reuseAlways
	reuseLoopback
)

func tcpReuse(h host) reuse {
	setting, _ := word(h.read("proc/sys/net/ipv4/tcp_tw_reuse"))
	n, _ := number(setting)
	return reuse(n)
}

// takenPorts counts the sockets whose port is one of those given out.
type takenPorts struct {
	ports     ports
	reuse     reuse
	listening uint64
	to        map[string]uint64 // by the far address
}

// States of a socket, as the kernel's tables write them.
const (
	timeWait = "06"
	listen   = "0A"
)

// read counts a table's sockets: the second word of a line is the near
// address and port, then the far one, then the state, all hexadecimal.
func (t *takenPorts) read(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		_, rest := word(lines.Bytes())
		near, rest := word(rest)
		far, rest := word(rest)
		state, _ := word(rest)
		port, ok := hexPort(near)
		if !ok || port < t.ports.low || port > t.ports.high {
			continue
		}
		switch string(state) {
		case listen:
			t.listening++
			continue
		case timeWait:
			if t.reuse == reuseAlways || t.reuse == reuseLoopback && toLoopback(far) {
				continue
			}
		}
		t.to[string(far)]++
	}
}

// most is how many ports connections to one address may find taken.
func (t *takenPorts) most() uint64 {
	var most uint64
	for _, n := range t.to {
		most = max(most, n)
	}
	return most + t.listening
}

func hexPort(address []byte) (uint64, bool) {
	colon := bytes.LastIndexByte(address, ':')
	if colon < 0 {
		return 0, false
	}
	port, err := strconv.ParseUint(string(address[colon+1:]), 16, 16)
	return port, err == nil
}

// toLoopback reads an address as the tables have it: words of four bytes, the
// least of them first on the machines of today.
func toLoopback(far []byte) bool {
	host, _, _ := bytes.Cut(far, []byte{':'})
	switch len(host) {
	case 8: // 127.x.y.z
		return string(host[6:]) == "7F"
	case 32: // ::1, or 127.x.y.z inside IPv6
		return string(host) == "00000000000000000000000001000000" ||
			string(host[:24]) == "0000000000000000FFFF0000" && string(host[30:]) == "7F"
	}
	return false
}
