//go:build !unix

package machine

import "time"

// processTime is not known here.
func processTime() time.Duration { return 0 }

// virtual is not known here.
func virtual() bool { return false }
