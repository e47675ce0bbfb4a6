package files

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"benchwright/cmd"
	"benchwright/sim"
	"benchwright/sim/files"
)

// The files of a dataset.
const (
	metadataFile = "metadata.json"
	manifestFile = "manifest.jsonl"
	environments = "environments"
)

// What a dataset says of how it is to be used.
const (
	toolSchema  = "swg-prime-tools-v1"
	interaction = "multi_turn_tool_use"
	reward      = "hidden_evaluator"
)

// A dataset is a folder of instances that other harnesses read, being made.
type dataset struct {
	dir      string
	metadata datasetMetadata
	rows     bytes.Buffer
}

type datasetMetadata struct {
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	CreatedAt    *string  `json:"created_at"`
	Count        int      `json:"environment_count"`
	Families     []string `json:"families"`
	Difficulties []int    `json:"difficulties"`
	Seeds        []int64  `json:"seeds"`
	ToolSchema   string   `json:"tool_schema_version"`
	Interaction  string   `json:"interaction_type"`
	Reward       string   `json:"reward_type"`
	Source       string   `json:"source"`
	Notes        string   `json:"notes"`
	Errors       []string `json:"errors"`
}

// A datasetRow says what one instance is and where.
type datasetRow struct {
	TaskID       string         `json:"task_id"`
	EnvID        string         `json:"env_id"`
	Family       string         `json:"family"`
	Scenario     string         `json:"scenario"`
	Difficulty   int            `json:"difficulty"`
	Seed         int64          `json:"seed"`
	Instruction  string         `json:"instruction"`
	Environment  string         `json:"environment_path"`
	Manifest     string         `json:"manifest_path"`
	Visible      string         `json:"visible_path"`
	Hidden       string         `json:"hidden_path"`
	Evaluator    string         `json:"evaluator_entrypoint"`
	VisibleFiles []string       `json:"visible_files"`
	HiddenFiles  []string       `json:"hidden_files"`
	Tools        []string       `json:"tool_permissions"`
	ToolSchema   string         `json:"tool_schema_version"`
	Reward       string         `json:"reward_type"`
	Interaction  string         `json:"interaction_type"`
	MaxSteps     int            `json:"max_steps"`
	Tags         []string       `json:"tags"`
	Metadata     files.Metadata `json:"metadata"`
}

// newDataset begins one. A folder that holds one is refused.
func newDataset(dir, name, createdAt string) (*dataset, error) {
	for _, file := range []string{metadataFile, manifestFile, environments} {
		if _, err := os.Lstat(filepath.Join(dir, file)); err == nil {
			return nil, cmd.Usage(fmt.Errorf("--output-dir %s: there is a %s already, and datasets are not overwritten: choose another folder or remove it", clean(dir), file))
		}
	}
	d := &dataset{dir: dir, metadata: datasetMetadata{
		Name: cmp.Or(name, filepath.Base(dir)), Version: "v1", Families: []string{}, Difficulties: []int{}, Seeds: []int64{},
		ToolSchema: toolSchema, Interaction: interaction, Reward: reward, Source: "benchwright", Errors: []string{},
		Notes: "hidden/ is for graders: an agent may see visible/ and the instruction, and nothing else of an environment",
	}}
	if createdAt != "" {
		d.metadata.CreatedAt = &createdAt
	}
	return d, nil
}

func (d *dataset) fail(text string) { d.metadata.Errors = append(d.metadata.Errors, text) }

func (d *dataset) add(in *files.Instance, spec files.Spec) {
	m := &in.Manifest
	at := path.Join(environments, m.EnvID)
	task := m.Metadata.TaskID
	if task == "" {
		task = fmt.Sprintf("swg.%s.%s.d%d.s%d", m.Family, cmp.Or(spec.Scenario, "default"), m.Difficulty, m.Seed)
	}
	row := datasetRow{
		TaskID: task, EnvID: m.EnvID, Family: m.Family, Scenario: m.Metadata.Scenario, Difficulty: m.Difficulty, Seed: m.Seed,
		Instruction: m.Instruction, Environment: at, Manifest: path.Join(at, "manifest.json"),
		Visible: path.Join(at, m.WorkspaceRoot), Hidden: path.Join(at, m.HiddenRoot), Evaluator: m.Evaluator,
		VisibleFiles: m.VisibleFiles, HiddenFiles: m.HiddenFiles, Tools: m.Tools.Names(),
		ToolSchema: toolSchema, Reward: reward, Interaction: interaction, MaxSteps: m.MaxSteps,
		Tags: []string{"synthetic-workspace-gym", m.Family, "tool-use", "hidden-verifier"}, Metadata: m.Metadata,
	}
	d.rows.Write(sim.MustCanonical(row))
	d.rows.WriteByte('\n')
	d.metadata.Count++
	d.metadata.Families = with(d.metadata.Families, m.Family)
	d.metadata.Difficulties = with(d.metadata.Difficulties, m.Difficulty)
	d.metadata.Seeds = with(d.metadata.Seeds, m.Seed)
}

// with adds an element to a sorted list that it may be in already.
func with[T cmp.Ordered](list []T, v T) []T {
	i, found := slices.BinarySearch(list, v)
	if found {
		return list
	}
	return slices.Insert(list, i, v)
}

// close writes what says what there is: last, so that a folder with it is complete.
func (d *dataset) close() error {
	return files.Tree{manifestFile: d.rows.String(), metadataFile: files.JSON(d.metadata)}.Write(d.dir)
}
