package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// packet is one TCP segment with a payload, as tcpdump saw it.
type packet struct {
	at       int64 // ns, wall clock
	src, dst uint16
	seq      uint32
	payload  []byte
}

// readPcap yields the IPv4 TCP segments of a capture on an Ethernet-like link
// (the loopback interface is one), in the order they were captured.
func readPcap(path string, yield func(packet)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	head := make([]byte, 24)
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	unit := int64(0)
	switch binary.LittleEndian.Uint32(head) {
	case 0xa1b2c3d4:
		unit = 1000
	case 0xa1b23c4d:
		unit = 1
	default:
		return errors.New("no little-endian pcap file")
	}
	rec := make([]byte, 16)
	for {
		if _, err := io.ReadFull(r, rec); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		at := int64(binary.LittleEndian.Uint32(rec))*1e9 + int64(binary.LittleEndian.Uint32(rec[4:]))*unit
		body := make([]byte, binary.LittleEndian.Uint32(rec[8:]))
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		if p, ok := segment(body); ok {
			p.at = at
			yield(p)
		}
	}
}

// segment reads Ethernet, IPv4 and TCP headers.
func segment(b []byte) (p packet, ok bool) {
	if len(b) < 14+20+20 || binary.BigEndian.Uint16(b[12:]) != 0x0800 || b[23] != 6 {
		return p, false
	}
	ip := b[14:]
	total, ihl := int(binary.BigEndian.Uint16(ip[2:])), int(ip[0]&15)*4
	if total == 0 || total > len(ip) { // a large segment handed over whole says 0
		total = len(ip)
	}
	if ihl+20 > total {
		return p, false
	}
	tcp := ip[ihl:total]
	off := int(tcp[12]>>4) * 4
	if off > len(tcp) {
		return p, false
	}
	p.src, p.dst = binary.BigEndian.Uint16(tcp), binary.BigEndian.Uint16(tcp[2:])
	p.seq = binary.BigEndian.Uint32(tcp[4:])
	p.payload = tcp[off:]
	return p, len(p.payload) > 0
}
