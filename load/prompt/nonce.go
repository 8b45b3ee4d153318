package prompt

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
)

const (
	nonceLetters = "abcdefghijkmnpqrstuvwxyz23456789" // without l, o, 0 and 1
	nonceBytes   = 8
	nonceWidth   = 10 // 50 bits: among a million requests two are alike in one run of two thousand
)

var nonceCode = base32.NewEncoding(nonceLetters).WithPadding(base32.NoPadding)

// Nonce returns the front that makes a request's prompt unlike any other's,
// such as "[k3f9q2ab7c] ". It is always 13 characters, and follows from its
// arguments alone: a run's id, the round (from 1), the phase, and the
// request's number, which must be its own within that round and phase.
func Nonce(run string, round int, phase string, number int) string {
	var in []byte
	for _, s := range []string{run, phase} {
		in = binary.AppendUvarint(in, uint64(len(s)))
		in = append(in, s...)
	}
	in = binary.AppendVarint(in, int64(round))
	in = binary.AppendVarint(in, int64(number))
	sum := sha256.Sum256(in)
	return "[" + nonceCode.EncodeToString(sum[:nonceBytes])[:nonceWidth] + "] "
}
