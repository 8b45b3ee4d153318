//go:build !unix

package run

import "time"

// processTime is not known here: the samples' CPU is absent.
func processTime() time.Duration { return 0 }
