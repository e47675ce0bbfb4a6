package run

import (
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/reports"
	"benchwright/tasks"
)

// identity says what this run is, for run.json.
func (s *Session) identity(jobs []*Job, id agent.Identity) (reports.Run, error) {
	run := reports.Run{
		Kind: reports.KindCertification, Agent: reports.KindCertification, Suite: s.Suite.Name, Grader: grader.Version, Protocol: s.Config.Protocol,
		Gate: s.Config.GateText, Filter: s.filter, Trials: s.Config.Trials, Workers: s.workers(), Seed: s.Config.Seed, Model: id,
		Fixtures: map[string]string{},
	}
	run.Isolation, run.Python = s.boxes.Record()
	if p := s.player; p != nil {
		run.Kind, run.Agent, run.Basis, run.Replays = p.Kind, p.Name, p.Options.Basis, p.Replays
		if err := json.Unmarshal(s.Config.Options, &run.Options); err != nil {
			return run, err
		}
		if l := s.Config.Spend; l.Tokens > 0 {
			run.Limits = map[string]any{"spend_tokens": l.Tokens}
		} else if l.Cost != nil {
			run.Limits = map[string]any{"spend_cost": l.Cost.FloatString(6)}
		}
	}
	maps.Copy(run.Fixtures, s.attached)
	if s.Config.Track != Guided {
		run.Track = s.Config.Track
	}
	type entry struct {
		ID     tasks.ID
		Digest tasks.Digest
	}
	var set []entry
	prompts := map[tasks.ID]any{}
	at := map[tasks.ID]int{}
	for _, j := range jobs {
		if i, seen := at[j.Task.ID]; seen {
			run.Tasks[i].Trials++
			continue
		}
		at[j.Task.ID] = len(run.Tasks)
		set = append(set, entry{j.Task.ID, j.Digest})
		selected := reports.Select(j.Task)
		selected.Trials = 1 // a filter may have picked some trials only
		run.Tasks = append(run.Tasks, selected)
		if j.Kit.Sources != nil {
			src, err := j.Kit.Sources(j.Task)
			if err == nil && src.Digest != "" {
				run.Fixtures[j.Task.World] = src.Digest
			}
		}
		if tools, err := ToolsOf(j.Kit, j.Task); err == nil {
			first, err := j.Kit.Speaks().Open(j.Task.Envelope(), 0, tools)
			if err == nil {
				prompts[j.Task.ID] = []any{first, tools}
			}
		}
	}
	slices.SortFunc(set, func(a, b entry) int { return strings.Compare(string(a.ID), string(b.ID)) })
	var err error
	if run.TaskSet, err = tasks.DigestOf(set); err != nil {
		return run, err
	}
	ordered := []any{}
	for _, id := range slices.Sorted(maps.Keys(prompts)) {
		ordered = append(ordered, prompts[id])
	}
	if run.Prompts, err = tasks.DigestOf(ordered); err != nil {
		return run, err
	}
	run.Commit, run.Dirty = commit(s.place.root)
	return run, nil
}

// commit asks git, since test binaries are not stamped. Without an answer nobody knows.
func commit(dir string) (string, *bool) {
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	head, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", nil
	}
	changes, err := git("status", "--porcelain")
	if err != nil {
		return head, nil
	}
	dirty := changes != ""
	return head, &dirty
}
