// Package wiki grades what an agent did to a wiki, says which layer a failure is owed to, and makes
// the records that show it.
//
//	[Protocol]        gate 1: symbols are found by reading, and nothing is written
//	[EvidenceSample]  gate 2: the pages that the host selected have their evidence, nothing else has changed
//	[FocusedQA]       gate 3: the host's audit finds no violation; no model takes part in it
//	[FormalTask]      the whole task: coverage, requirements, pages, each counted
//
// No text that an agent writes is heard, but for two things that are held against the host's own
// facts: the sources that pages declare, and what finish says in the first gate.
//
// # The audit
//
// It looks at the final bytes and at the trace: is every declared source a file of the fixture, with
// its hash and kind; does the ledger prove that it was read, or inherit a proof that still holds; is
// the structure what it was; was any tool called that may not be, or in vain. A finding is a
// violation, a warning or an info; only violations fail anything. What is wrong with the evidence of
// a draft that nobody was asked to repair, and nobody touched, is info. What is still lacking in the
// whole task is a warning: the scores count it. Findings have one order, and equal artefacts give
// equal bytes.
//
// Loops are found in the trace by package [benchwright/sim/wiki/loops], by which the world ends a
// hopeless stage while it is played. Each event is a violation; a warning is free.
//
// # Records
//
// [GradeRun] makes grading.json from the records of episodes ([ParseRecord]) and nothing else, so
// that grading them again gives the same bytes; [Summarise] and [Report] make what follows from
// it, [Seal] closes it and [Verify] finds any change. [Attribute] tells the layers apart: a failure
// of the provider, the adapter, the tools, the accounting or the grader can look as if the model had
// failed, and is then no valid score. [Normalise], [Usage.Budget] and [Meter] are the accounting by
// itself; what ends an episode is its session's own.
package wiki
