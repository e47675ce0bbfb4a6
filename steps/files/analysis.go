package files

import (
	"encoding/json"
	"fmt"

	"benchwright/agent"
	world "benchwright/sim/files"
)

// The kinds of what a call does.
const (
	kindRead    = "read"
	kindWrite   = "write"
	kindList    = "list"
	kindRun     = "run"
	kindSubmit  = "submit"
	kindUnknown = "unknown" // there is no such tool
)

var kinds = map[string]string{
	"read_file": kindRead, "write_file": kindWrite, "append_file": kindWrite, "list_directory": kindList,
	"run_shell": kindRun, "run_python": kindRun, "submit": kindSubmit,
}

// A step is one call of an episode, as analyses of behaviour want it. Calls count from 0.
type step struct {
	Call      int             `json:"call"`
	Turn      int             `json:"turn"`
	StepIndex *int            `json:"step_index"` // null for a call that cost no step
	Tool      string          `json:"tool"`
	Kind      string          `json:"action_kind"`
	Arguments json.RawMessage `json:"arguments"`
	Success   bool            `json:"success"`
	Error     *string         `json:"error"`
	ExitCode  *int            `json:"exit_code"`
	Guidance  *string         `json:"guidance"`

	StepsLeft int  `json:"steps_left"`
	TurnsLeft *int `json:"turns_left"` // null where there is no limit

	// Repeats is the earlier call that this one says again, word for word. Unchanged says that
	// nothing had changed in between.
	Repeats   *int `json:"repeats"`
	Unchanged bool `json:"repeats_unchanged"`
	// Productive calls change the workspace, read a file that was not read before, or are the first
	// run after a write.
	Productive bool `json:"productive"`

	Before  *string                 `json:"digest_before"`
	After   *string                 `json:"digest_after"`
	Touched []string                `json:"touched_files"`
	Changed map[string]world.Change `json:"changed"` // digests of contents; null where nobody noted it
	Read    *string                 `json:"read"`
	Omitted int                     `json:"characters_omitted"`

	outcome world.Outcome
}

// stepsOf reads the trace of an episode.
func stepsOf(ep *agent.Episode) ([]step, error) {
	steps := make([]step, 0, len(ep.Trace))
	used := map[int]int{} // steps by ask
	said := map[string]int{}
	read := map[string]bool{}
	wrote := false
	for i, e := range ep.Trace {
		if e.Result.Fault != "" { // the world broke: what it did is not known
			break
		}
		o, err := world.ParseOutcome(e.Result.Data)
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
		s := step{
			Call: i, Turn: e.Turn, Tool: e.Call.Name, Kind: kinds[e.Call.Name], Arguments: e.Result.Arguments,
			Success: o.Success, Error: o.Error, ExitCode: o.ExitCode, Guidance: o.Guidance,
			StepsLeft: o.State.RemainingSteps, Touched: o.TouchedFiles, Omitted: o.Omitted, After: o.WorkspaceDigest, outcome: o,
		}
		if s.Kind == "" {
			s.Kind = kindUnknown
		}
		if s.Arguments == nil {
			s.Arguments = e.Call.Arguments
		}
		if s.Arguments == nil {
			s.Arguments = json.RawMessage("null")
		}
		if s.Touched == nil {
			s.Touched = []string{}
		}
		if n := used[e.Ask]; o.State.StepIndex > n {
			s.StepIndex, used[e.Ask] = &n, o.State.StepIndex
		}
		if n := ep.Envelope.Limits.Turns; n > 0 {
			left := max(n-e.Turn, 0)
			s.TurnsLeft = &left
		}
		if err := s.note(e.Result.Facts); err != nil {
			return nil, fmt.Errorf("call %d: %w", i, err)
		}
		if s.Before == nil && i > 0 {
			s.Before = steps[i-1].After
		}
		key := s.Tool + " " + string(s.Arguments)
		if last, again := said[key]; again {
			s.Repeats = &last
			s.Unchanged = steps[last].After != nil && s.Before != nil && *steps[last].After == *s.Before
		}
		said[key] = i // the last time it was said is compared with the next
		changed := len(s.Touched) > 0
		if s.Before != nil && s.After != nil {
			changed = *s.Before != *s.After
		}
		file := s.file()
		s.Productive = changed || s.Kind == kindRead && s.Success && !read[file] || s.ran() && wrote
		switch {
		case s.Kind == kindRead && s.Success:
			read[file] = true
		case s.Kind == kindWrite && s.Success:
			wrote = true
		case s.ran():
			wrote = false
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// note takes over what the world noted about the call.
func (s *step) note(raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	f, err := world.ParseFacts(raw)
	if err != nil {
		return err
	}
	s.Before, s.After, s.Changed = &f.Before, &f.After, f.Changed
	if s.Changed == nil {
		s.Changed = map[string]world.Change{}
	}
	if f.Read != "" {
		s.Read = &f.Read
	}
	return nil
}

// file is the file that a call reads, as the world says or else as the call does.
func (s *step) file() string {
	if s.Read != nil {
		return *s.Read
	}
	return string(s.Arguments)
}

// ran reports whether something was run, whatever came of it.
func (s *step) ran() bool {
	if s.Kind != kindRun || s.Error == nil {
		return s.Kind == kindRun
	}
	switch *s.Error {
	case world.CodeCommandRejected, world.CodePermissionDenied, world.CodePathEscape, world.CodeToolError, world.CodeEpisodeDone:
		return false
	}
	return true
}

// A trajectoryEvent is a step as the published system writes it.
type trajectoryEvent struct {
	StepIndex int             `json:"step_index"`
	Timestamp *string         `json:"timestamp"` // calls have none of their own
	Action    string          `json:"action_type"`
	Arguments json.RawMessage `json:"action_arguments"`
	Summary   string          `json:"observation_summary"`
	Stdout    string          `json:"stdout"`
	Stderr    string          `json:"stderr"`
	ExitCode  *int            `json:"exit_code"`
	Touched   []string        `json:"files_touched"`
	Digest    *string         `json:"workspace_digest"`
	Success   bool            `json:"success"`
}

// trajectory lists the calls that cost a step.
func trajectory(steps []step) []byte {
	var events []trajectoryEvent
	for _, s := range steps {
		if s.StepIndex == nil {
			continue
		}
		events = append(events, trajectoryEvent{
			StepIndex: *s.StepIndex, Action: s.Tool, Arguments: s.Arguments, Summary: s.outcome.Message,
			Stdout: s.outcome.Stdout, Stderr: s.outcome.Stderr, ExitCode: s.ExitCode, Touched: s.Touched,
			Digest: s.After, Success: s.Success,
		})
	}
	return jsonLines(events)
}
