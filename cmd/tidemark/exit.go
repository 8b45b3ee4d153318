package main

import (
	"errors"

	"tidemark/report"
	"tidemark/text"
)

// Exit codes are the report's, which the figures deserve, and the process has
// no others.
const (
	exitFine        = report.ExitFine
	exitUsage       = report.ExitUsage
	exitInvalid     = report.ExitInvalid
	exitTarget      = report.ExitTarget
	exitOurs        = report.ExitOurs
	exitInterrupted = report.ExitInterrupted
)

// exit is an error with the code the program ends with. Its err is nil where
// everything has been said already.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// usage, target and ours give an error its code. nil stays nil.
func usage(err error) error  { return withCode(exitUsage, err) }
func target(err error) error { return withCode(exitTarget, err) }
func ours(err error) error   { return withCode(exitOurs, err) }

func withCode(code int, err error) error {
	var already *exit
	if err == nil || errors.As(err, &already) {
		return err
	}
	return &exit{code, err}
}

// wrong makes a usage error of two texts.
func wrong(what, hint text.Message) error { return usage(text.Wrong(what, hint)) }

// codeOf is the code of what a command returned.
func codeOf(err error) int {
	var e *exit
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &e):
		return e.code
	}
	return exitOurs
}
