package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchwright/agent"
	"benchwright/grader"
	rules "benchwright/grader/files"
	"benchwright/sim"
	world "benchwright/sim/files"
)

// The files of a published episode, and the folder of what the agent left.
const (
	recordManifest   = "manifest.json"
	recordTrajectory = "trajectory.jsonl"
	recordResult     = "evaluator_result.json"
	recordSummary    = "summary.json"
	recordDiff       = "final_diff.txt"
	recordFinal      = "final_workspace"
	recordSteps      = "steps.jsonl"
	recordFactors    = "factors.json"
	recordWithheld   = "withheld.json"
)

// Published is an episode as the published system records it: the name of its folder, and the
// files in it by their paths.
type Published struct {
	ID    string
	Files map[string][]byte

	withheld *withheld
}

// Publish makes the published record of an episode of an instance. It follows from the two alone.
//
// What the episode's record does not say is null: no call has a time of its own. A broken episode
// has no evaluator_result.json. Beside the published files there are steps.jsonl, with what an
// analysis of behaviour asks of each call, factors.json, with what the instance was made from and
// measured to be, and withheld.json where final_workspace could not hold everything: links, and
// files of which the record has but a digest.
func Publish(ep *agent.Episode, in *world.Instance) (Published, error) {
	p := Published{ID: episodeID(ep, in), Files: map[string][]byte{}}
	before, err := workspaceOf(ep.Initial)
	if err != nil {
		return p, fmt.Errorf("episode %s: its initial state: %w", ep.Key(), err)
	}
	after := before
	if n := len(ep.States); n > 0 {
		if after, err = workspaceOf(ep.States[n-1]); err != nil {
			return p, fmt.Errorf("episode %s: its final state: %w", ep.Key(), err)
		}
	}
	steps, err := stepsOf(ep)
	if err != nil {
		return p, fmt.Errorf("episode %s: %w", ep.Key(), err)
	}
	result, graded := evaluation(ep)
	if graded {
		p.Files[recordResult] = pretty(result)
	}
	left := after.Tree()
	for path, text := range left {
		p.Files[recordFinal+"/"+path] = []byte(text)
	}
	if p.withheld = withheldOf(after); p.withheld != nil {
		p.Files[recordWithheld] = pretty(p.withheld)
	}
	p.Files[recordManifest] = []byte(in.MarshalManifest())
	p.Files[recordDiff] = []byte(unified(before.Tree(), left))
	p.Files[recordTrajectory] = trajectory(steps)
	p.Files[recordSteps] = jsonLines(steps)
	p.Files[recordFactors] = pretty(factors(in))
	p.Files[recordSummary] = pretty(summary(ep, in, p.ID, steps, after, result))
	return p, nil
}

func workspaceOf(raw json.RawMessage) (*world.Workspace, error) {
	if len(raw) == 0 {
		return world.NewWorkspace(nil)
	}
	return world.ReadWorkspace(sim.RawState(raw))
}

// episodeID is instance, agent and the milliseconds at which it began, and the trial where it is
// not the first.
func episodeID(ep *agent.Episode, in *world.Instance) string {
	began := "unstarted"
	if !ep.Started.IsZero() {
		began = strconv.FormatInt(ep.Started.UnixMilli(), 10)
	}
	id := name(in.Manifest.EnvID) + "-" + name(ep.Agent) + "-" + began
	if ep.Trial > 1 {
		id += fmt.Sprintf("-t%d", ep.Trial)
	}
	return id
}

// evaluation is the evaluator's result as it is published. What it took is not recorded.
func evaluation(ep *agent.Episode) (map[string]any, bool) {
	r, ok := rules.ResultOf(ep.Verdict)
	if !ok || ep.Outcome == grader.Broken {
		return nil, false
	}
	var out map[string]any
	if json.Unmarshal(r.JSON(), &out) != nil {
		return nil, false
	}
	out["runtime_seconds"] = nil
	return out, true
}

// withheld is what of a workspace is no plain file of the record.
type withheld struct {
	Links map[string]string     `json:"links,omitempty"`
	Files map[string]world.File `json:"files,omitempty"` // digest and size
}

func withheldOf(w *world.Workspace) *withheld {
	out := withheld{Links: w.Links()}
	if paths := w.Withheld(); len(paths) > 0 {
		var state struct {
			Files map[string]world.File `json:"files"`
		}
		if json.Unmarshal(w.JSON(), &state) == nil {
			out.Files = map[string]world.File{}
			for _, p := range paths {
				out.Files[p] = state.Files[p]
			}
		}
	}
	if len(out.Links)+len(out.Files) == 0 {
		return nil
	}
	return &out
}

// factors is what an instance was made from and measured to be, for analyses of what makes
// workspaces hard.
func factors(in *world.Instance) map[string]any {
	m := &in.Manifest
	f := map[string]any{
		"env_id": m.EnvID, "family": m.Family, "scenario_id": m.Metadata.Scenario, "difficulty": m.Difficulty, "seed": m.Seed,
		"split": orNull(m.Metadata.Split), "task_id": orNull(m.Metadata.TaskID), "bug_labels": m.Metadata.BugLabels,
		"complexity_profile": m.Metadata.Complexity, "scenario_profile": m.Metadata.Structure, "difficulty_realization": m.Metadata.Realized,
		"visible_files": len(m.VisibleFiles), "visible_bytes": nil, "world": nil,
	}
	if len(in.Visible) > 0 {
		size := 0
		for _, text := range in.Visible {
			size += len(text)
		}
		f["visible_bytes"], f["world"] = size, in.World()
	}
	return f
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// summary is the EpisodeSummary, and what a reader of it asks next.
func summary(ep *agent.Episode, in *world.Instance, id string, steps []step, after *world.Workspace, result map[string]any) map[string]any {
	touched := []string{}
	count, guided, failed, turns := 0, 0, 0, len(ep.Turns)
	for _, s := range steps {
		for _, p := range s.Touched {
			if i, found := slices.BinarySearch(touched, p); !found {
				touched = slices.Insert(touched, i, p)
			}
		}
		turns = max(turns, s.Turn) // who calls by itself gives no replies
		if s.StepIndex != nil {
			count++
		}
		if s.Guidance != nil {
			guided++
		}
		if !s.Success {
			failed++
		}
	}
	_, submitted := after.Submission()
	s := map[string]any{
		"episode_id": id, "env_id": in.Manifest.EnvID, "agent_name": ep.Agent, "step_count": count, "submitted": submitted,
		"duration_seconds": ep.Wall.Seconds(), "files_touched": touched, "evaluation": nil, "artifact_root": id,
		"task": ep.Task, "trial": ep.Trial, "seed": ep.Seed, "outcome": ep.Outcome, "layer": orNull(string(ep.Layer)), "reason": orNull(ep.Reason),
		"stopped_reason": orNull(ep.End.Code), "turn_count": turns, "tool_call_count": len(steps), "failed_calls": failed,
		"guidance_count": guided, "floor": ep.Floor, "usage": ep.Usage, "started_at": nil,
	}
	if !ep.Started.IsZero() {
		s["started_at"] = ep.Started.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if result != nil {
		s["evaluation"] = result
	}
	return s
}

// pretty is JSON as the published system writes files.
func pretty(v any) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, sim.MustCanonical(v), "", "  "); err != nil {
		panic("files: " + err.Error()) // canonical JSON is JSON
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func jsonLines[T any](list []T) []byte {
	var b strings.Builder
	for _, v := range list {
		b.Write(sim.MustCanonical(v))
		b.WriteByte('\n')
	}
	return []byte(b.String())
}
