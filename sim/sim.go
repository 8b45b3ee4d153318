// Package sim is an endpoint to practise on: an OpenAI-compatible server with
// a batching engine whose figures bend as a real one's do, a fixed schedule
// with exact figures, faults on demand, and its own truth about what it sent.
// It knows nothing of the client's side.
package sim
