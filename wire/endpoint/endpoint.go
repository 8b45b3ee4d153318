// Package endpoint answers what else an endpoint tells besides completions:
// the models it serves. It knows nothing of load.
package endpoint
