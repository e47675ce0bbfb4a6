// Package run carries out a benchmark run: it reads the variables, builds the agent, certifies
// the tasks, schedules their episodes, grades and records them, and closes the bundle. It knows
// no test framework, so that commands can use it as the Ginkgo bridge does.
package run
