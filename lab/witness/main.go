// Command witness holds a run's report against a packet capture of the same
// run: it computes time to first token and the gaps between output frames
// from the times that tcpdump gave the packets, request by request, and says
// how far the records are from them. It shares no code with the measuring
// path: HTTP and events are read here with a few lines and encoding/json.
//
//	witness -pcap FILE -run DIR -port 9000
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"tidemark/record"
	"tidemark/record/outcome"
)

// exchange is one request and its answer, as packets.
type exchange struct {
	sent    int64
	outputs []int64 // arrival of each packet that completed an output event
	id      string
	rest    []byte
}

// seen collects the exchanges of a capture by the id their answers carry.
func seen(path string, port uint16) (map[string]*exchange, error) {
	byID := map[string]*exchange{}
	open := map[uint16]*exchange{}
	next := map[uint16]uint32{} // by the client's port: what the endpoint sends next
	err := readPcap(path, func(p packet) {
		if p.src == port {
			// A client that is robbed of its CPU acknowledges late, and the
			// kernel sends again what had arrived.
			if n, ok := next[p.dst]; ok && int32(p.seq-n) < 0 {
				return
			}
			next[p.dst] = p.seq + uint32(len(p.payload))
		}
		switch {
		case p.dst == port && bytes.HasPrefix(p.payload, []byte("POST ")):
			open[p.src] = &exchange{sent: p.at}
		case p.src == port && open[p.dst] != nil:
			x := open[p.dst]
			x.take(p)
			if x.id != "" {
				byID[x.id] = x
			}
		}
	})
	return byID, err
}

// take reads what events a packet completed.
func (x *exchange) take(p packet) {
	x.rest = append(x.rest, p.payload...)
	for {
		i := bytes.Index(x.rest, []byte("data: "))
		if i < 0 {
			return
		}
		end := bytes.Index(x.rest[i:], []byte("\n\n"))
		if end < 0 {
			return
		}
		x.event(x.rest[i+len("data: "):i+end], p.at)
		x.rest = x.rest[i+end+2:]
	}
}

func (x *exchange) event(data []byte, at int64) {
	var chunk struct {
		ID      string
		Choices []struct {
			Delta struct {
				Content   string
				Reasoning string `json:"reasoning_content"`
			}
		}
	}
	if json.Unmarshal(data, &chunk) != nil {
		return // [DONE]
	}
	if x.id == "" {
		x.id = chunk.ID
	}
	if len(chunk.Choices) > 0 && chunk.Choices[0].Delta.Content+chunk.Choices[0].Delta.Reasoning != "" {
		x.outputs = append(x.outputs, at)
	}
}

// level is the requests of one level, as the records and as the packets have them.
type level struct {
	concurrency          int
	full, emptied        record.Offset
	attempts             []*record.Attempt
	ttft, ttftSeen       []float64 // ms
	gaps, gapsSeen       []float64
	ttftOff, gapOff      []float64 // |record − packet|, request by request and gap by gap
	unmatched, uncertain int
}

func main() {
	pcap := flag.String("pcap", "", "capture, written by tcpdump")
	dir := flag.String("run", "", "the run's directory")
	port := flag.Int("port", 9000, "the endpoint's port")
	strict := flag.Bool("strict", true, "fail beyond 0.2 ms at p50 or 1 ms at p99")
	flag.Parse()
	if err := witness(*pcap, *dir, uint16(*port), *strict); err != nil {
		fmt.Fprintln(os.Stderr, "witness:", err)
		os.Exit(1)
	}
}

func witness(pcap, dir string, port uint16, strict bool) error {
	packets, err := seen(pcap, port)
	if err != nil {
		return err
	}
	levels, err := recorded(dir)
	if err != nil {
		return err
	}
	bad := false
	for n := 1; n <= len(levels); n++ {
		l := levels[n]
		l.compare(packets)
		bad = l.print() || bad
	}
	if bad && strict {
		return fmt.Errorf("the report and the packets disagree by more than 0.2 ms at p50 or 1 ms at p99")
	}
	return nil
}

// recorded reads the ok requests of each level's window from a run's records.
func recorded(dir string) (map[int]*level, error) {
	f, err := os.Open(filepath.Join(dir, record.FileName))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	levels := map[int]*level{}
	for rec, err := range record.Read(f) {
		if err != nil {
			return nil, err
		}
		switch r := rec.(type) {
		case *record.Level:
			if levels[r.Level] == nil {
				levels[r.Level] = &level{}
			}
			l := levels[r.Level]
			switch r.Event {
			case record.LevelStart:
				l.concurrency = r.Load.Concurrency
			case record.LevelFull:
				l.full = r.At
			case record.LevelEmptied:
				l.emptied = r.At
			}
		case *record.Attempt:
			if r.Phase == record.Measured && r.Outcome == outcome.OK {
				levels[r.Level].attempts = append(levels[r.Level].attempts, r)
			}
		}
	}
	return levels, nil
}

// compare fills both sides from the attempts that started inside the window.
func (l *level) compare(packets map[string]*exchange) {
	const ms = 1e6
	for _, a := range l.attempts {
		if a.Dispatched < l.full || a.Dispatched > l.emptied {
			continue
		}
		x := packets[a.RequestID]
		if x == nil || len(x.outputs) != a.Frames.Output {
			l.unmatched++
			continue
		}
		l.uncertain += a.Frames.Uncertain
		ttft, ttftSeen := float64(a.FirstOut-a.Sent)/ms, float64(x.outputs[0]-x.sent)/ms
		l.ttft, l.ttftSeen = append(l.ttft, ttft), append(l.ttftSeen, ttftSeen)
		l.ttftOff = append(l.ttftOff, math.Abs(ttft-ttftSeen))
		i := 0
		for gap := range a.Gaps.All() {
			gap, gapSeen := float64(gap)/ms, float64(x.outputs[i+1]-x.outputs[i])/ms
			l.gaps, l.gapsSeen = append(l.gaps, gap), append(l.gapsSeen, gapSeen)
			l.gapOff = append(l.gapOff, math.Abs(gap-gapSeen))
			i++
		}
	}
}

// print shows a level and reports whether it is beyond the bound.
func (l *level) print() (bad bool) {
	fmt.Printf("concurrency %d: %d requests, %d gaps, %d uncertain frames, %d not matched\n",
		l.concurrency, len(l.ttft), len(l.gaps), l.uncertain, l.unmatched)
	fmt.Printf("  %-5s %9s %9s %9s %9s %9s %9s\n", "ms", "report", "packets", "off", "report", "packets", "off")
	fmt.Printf("  %-5s %29s %29s\n", "", "p50", "p99")
	for _, f := range []struct {
		name         string
		ours, theirs []float64
	}{{"TTFT", l.ttft, l.ttftSeen}, {"ITL", l.gaps, l.gapsSeen}} {
		a50, b50, a99, b99 := rank(f.ours, 50), rank(f.theirs, 50), rank(f.ours, 99), rank(f.theirs, 99)
		fmt.Printf("  %-5s %9.3f %9.3f %9.3f %9.3f %9.3f %9.3f\n", f.name, a50, b50, a50-b50, a99, b99, a99-b99)
		bad = bad || math.Abs(a50-b50) > 0.2 || math.Abs(a99-b99) > 1 || len(f.ours) == 0
	}
	fmt.Printf("  request by request: TTFT off by p50 %.3f p99 %.3f max %.3f; gaps off by p50 %.3f p99 %.3f max %.3f\n",
		rank(l.ttftOff, 50), rank(l.ttftOff, 99), rank(l.ttftOff, 100), rank(l.gapOff, 50), rank(l.gapOff, 99), rank(l.gapOff, 100))
	return bad || l.unmatched > 0
}

// rank is the nearest-rank percentile; NaN for nothing.
func rank(values []float64, p int) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(values))
	return s[max((len(s)*p+99)/100, 1)-1]
}
