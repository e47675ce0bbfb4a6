package files

import (
	"cmp"
	"context"
	"encoding/json"

	"benchwright/agent"
	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/tabular/solve"
)

// A scripted agent reads what the work is. Where tables are to be worked out it does so, by what the
// README says; elsewhere it runs the documented command. Then it submits. It is weak on purpose.
type scripted struct{}

// Play implements agent.Agent.
func (scripted) Play(ctx context.Context, s *agent.Session) error {
	ask, ok, err := s.Next(ctx)
	if !ok || err != nil {
		return err
	}
	call := func(tool, key, value string, more ...string) (files.Outcome, error) {
		args := map[string]string{key: value}
		for i := 0; i+1 < len(more); i += 2 {
			args[more[i]] = more[i+1]
		}
		r, err := s.Call(ctx, sim.Call{Name: tool, Arguments: sim.MustCanonical(args)})
		if err != nil {
			return files.Outcome{}, err
		}
		return files.ParseOutcome(r.Data)
	}
	if _, err := call("list_directory", "path", "."); err != nil {
		return err
	}
	seen := files.Tree{}
	look := func(path string) error {
		o, err := call("read_file", "path", path)
		if err == nil && o.Content != nil {
			seen[path] = *o.Content
		}
		return err
	}
	for _, p := range []string{"README.md", "task.json"} {
		if err := look(p); err != nil {
			return err
		}
	}
	var task struct {
		Inputs []string `json:"input_files"`
	}
	var told struct {
		Artifact   string `json:"required_final_artifact"`
		Entrypoint string `json:"public_check"`
	}
	json.Unmarshal([]byte(seen["task.json"]), &task) // what is not understood is not there
	json.Unmarshal(s.Envelope().Asks[ask].Context, &told)
	answer := cmp.Or(told.Artifact, "done")
	for _, p := range task.Inputs {
		if err := look(p); err != nil {
			return err
		}
	}
	if path, text, err := solve.Solve(seen); err == nil {
		if _, err := call("write_file", "path", path, "content", text); err != nil {
			return err
		}
		answer = path
	} else if told.Entrypoint != "" {
		if _, err := call("run_shell", "command", told.Entrypoint); err != nil {
			return err
		}
	}
	_, err = call("submit", "path_or_answer", answer)
	return err
}
