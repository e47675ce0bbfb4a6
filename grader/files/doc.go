// Package files grades workspaces: it scores the files that an episode left behind, and never the
// words of who left them.
//
//	g := files.New(library, machine.New("", ""))
//	check := grader.Check{Rule: g.Rule(spec)}       // or g.RuleOf(instance), of a folder
//	result, err := g.Evaluate(ctx, instance, tree)  // the published EvaluatorResult
//
// # Evaluators
//
// How an instance is graded is named by its manifest: a key of the evaluators that there are. An
// instance of others, whose key is unknown, is graded as its family is; where that would mean to
// believe what a script prints in whose process agent code has run, it is refused: the check is
// broken, by the grader. An outside family brings its own [Evaluator] under its own key.
//
// Artifacts are compared in Go: rows as multisets, documents leaf by leaf, numbers by their value.
// The score of an artifact is
//
//	0.2 · exists + 0.2 · valid JSON + 0.3 · precision + 0.2 · recall + 0.1 · exact
//
// so that the right rows in another order are worth 0.9, and JSON about something else 0.4.
//
// # Code
//
// Code is run as package exam describes: on a fresh copy of the plain files that were left, in the
// sandbox, on inputs that nobody saw, by an observer that knows nothing of what is expected. What
// it reports is data, and compared here. So a forged verdict, a patched library, an early exit, a
// daemon or a link out of the workspace are worth what a wrong answer is worth: a case that does
// not hold. What has to be reproducible is run twice, with two seeds of Python's hashes, which are
// the same two at every grading.
//
// # Scores of difficulty 5
//
// A score below 1 is raised to the third power; the raw one stands in the diagnostics as
// d5_raw_partial_score. Capabilities of the hard pipeline are first multiplied by the sixth power of
// the mean of their five. Hard states are raised with the rest, or code that does not run would be
// worth more than code that does.
//
// # Decisions of ours
//
// Success is that everything holds, and a score of 1 is success: an artifact that is right and not
// reproducible is not exact, and a test that no weight counts, failed, leaves at most 0.9. Untouched
// workspaces get what they get: that is their floor, which runs subtract.
//
// Results are remembered by instance and content, so that the proofs about a task pay for Python
// once a workspace; several workspaces are run by one start of it ([Grader.Mutants]).
package files
