// Package simtest verifies that a world keeps the contract of sim.World. Everything above the
// worlds — grading, certification, recording, forks for training — relies on it, so the test
// of every world calls Check:
//
//	func TestContract(t *testing.T) {
//		simtest.Check(t, wealth.Kind, simtest.Case{Setup: setup, Tools: tools, Calls: calls})
//	}
//
// Check reports each broken clause by name:
//
//	fork-independent    a call on one of two forks changed the other
//
// The clauses are listed at [Clauses]. Run the test with -race too: forks are then used
// concurrently under the race detector.
package simtest
