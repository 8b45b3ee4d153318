package arrival

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"
)

// Summary is a schedule in a few numbers.
type Summary struct {
	Requests      int
	Length        time.Duration // the pace's or, where a number of requests ends it, theirs; of a trace, up to the last due
	Input, Output int64         // tokens asked for, where the schedule says
	// SHA256 is of all requests in order, each as three little-endian 64-bit
	// numbers (due in nanoseconds, input, output), as hexadecimal digits.
	SHA256 string
	Bins   []int // requests due in each of equal parts of Length
}

// Summarize reads a schedule, twice, and holds none of it. bins is in how many
// parts it is cut, at least 1. An error is the schedule's.
func Summarize(s Schedule, bins int) (Summary, error) {
	sum := Summary{Bins: make([]int, bins)}
	hash := sha256.New()
	var last time.Duration
	for r, err := range s.All() {
		if err != nil {
			return sum, err
		}
		var row [24]byte
		binary.LittleEndian.PutUint64(row[:], uint64(r.Due))
		binary.LittleEndian.PutUint64(row[8:], uint64(r.Input))
		binary.LittleEndian.PutUint64(row[16:], uint64(r.Output))
		hash.Write(row[:])
		sum.Requests++
		sum.Input += int64(r.Input)
		sum.Output += int64(r.Output)
		last = r.Due
	}
	sum.SHA256 = hex.EncodeToString(hash.Sum(nil))
	if sum.Length = last; sum.Requests > 0 {
		if p, ok := s.(*Paced); ok {
			sum.Length = p.length(last, sum.Requests)
		}
	}
	for r, err := range s.All() {
		if err != nil {
			return sum, err
		}
		sum.Bins[bin(r.Due, sum.Length, bins)]++
	}
	return sum, nil
}

// length is the pace's or, where a number of requests ends the schedule
// before, the time in which the pace offers so many.
func (p *Paced) length(last time.Duration, requests int) time.Duration {
	if d := p.Pace.Length(); d > 0 && p.Requests <= 0 {
		return d
	}
	amount := 0.0
	for i := range requests {
		amount += p.weight(i)
	}
	if t, ok := (&clock{pace: p.Pace}).at(amount); ok {
		return max(t, last)
	}
	return p.Pace.Length()
}

// bin is which of n equal parts of length a moment lies in; the length's end
// is in the last.
func bin(at, length time.Duration, n int) int {
	if length <= 0 {
		return 0
	}
	return min(int(float64(at)/float64(length)*float64(n)), n-1)
}
