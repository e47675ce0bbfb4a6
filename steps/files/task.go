package files

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/tasks"
)

// A job is a workspace on its way to being a task.
type job struct {
	in    *world.Instance
	setup world.Setup // without limits
	rule  grader.Rule
	runs  bool // grading it runs its code
}

// fromSpec is the job of a workspace of the library.
func (s *Workshop) fromSpec(spec world.Spec) (job, error) {
	in, err := s.library.Compile(spec)
	if err != nil {
		return job{}, err
	}
	return s.job(in, world.Setup{Spec: &spec}, s.grader.Rule(spec)), nil
}

// fromFolder is the job of a workspace that was read from a folder.
func (s *Workshop) fromFolder(in *world.Instance) job {
	return s.job(in, world.Setup{Bundle: world.BundleOf(in)}, s.grader.RuleOf(in))
}

func (s *Workshop) job(in *world.Instance, setup world.Setup, rule grader.Rule) job {
	runs := s.grader.Runs(in)
	setup.Commands = runs
	return job{in, setup, rule, runs}
}

// Limits of an episode in this world.
type limits struct {
	turns, calls, seconds int
}

// published are the limits of a task that names none.
var published = limits{Turns, ToolCalls, Seconds}

// complete fills a task with all that follows from its job: what is asked, unless that was said,
// the setup, the limits, the check and the reference.
func (j job) complete(t *tasks.Task, l limits) error {
	m := &j.in.Manifest
	if len(t.Asks) == 0 {
		t.Asks = []tasks.Ask{{Text: instruction(j.setup, m)}}
	}
	t.Asks = slices.Clone(t.Asks)
	t.Asks[0].Context = publicContext(j.in, l)
	if t.System == "" {
		t.System = Rules
	}
	if t.Limits.Turns == 0 {
		t.Limits.Turns = l.turns
	}
	if t.Limits.Wall == 0 {
		t.Limits.Wall = tasks.Duration(time.Duration(l.seconds) * time.Second)
	}
	t.Protocol = tasks.Protocol{Lenient: true, ShowLimits: true}
	setup := j.setup
	if l.calls != m.MaxSteps {
		setup.MaxSteps = l.calls
	}
	if l.seconds != m.TimeLimitSeconds {
		setup.TimeLimitSeconds = l.seconds
	}
	t.Setup = setup.JSON()
	if len(t.Tools) == 0 {
		return errors.New("the scenario does not say what the agent may use: Given every tool, or Given only the tools …")
	}
	if len(t.Rubric.Reference) == 0 {
		reference, err := j.reference(min(t.Limits.Turns, l.calls), t.Tools)
		if err != nil {
			return err
		}
		t.Rubric.Reference = reference
	}
	for _, l := range j.labels() {
		key, _, _ := strings.Cut(l, ":")
		if _, ok := t.Label(key); !ok {
			t.Labels = append(t.Labels, l)
		}
	}
	return nil
}

// instruction is what a workspace asks, or where it does so, if that may not be said.
func instruction(s world.Setup, m *world.Manifest) string {
	if s.Spec != nil && !s.Spec.Observability.ShowInstruction {
		return "Do what README.md in the workspace asks."
	}
	return m.Instruction
}

// facts is what a task tells of its workspace beside the ask.
type facts struct {
	Artifact   string   `json:"required_final_artifact,omitempty"`
	Entrypoint string   `json:"public_check,omitempty"`
	Top        []string `json:"top_level_files"`
	Calls      int      `json:"max_tool_calls"`
	Seconds    int      `json:"time_limit_seconds"`
}

func publicContext(in *world.Instance, l limits) []byte {
	work := world.BundleOf(in).Work
	f := facts{Artifact: work.Required, Entrypoint: work.Entrypoint, Calls: l.calls, Seconds: l.seconds}
	top := map[string]bool{}
	for p := range in.Visible {
		first, _, deeper := strings.Cut(p, "/")
		if deeper {
			first += "/"
		}
		top[first] = true
	}
	f.Top = slices.Sorted(maps.Keys(top))
	return canonical(f)
}

// labels slice reports: what the workspace was made from, and its structure.
func (j job) labels() []string {
	m := &j.in.Manifest
	out := []string{"scenario:" + labelValue(m.Metadata.Scenario), fmt.Sprintf("difficulty:%d", m.Difficulty)}
	if m.Metadata.Split != "" {
		out = append(out, "split:"+labelValue(m.Metadata.Split))
	}
	if mode, _ := m.Metadata.Realized["composition_mode"].(string); mode != "" {
		out = append(out, "composition_mode:"+labelValue(mode))
	}
	if profile, _ := m.Metadata.Realized["oracle_profile"].(string); profile != "" {
		out = append(out, "profile:"+labelValue(profile))
	}
	for _, tag := range slices.Sorted(maps.Keys(m.Metadata.Structure)) {
		switch v := m.Metadata.Structure[tag].(type) {
		case string, int, int64, float64, bool:
			out = append(out, labelValue(tag)+":"+labelValue(fmt.Sprint(v)))
		}
	}
	if j.runs {
		out = append(out, "code")
	}
	return slices.DeleteFunc(out, func(l string) bool { return strings.HasSuffix(l, ":") })
}

// labelValue makes a word of somebody else's fit for a label.
func labelValue(s string) string {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune("&|!,()/:", r) {
			return '_'
		}
		return r
	}, s)
	return s[:min(len(s), 80)]
}

// name makes a part of an id.
func name(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
	for strings.Contains(s, "__") {
		s = strings.ReplaceAll(s, "__", "_")
	}
	return cmp.Or(strings.TrimLeft(s[:min(len(s), 80)], "."), "unnamed")
}
