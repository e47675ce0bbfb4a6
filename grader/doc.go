// Package grader turns what an episode left behind into a verdict.
//
// A [Rule] is a kind of demand with its arguments; a [Check] is a rule at a place in a task;
// a [Finding] is what a check has to say; a [Verdict] is all of them. Rules see frozen
// [Evidence] and nothing else, so that a record can be graded again at any time and gives the
// same bytes.
//
// Every check runs, also after one has failed. A check that cannot be evaluated makes the
// verdict broken, never failed: broken episodes leave every rate.
package grader
