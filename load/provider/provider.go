// Package provider answers who serves what where: a table. It knows no
// network and no secret, only the names of the variables that hold them.
package provider

// Provider is one row.
type Provider struct {
	Name       string
	BaseURL    string // calls' paths are appended
	BaseURLEnv string // overrides BaseURL where set
	KeyEnv     string
	Dialect    string
}
