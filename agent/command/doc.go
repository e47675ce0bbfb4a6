// Package command is the agent that is an outside process: it gets a task as a file, writes the
// calls that it wants to have made, and exits. Then the calls are performed and what they leave
// is graded. The process never sees a result; for agents that must, there is package agent/mcp.
//
// For each ask the command runs once, through the shell, in the caller's folder, with nothing on
// its standard input and with
//
//	BENCHWRIGHT_TASK_JSON     the file that it reads: [Envelope]
//	BENCHWRIGHT_OUTPUT_JSONL  the file that it writes
//	BENCHWRIGHT_RUN_DIR       an empty folder of its own, which holds both and is removed afterwards
//	BENCHWRIGHT_TASK_ID       an opaque id of the episode
//
// and, in the workspace world, the same as WORKSPACE_BENCH_TASK_JSON and so on, as the published
// system has them. The variables of the run itself are not passed on; all others are.
//
// The output is one object a line, or one JSON list of them: {"tool": "move", "args": {…}}, where
// "name" may stand for "tool" and "arguments" for "args". final_answer, with the argument text,
// answers the ask. No file, or an empty one, is no calls. What cannot be read as a whole is one
// invalid call named agent_output_parse_error, and nothing of it is performed.
//
// Whatever the process does is the agent's doing: another exit code than 0, running out of time,
// and output beyond measure end the episode with agent_error, with none of its calls performed. A
// command that cannot be started is a fault of the adapter. When it exits, or its time is up, the
// process is killed with its group.
package command
