// Package bridge makes Ginkgo specs of tasks. It is the only package beside tests that knows
// Ginkgo: one spec per task and trial, whose labels are the task's tags and whose code location
// is its line in the feature file, so that Ginkgo's own filters and reports speak of features.
//
// Episodes run ahead of their specs, on the workers of a scheduler; a spec awaits its episode
// and reports it. Ginkgo's functions belong to the spec that is running, so nothing on a worker
// calls them.
package bridge
