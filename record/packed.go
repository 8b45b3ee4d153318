package record

import (
	"encoding/base64"
	"encoding/binary"
	"iter"
	"math"
)

// Packed is a list of durations in nanoseconds, none negative, as unsigned
// varints one after the other: about four bytes each. In JSON it is one
// base64 string (RFC 4648, no padding).
type Packed []byte

// Append returns p with one more duration. A negative one is taken as zero.
func (p Packed) Append(ns int64) Packed {
	return binary.AppendUvarint(p, uint64(max(ns, 0)))
}

// All yields the durations in order. It stops at bytes that are no varint, or
// one that is no duration.
func (p Packed) All() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for rest := []byte(p); len(rest) > 0; {
			v, n := binary.Uvarint(rest)
			if n <= 0 || v > math.MaxInt64 || !yield(int64(v)) {
				return
			}
			rest = rest[n:]
		}
	}
}

func (p Packed) MarshalText() ([]byte, error) {
	return base64.RawStdEncoding.AppendEncode(nil, p), nil
}

func (p *Packed) UnmarshalText(b []byte) (err error) {
	*p, err = base64.RawStdEncoding.AppendDecode(nil, b)
	return err
}
