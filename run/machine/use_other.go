//go:build !linux

package machine

import "time"

// system is what is known of the machine here: nothing.
type system struct{}

func newSystem(host) system { return system{} }

func (system) busy() time.Duration      { return 0 }
func (system) resident() int64          { return 0 }
func (system) throttled() time.Duration { return 0 }
func (system) slept() time.Duration     { return 0 }
