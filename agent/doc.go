// Package agent lets something act in a world: a model inside a plain loop, a scripted policy,
// or whatever implements [Agent].
//
// The [Session] owns the world, the asks, the budgets and the trace; an agent sees the task's
// envelope and the results of its calls, and never the rubric. [Play] runs one agent on one
// task and returns the [Episode]: everything that happened, ready to be graded and recorded.
//
// Whatever an agent can cause ends the episode with an [grader.End] and is graded on what
// stands. What the measurement caused — provider, adapter, world — is a [Fault], and makes the
// episode broken.
package agent
