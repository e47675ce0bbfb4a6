// Package files compiles workspaces: small trees of files in which an agent reads, writes and
// runs things until what it leaves behind is what was asked for.
//
// A [Spec] names a family, a scenario, a difficulty and a seed. Compiling it with the families
// that are known gives an [Instance]: the visible tree that an agent gets a copy of, the hidden
// tree that only graders read, a typed manifest and a reference solution:
//
//	spec := files.NewSpec("tabular", 3, 42)
//	spec.Scenario = "weekly_refund_rollup"
//	instance, err := builtin.Families().Compile(spec)
//
// # What a compiled instance promises
//
// The same spec gives the same bytes and the same id, on every machine. Compile refuses with the
// reason whatever breaks one of these:
//
//   - there is a reference solution, and each of its files differs from what is visible;
//   - the untouched workspace is not the solution;
//   - no visible text names the family, the scenario, the instance, its difficulty, a defect or
//     anything below hidden/;
//   - what a family says of its traps: each of them, handled wrongly, gives another answer
//     ([Draft].NearMisses), so that none is decoration;
//   - every defect is one edit that found its place in the correct sources ([Inject]).
//
// A draw that breaks the promise of its traps is drawn again, deterministically; after [MaxDraws]
// of them the spec is refused.
//
// # Families
//
// A [Family] is a generator under a name. The built-in ones are in package builtin; others are
// put beside them in a [Families] list. How an instance is graded is named by
// [Manifest].Evaluator, a key of the graders' own registry, and is told all it needs by the
// hidden tree.
//
// # Layout
//
// [Instance.Write] and [Load] speak the published layout: manifest.json, visible/ and hidden/.
//
// # Decisions of ours
//
// A spec without a scenario takes one of those that are not held out, so that held-out ones are
// met only where they are named. All random choices hang on family, scenario, difficulty and
// seed together, so that no two difficulties of a seed share their data. task.json carries
// neither family nor scenario.
//
// # The world
//
// An episode is played in a world of the kind that [Library.Kind] or [KindOf] returns, of an
// instance that its [Setup] names or holds. It offers the seven tools of the protocol with their
// published texts; what a call gave is an [Outcome], what stands at any moment a [Workspace].
//
// File tools work in memory, on immutable snapshots: a fork is a pointer, and an agent that runs
// nothing never touches the disk. A command gets the workspace in an empty folder, runs in package
// sandbox by way of a [Machine], and what it left is read back, through os.Root; then the folder
// is gone. No result shows a path of the host: the workspace is at [Root].
// Modification times count steps, so that they tell no time and still an order.
//
// What a call did to the workspace, shown or not, is noted beside its result: [Facts].
//
// A workspace holds files, links and empty folders. Links are followed by tools and commands and
// may lead nowhere outside; graders do not follow them.
//
// Limits are steps and time. A call costs a step unless there is no such tool; when the last one
// is used, or the time is over, or something was submitted, the ask is done, and it is graded as
// it stands, submitted or not.
package files
