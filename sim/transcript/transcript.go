// Package transcript answers what a server sent, when, and what must be
// reported of it: a small text format, its parser, and a player that writes
// it to a connection. It knows nothing of the client's side.
package transcript
