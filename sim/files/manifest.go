package files

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf16"

	"benchwright/sim"
)

// A Manifest says what an instance is. It is for graders and records: nothing in it but the
// instruction and the limits is for an agent.
type Manifest struct {
	EnvID            string          `json:"env_id"`
	Family           string          `json:"family"`
	Difficulty       int             `json:"difficulty"`
	Seed             int64           `json:"seed"`
	Instruction      string          `json:"instruction"`
	WorkspaceRoot    string          `json:"workspace_root"` // visible
	VisibleFiles     []string        `json:"visible_files"`
	HiddenFiles      []string        `json:"hidden_files"`
	HiddenRoot       string          `json:"hidden_root"` // hidden
	Tools            ToolPermissions `json:"tool_permissions"`
	MaxSteps         int             `json:"max_steps"`
	TimeLimitSeconds int             `json:"time_limit_seconds"`
	Metadata         Metadata        `json:"metadata"`
	Evaluator        string          `json:"evaluator_entrypoint"` // module:Class style: a key of the graders' registry
	Reference        Reference       `json:"reference_solution"`
}

// Metadata describes how an instance came to be, for reports and slices. Extra holds what
// manifests of others say besides.
type Metadata struct {
	Scenario   string            `json:"scenario_id"`
	Task       map[string]any    `json:"task_descriptor,omitempty"` // what task.json says
	Complexity ComplexityProfile `json:"complexity_profile"`        // declared
	Structure  map[string]any    `json:"scenario_profile,omitempty"`
	Selection  Selection         `json:"scenario_selection"`
	BugLabels  []string          `json:"bug_labels,omitempty"`
	Layout     Layout            `json:"visible_artifact_layout"`
	Realized   Realization       `json:"difficulty_realization,omitempty"` // measured

	Split           string `json:"split,omitempty"`
	SplitFamily     string `json:"split_family,omitempty"`
	SplitScenario   string `json:"split_scenario,omitempty"`
	SplitDifficulty int    `json:"split_difficulty,omitempty"`
	SplitSeed       *int64 `json:"split_seed,omitempty"`
	TaskID          string `json:"task_id,omitempty"`
}

// Selection says how the scenario was chosen: explicit, or seed_modulo.
type Selection struct {
	Requested *string `json:"requested_scenario_id"`
	Mode      string  `json:"selection_mode"`
}

// Layout says where in the visible tree the work happens.
type Layout struct {
	WorkspaceRoot string   `json:"workspace_root"`
	OutputPath    string   `json:"output_path,omitempty"`    // an artifact that has to be made
	TargetPath    string   `json:"target_path,omitempty"`    // a file that has to be changed
	DocumentRoots []string `json:"document_roots,omitempty"` // folders of evidence
}

// A Realization holds measured facts: level, guidance, hint_count, candidate_file_count,
// file_count, and those of the family.
type Realization map[string]any

// Reference is the stored solution: the full text of every file that it writes.
type Reference struct {
	Files     Tree     `json:"files"`
	Scenario  string   `json:"scenario_id,omitempty"`
	BugLabels []string `json:"bug_labels,omitempty"`
}

// ID returns the id of what the spec compiles to: family, difficulty, seed and a fingerprint of
// them with scenario and parameters. A spec without a scenario has another id than one that
// names the scenario it would be given.
func (s Spec) ID() string {
	var scenario any
	if s.Scenario != "" {
		scenario = s.Scenario
	}
	raw := sim.MustCanonical(map[string]any{
		"family": s.Family, "difficulty": s.Difficulty, "seed": s.Seed, "scenario_id": scenario,
		"task_params": orEmpty(s.TaskParams), "generation_params": orEmpty(s.GenerationParams),
	})
	v, err := sim.ParseJSON(raw)
	if err != nil {
		panic("files: id of a spec: " + err.Error()) // canonical JSON parses
	}
	var b strings.Builder
	spacedJSON(&b, v)
	sum := sha1.Sum([]byte(b.String()))
	return fmt.Sprintf("%s-d%d-s%d-%s", s.Family, s.Difficulty, s.Seed, hex.EncodeToString(sum[:])[:8])
}

// spacedJSON writes JSON as the published system hashes it: sorted keys, a space after commas
// and colons, nothing but ASCII.
func spacedJSON(b *strings.Builder, v any) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteString(", ")
			}
			asciiString(b, k)
			b.WriteString(": ")
			spacedJSON(b, v[k])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			spacedJSON(b, e)
		}
		b.WriteByte(']')
	case string:
		asciiString(b, v)
	case json.Number:
		b.WriteString(v.String())
	case bool:
		fmt.Fprint(b, v)
	default:
		b.WriteString("null")
	}
}

func asciiString(b *strings.Builder, s string) {
	for _, r := range string(sim.MustCanonical(s)) {
		switch {
		case r < 0x7f:
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
}
