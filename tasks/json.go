package tasks

import (
	"encoding/json"

	"benchwright/sim"
)

// Encode writes a task as canonical JSON, which DecodeTasks reads back as the same task.
func Encode(t Task) (json.RawMessage, error) { return sim.Canonical(t) }

// DecodeTasks reads a JSON file that holds a task or a list of tasks about the suite's worlds.
//
// Reading is strict: a key that a task does not have, a key named twice, a value of another
// type, an unknown rule or argument, or text after the value is a problem at its line, as is
// all that Lint finds. All problems of the file are returned, sorted; the tasks are of use only
// when there are none. A task, check or move that names no source gets its place in the file.
func DecodeTasks(file string, raw []byte, s Suite) ([]Task, []Problem) {
	read, problems := decodeTasks(file, raw, s)
	var out []Task
	for _, f := range read {
		out = append(out, f.task)
	}
	return out, sorted(problems)
}
