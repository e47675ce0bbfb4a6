// Package wiki is the world of the codewiki suite: a frozen snapshot of a program's source, a wiki
// about it whose evidence is partly missing, and skills, which an agent reads and repairs by
// nine tools, stage by stage.
//
//	w, err := wiki.Kind.New(ctx, sim.Env{}, setup, []string{wiki.AllTools})
//	err = w.Begin(ctx, 0) // the first stage
//	r := w.Call(ctx, sim.Call{Name: wiki.ListDir, Arguments: json.RawMessage(`{"path":"/source"}`)})
//
// There are three roots, and nothing else: /source and /skills, which are read only, and
// /wiki, of which the pages are written, by write_page alone. Nothing of the machine is behind
// them: the case is memory that no call can change, and its digests are computed anew when a
// stage begins and when it is finished.
//
// # Stages
//
// Ask n of a task is stage n of the [Setup]. In "protocol" nothing can be written. In
// "evidence_sample" the pages that the host selected can be, their structure is locked. In "formal"
// every page can be, and of the structure what an open requirement that names the page is about.
// A call before the first Begin belongs to the stage "setup": it writes nothing and adds nothing
// to the ledger.
//
// Begin lists every root and reads a known file with the agent's own tools. Where that fails, or
// a digest is not the fixture's, no stage begins.
//
// # Results
//
// What an agent sees is one canonical JSON object: {"ok":true, …}, or {"code", "hint",
// "message", "ok":false}. A call is looked at in this order, and the first thing wrong with it
// decides:
//
//	no tool has the name, or it is out of scope      denied   unknown_tool
//	arguments of the wrong shape                     invalid  invalid_arguments
//	the stage has no calls left                      denied   budget_exceeded
//	a path that is below no root                     denied   outside_roots
//	a path below a root where nothing is             error    not_found
//	more lines or bytes than one call may carry      error    too_large
//
// and a call that writes:
//
//	a place that is below no root                    denied   outside_roots
//	a place below a root that is no page             denied   write_denied
//	a stage in which nothing is written              denied   stage_forbids_write
//	a page that is not planned                       error    unknown_page
//	a page that the host did not select              denied   page_not_selected
//	more than 64 KiB                                 error    too_large
//	a page that has changed since it was read        error    stale_write
//	a text that is no page                           invalid  invalid_arguments
//	a change of what is locked                       denied   structure_locked
//
// The world's own failure is a fault with the code tool_runtime_error.
//
// # Loops
//
// A stage in which nothing moves any more is over before it is finished: see package
// [benchwright/sim/wiki/loops] for what counts. The call that passes a limit is carried out, and its
// result says that the ask is done; the state has the stage as not finished.
//
// # Notes
//
// Every result of a call within a stage carries [Facts] for graders: what was read for the first
// time, what a write changed, from what to what, and digests by which repetition is recognised.
// The agent sees none of it. The state, [State], holds pages, ledger and answers; it does not count
// calls, so that equal wikis have equal bytes.
package wiki
