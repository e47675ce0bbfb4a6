// Package scorer is the bench beside the bench: it grades files of WealthOps predictions, with no
// run, no model and no network, and says how long they took and what changed between two of them.
//
//	report, err := scorer.Score(predictions, cases, inputDigest)
//
// A predictions file has one [Prediction] a line. It is what a runner observed: the result that
// a candidate gave and, beside it, the trusted trace of its calls and the count of writes. A
// cases file holds what each [Case] must come to; no runner opens it.
//
// A case passes when exactly one record stands for it and every part of that record is as the
// case demands. The parts are graded by the rules of package grader/wealth, so that the labels
// of a record are the codes of the episode that it was made from. The denominator is always the
// cases of the cases file: what is missing, doubled or unreadable has failed.
//
// What is wrong with a file, and not with a candidate, is listed in [Report.Errors] with its
// line: an unknown case, a second record for a case, a record of another kind of run than the
// first, a line that is no record. None of it ever raises a count.
//
// [Summarise] computes a latency summary. [Assemble] makes the files of a run bundle, [Verify]
// recomputes everything in one, and [Compare] sets an adapted candidate against its base.
//
// The same bytes in give the same bytes out: there is no clock and no map order in any of it.
package scorer
