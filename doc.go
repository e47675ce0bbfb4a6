// Package benchwright turns agent benchmarks into Go test suites.
//
// A task is a Gherkin scenario. go test seeds a simulated world, lets a model act in it through
// tools, grades what it left behind, and reports each task as a test case:
//
//	func TestBench(t *testing.T) { benchwright.Run(t, mysuite.Suite()) }
//
// Without a model the same command proves the tasks themselves: that the reference passes and
// doing nothing fails, that every check is alive, that every graded value can be found and that
// nothing sealed leaks. README.md shows both; package tasks says how tasks are written, package
// sim what a world is, package grader how checks work and package agent what can act.
package benchwright
