//go:build linux && race

package sandbox_test

// raced is true under the race detector, which slows every stage down and can say nothing
// new about levels that differ in the kernel's part alone.
const raced = true
