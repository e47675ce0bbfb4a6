package workspace

// The tracks: how much a model is told about working in a workspace. Scores of different tracks
// are never pooled.
const (
	Guided = "guided" // with the facts that agents trip over; the default
	Cold   = "cold"   // with the protocol alone, and without the display names of backends
)

// Tracks lists the tracks.
func Tracks() []string { return []string{Guided, Cold} }

// Rules returns what every agent is told on a track, whatever protocol it speaks. It is the
// System text of a task.
func Rules(track string) string {
	if track == Cold {
		return baseRules
	}
	return baseRules + "\n\n" + guidedRules
}

const jsonTurns = `You operate an OpenBB Workspace by calling its tools. This is an interactive evaluation: you make one tool call at a time, and after each call you are shown what the workspace really answered.

Every reply of yours is one valid JSON object and nothing else: no Markdown, no prose. To call a tool:
{"done": false, "tool": "<name>", "args": {}}
When nothing is left to do:
{"done": true}`

const toolsTurns = `You operate an OpenBB Workspace by calling the tools that you are given. This is an interactive evaluation: make one tool call at a time, and read what the workspace really answered before you make the next. When nothing is left to do, reply without a call.`

const baseRules = `Rules:
- Use only the tools in "allowed_tools", by exactly those names. There is no shell, container, browser or developer tool.
- Use ids exactly as tool results gave them. Never send a placeholder such as {{dashboard_id}}.
- You are done when the final state of the workspace satisfies the task, and not before.`

const guidedRules = `How the workspace works:
- "origin" is the display name of a backend, as in "origin_hints"; the slug of its fixture is not.
- Leave out an optional "dashboard_id" when you do not know the id: the open dashboard is meant then. The name of a dashboard is never its id.
- Never invent a "widget_id". Take it from list_available_widgets or from an earlier result.
- Before create_widget, where these tools are allowed, call list_available_widgets for the origin and get_widget_schema for the origin and the widget. A task fails for widgets that were never listed, and may fail for a schema that was never read.
- A dashboard may have tabs. Navigate to the right tab before you add to it, or set "tab_id" with the layout.
- For the templates of apps, call manage_backends with the operation "list" first, and give manage_apps the backend id that it returned.
- Notes and charts that you generate must hold concrete facts from tool results, and stand on the tab that the task names.
- Generated text is checked to the letter. Copy numbers and identifiers as you saw them: 0.86, not 86%; price_performance, not only "Price Performance".
- Move and resize with update_widget_layout, never with update_widget.`

// completion is told where a task is completed by an answer.
const completion = `This task is completed by an answer. Read the data of the widgets that matter first; then submit the whole answer, with the exact figures, through final_answer. That ends the episode.`

// What closes the message with a result.
const (
	nextCall   = `Choose the next single tool call, or reply {"done": true} when the task is satisfied.`
	nextAnswer = `Choose the next single tool call. The task is completed by final_answer with the whole answer and its exact figures.`
	nextEither = `Choose the next single tool call, or finish.`
)

const (
	firstCall  = `Choose the first tool call.`
	twoShapes  = "Reply with exactly one of these JSON objects:\n" + `{"done": false, "tool": "<name>", "args": {}}` + "\n" + `{"done": true}`
	closed     = `The present state is not shown here.`
	closedLook = `The present state is not shown here. Call get_workspace_snapshot to see it.`
)

// finalAnswer describes the tool that answers.
const finalAnswer = `Submits the answer to the task, and ends the episode. "text" is the whole answer, with the exact figures.`
