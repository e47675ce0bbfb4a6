// Package mcp lets outside harnesses act in a task's world through the Model Context Protocol.
//
// One episode is one server, over a pair of streams ([Stream]) or as one of many on an HTTP
// listener ([Hub]). It offers
//
//   - the tools of the task's scope, with the world's own schemas and results;
//   - the documents and prompts of a [sim.Documented] world, as far as the scope has the tools
//     that read them. To read one natively is a call of that tool: the trace is the same;
//   - the prompt "task", which is the present ask with all that is told about it. The server's
//     instructions say the same. Nothing says the task's id, family or level;
//   - final_answer, where the dialect takes an answer, and next_ask, where a task has several asks.
//
// Every call is a turn, calls are performed one at a time, on a stream in the order in which they
// were written, and a call after the end is told so and not performed. A call that the published schema of its
// tool forbids is performed all the same, since worlds have their own words for what is wrong;
// the server reports it in the result's _meta, and keeps it for who runs the episode.
//
// # The end
//
// An episode ends when the last ask is answered, or a budget is spent, or the client is gone: its
// streams are closed, its HTTP session is deleted and none follows, nothing was heard of it for a
// while, or its runner says so by a POST to the episode's done. A client that is gone has
// finished, in a world where asks are finished by doing nothing more; elsewhere it left the ask
// without an answer.
//
// # Outcomes
//
// A harness that never came, and was never handed the episode, is broken (adapter): nothing was
// measured. One that was handed the episode, or that connected, is graded on what stands,
// whatever it did or left undone.
package mcp
