//go:build !linux

package main

// kernel is not known here.
func kernel() string { return "" }
