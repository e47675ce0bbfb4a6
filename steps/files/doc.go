// Package files is the kit of the files world: the sentences that its tasks are written in, the
// published protocol as a dialect, suites made of splits, and folders of compiled workspaces as
// tasks.
//
//	w := files.NewWorkshop(nil, nil)
//	suite := tasks.Suite{Features: features, Kits: []tasks.Kit{w.Kit()}, Generators: w.Suites()}
//
// A scenario names a workspace; what has to be done, how it is graded and how it is solved come
// with that:
//
//	Given the workspace "weekly_refund_rollup" of difficulty 3 and seed 204
//	And every tool
//	When the agent is asked to do the work
//	Then the work is done
//	And each of its traps fails with "output_mismatch"
//
// An ask may have words of its own, as in any world. A task has the limits of the published
// evaluation: [Turns] replies, [ToolCalls] calls and [Seconds] seconds, unless it names others.
// Nothing that its agent is sent names family, scenario, difficulty or seed.
//
// # Folders
//
// Where a folder of tasks is asked for, a folder that holds a compiled workspace (manifest.json,
// visible/ and hidden/), folders of such, or an export with its manifest.jsonl will do. Such a task
// is graded by what its hidden/ says, and has the limits of its manifest.
//
// # Families of others
//
// [NewWorkshop] and [KitOf] take families and evaluators beside the built-in ones. Their workspaces can be named in
// features, put into suites and opened from folders like all others.
package files
