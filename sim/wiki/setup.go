package wiki

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
)

// The names of stages.
const (
	Protocol       = "protocol"        // read only
	EvidenceSample = "evidence_sample" // selected pages, structure locked
	Formal         = "formal"          // the whole task
	Preparation    = "setup"           // before the first stage; no stage of a Setup
)

// A Setup is what a world is built from.
type Setup struct {
	Case   string  `json:"case"`
	Stages []Stage `json:"stages"` // by ask
	Faults Faults  `json:"faults,omitzero"`
}

// A Stage is what one ask is about. Protocol has nothing but its name and a budget.
type Stage struct {
	Name string `json:"name"`
	// Selected are the pages that may be written. Nil means those of [fixture.Selected] in
	// EvidenceSample, and every page in Formal.
	Selected []string `json:"selected,omitempty"`
	// Locked says that the structure of pages stays as it is. EvidenceSample has it set.
	Locked bool   `json:"locked,omitempty"`
	Budget Budget `json:"budget,omitzero"`
}

// A Budget is what get_status says of a stage's budgets; 0 is not said. The world counts tool calls
// and refuses those beyond. What a model spends it cannot know: of that it says the limit.
type Budget struct {
	ToolCalls  int `json:"tool_calls,omitempty"`
	ModelCalls int `json:"model_calls,omitempty"`
	Tokens     int `json:"tokens,omitempty"`
	Seconds    int `json:"seconds,omitempty"`
}

// Faults are failures of our own that a setup plants, to show that they are told from an agent's.
type Faults struct {
	// HideRoots is the published fault: nothing names the roots, and a folder that is not there
	// looks empty.
	HideRoots bool `json:"hide_roots,omitempty"`
	// MountMissing is a root that is not there.
	MountMissing string `json:"mount_missing,omitempty"`
	// ToolRuntimeError is the number of the call, from 1, during which the world breaks.
	ToolRuntimeError int `json:"tool_runtime_error,omitempty"`
}

// JSON returns the setup as tasks hold it.
func (s Setup) JSON() json.RawMessage { return sim.MustCanonical(s) }

// ParseSetup reads a setup. A key that it does not know, or twice, is an error, and so are stages
// that make no sense. Whether case and pages exist, Resolve finds out.
func ParseSetup(raw json.RawMessage) (Setup, error) {
	if _, err := sim.ParseJSON(raw); err != nil {
		return Setup{}, errorf("setup: %w", err)
	}
	var s Setup
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return Setup{}, errorf("setup: %w", err)
	}
	if err := s.check(); err != nil {
		return Setup{}, errorf("setup: %w", err)
	}
	return s, nil
}

func (s Setup) check() error {
	if s.Case == "" {
		return fmt.Errorf("case: want the id of a case")
	}
	if len(s.Stages) == 0 {
		return fmt.Errorf("stages: want one or more")
	}
	seen := map[string]bool{}
	for i, st := range s.Stages {
		if err := st.check(); err != nil {
			return fmt.Errorf("stage %d: %w", i+1, err)
		}
		if seen[st.Name] {
			return fmt.Errorf("stage %d: %q comes twice", i+1, st.Name)
		}
		seen[st.Name] = true
	}
	if m := s.Faults.MountMissing; m != "" && !slices.Contains(Roots(), m) {
		return fmt.Errorf("faults: mount_missing %q: want one of %s", m, strings.Join(Roots(), ", "))
	}
	if n := s.Faults.ToolRuntimeError; n < 0 {
		return fmt.Errorf("faults: tool_runtime_error %d: want the number of a call, from 1", n)
	}
	return nil
}

func (st Stage) check() error {
	switch st.Name {
	case Protocol:
		if st.Selected != nil || st.Locked {
			return fmt.Errorf("%q writes nothing, so it selects and locks nothing", st.Name)
		}
	case EvidenceSample:
		if !st.Locked {
			return fmt.Errorf("%q has the structure locked: want \"locked\": true", st.Name)
		}
	case Formal:
	default:
		return fmt.Errorf("name %q: want one of %s, %s, %s", st.Name, EvidenceSample, Formal, Protocol)
	}
	if st.Selected != nil && len(st.Selected) == 0 {
		return fmt.Errorf("selected: want one page or more; leave it out for those that the rule selects")
	}
	for i, id := range st.Selected {
		if slices.Contains(st.Selected[:i], id) {
			return fmt.Errorf("selected: %q comes twice", id)
		}
	}
	if b := st.Budget; min(b.ToolCalls, b.ModelCalls, b.Tokens, b.Seconds) < 0 {
		return fmt.Errorf("budget: a limit is 1 or more")
	}
	return nil
}

// Resolve returns the setup with the pages of every stage filled in: none where nothing is
// written. A case of another id and a page that it does not plan are errors.
func (s Setup) Resolve(c *fixture.Case) (Setup, error) {
	if s.Case != c.ID {
		return Setup{}, errorf("setup: unknown case %q; there is %s", s.Case, c.ID)
	}
	s.Stages = slices.Clone(s.Stages)
	for i := range s.Stages {
		st := &s.Stages[i]
		switch {
		case st.Name == Protocol:
			continue
		case st.Selected != nil:
			for _, id := range st.Selected {
				if _, planned := c.Skeleton.Page(id); !planned {
					return Setup{}, errorf("setup: stage %d: selected: the case plans no page %q", i+1, id)
				}
			}
		case st.Name == EvidenceSample:
			st.Selected = fixture.Selected(c)
		default:
			for _, p := range c.Skeleton.Pages {
				st.Selected = append(st.Selected, p.ID)
			}
			slices.Sort(st.Selected)
		}
	}
	return s, nil
}

// Writes reports whether pages may be written in the stage.
func (st Stage) Writes() bool { return st.Name == EvidenceSample || st.Name == Formal }
