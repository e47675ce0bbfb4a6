package command

import (
	"encoding/json"

	"benchwright/sim"
	"benchwright/tasks"
)

// An Envelope is what a process is told: what every agent may know of the task, in the published
// form. The world's state is not among it.
type Envelope struct {
	Schema    int       `json:"schema_version"`
	Benchmark Benchmark `json:"benchmark"`
	Task      Task      `json:"task"`
	Tools     []Tool    `json:"tools"`
	Protocol  Protocol  `json:"tool_call_protocol"`
}

// A Benchmark names what the task is of.
type Benchmark struct {
	Name  string `json:"name"`
	World string `json:"world"`
}

// A Task is the present ask of an episode.
type Task struct {
	ID      string          `json:"id"` // opaque
	System  string          `json:"system,omitempty"`
	Prompt  string          `json:"prompt"`
	Context json.RawMessage `json:"context,omitempty"` // public facts that come with the ask
	Told    string          `json:"told"`              // the ask as a model is put it, with all of the above
	Ask     int             `json:"ask"`               // from 1
	Asks    int             `json:"asks"`
	Allowed []string        `json:"allowed_tools"`
	Limits  *tasks.Limits   `json:"limits,omitempty"` // where the world's protocol shows them
}

// A Tool is one that may be called, with the JSON Schema of its arguments.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema,omitempty"`
}

// A Protocol says what the output is.
type Protocol struct {
	Format string   `json:"format"`
	Output string   `json:"output_env"`
	Shape  any      `json:"record_shape"`
	Notes  []string `json:"notes"`
}

// envelope returns the envelope of an ask, counted from 0.
func envelope(id string, env tasks.Envelope, ask int, told string, tools []sim.Tool) Envelope {
	e := Envelope{
		Schema: 1, Benchmark: Benchmark{"benchwright", env.World},
		Task: Task{ID: id, System: env.System, Prompt: env.Asks[ask].Text, Context: env.Asks[ask].Context, Told: told,
			Ask: ask + 1, Asks: len(env.Asks), Allowed: []string{}, Limits: env.Limits},
		Tools: []Tool{},
		Protocol: Protocol{
			Format: "jsonl", Output: "BENCHWRIGHT_OUTPUT_JSONL",
			Shape: map[string]string{"tool": "name of a tool", "args": "object of its arguments"},
			Notes: []string{
				"Write one JSON object a line, or one JSON list of objects, and exit with 0.",
				"The calls are performed after the process has exited, in their order; it sees no results.",
				"Where final_answer is among the tools, it is called last and its text is the answer.",
			},
		},
	}
	for _, t := range tools {
		e.Task.Allowed = append(e.Task.Allowed, t.Name)
		e.Tools = append(e.Tools, Tool{t.Name, t.Description, t.Schema})
	}
	return e
}
