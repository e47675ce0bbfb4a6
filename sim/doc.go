// Package sim says what a world is: a place that an agent acts in through tools, whose
// state can be read, forked and encoded.
//
// A world knows nothing of tasks, checks or models. Everything above it — grading,
// certification, recording — relies on the contract of [World], which package simtest
// checks for any implementation:
//
//	func TestWorld(t *testing.T) {
//		simtest.Check(t, counter.Kind, simtest.Case{Setup: setup, Tools: tools, Calls: calls})
//	}
//
// All that is graded or recorded is canonical JSON ([Canonical]): equal values have equal
// bytes, whatever order a map had.
package sim
