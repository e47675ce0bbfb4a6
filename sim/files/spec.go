package files

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim"
)

// Difficulties that there are.
const (
	MinDifficulty = 1
	MaxDifficulty = 5
)

// A Spec says which workspace is wanted. The zero value is not usable: start with [NewSpec] or
// [ParseSpec], which fill the defaults in.
type Spec struct {
	Family     string // required
	Difficulty int    // 1 to 5
	Seed       int64  // drives every random choice
	Scenario   string // "" lets the seed choose

	MaxSteps         int // calls an agent may make; 12
	TimeLimitSeconds int // wall clock of an episode; 60
	Tools            ToolPermissions
	Observability    Observability

	TaskParams       map[string]any // these and the next are the family's: see [Taker]
	EvaluatorParams  map[string]any
	GenerationParams map[string]any // also split, task_id and composition_mode

	// Complexity, where it is given, takes the place of the family's own profile and drives
	// generation: see [Shaper], [Request.Distractors] and [Request.Transformations].
	Complexity *ComplexityProfile
}

// ToolPermissions says which tools there are and how long one command may take.
type ToolPermissions struct {
	ReadFile      bool `json:"read_file"`
	WriteFile     bool `json:"write_file"`
	AppendFile    bool `json:"append_file"`
	ListDirectory bool `json:"list_directory"`
	RunShell      bool `json:"run_shell"`
	RunPython     bool `json:"run_python"`
	Submit        bool `json:"submit"`

	ShellTimeoutSeconds  int `json:"shell_timeout_seconds"`
	PythonTimeoutSeconds int `json:"python_timeout_seconds"`
}

// AllTools permits everything, with ten seconds a command.
var AllTools = ToolPermissions{true, true, true, true, true, true, true, 10, 10}

// Names lists the enabled tools in the order of the protocol.
func (p ToolPermissions) Names() []string {
	var names []string
	for _, t := range []struct {
		on   bool
		name string
	}{
		{p.ReadFile, "read_file"}, {p.WriteFile, "write_file"}, {p.AppendFile, "append_file"},
		{p.ListDirectory, "list_directory"}, {p.RunShell, "run_shell"}, {p.RunPython, "run_python"},
		{p.Submit, "submit"},
	} {
		if t.on {
			names = append(names, t.name)
		}
	}
	return names
}

// Observability says what an episode shows its agent.
type Observability struct {
	ShowInstruction        bool `json:"show_instruction"`
	IncludeWorkspaceDigest bool `json:"include_workspace_digest"`
	RedactHiddenPaths      bool `json:"redact_hidden_paths"`
}

// NewSpec returns a spec with the default limits, every tool and everything observable.
func NewSpec(family string, difficulty int, seed int64) Spec {
	return Spec{
		Family: family, Difficulty: difficulty, Seed: seed,
		MaxSteps: 12, TimeLimitSeconds: 60,
		Tools: AllTools, Observability: Observability{true, true, true},
		TaskParams: map[string]any{}, EvaluatorParams: map[string]any{}, GenerationParams: map[string]any{},
	}
}

// wireSpec is a Spec as it is written. The difficulty may be a word.
type wireSpec struct {
	Family           string             `json:"env_family"`
	Difficulty       any                `json:"difficulty"`
	Seed             int64              `json:"seed"`
	Scenario         *string            `json:"scenario_id"`
	MaxSteps         int                `json:"max_steps"`
	TimeLimitSeconds int                `json:"time_limit_seconds"`
	Tools            ToolPermissions    `json:"tool_permissions"`
	Observability    Observability      `json:"observability"`
	TaskParams       map[string]any     `json:"task_params"`
	EvaluatorParams  map[string]any     `json:"evaluator_params"`
	GenerationParams map[string]any     `json:"generation_params"`
	Complexity       *ComplexityProfile `json:"complexity_profile"`
}

// MarshalJSON writes the spec with the published names.
func (s Spec) MarshalJSON() ([]byte, error) {
	w := wireSpec{
		s.Family, s.Difficulty, s.Seed, nil, s.MaxSteps, s.TimeLimitSeconds, s.Tools, s.Observability,
		orEmpty(s.TaskParams), orEmpty(s.EvaluatorParams), orEmpty(s.GenerationParams), s.Complexity,
	}
	if s.Scenario != "" {
		w.Scenario = &s.Scenario
	}
	return json.Marshal(w)
}

// ParseSpec reads a spec. What is left out has its default; an unknown field is an error, as are
// a missing family, difficulty or seed.
func ParseSpec(raw []byte) (Spec, error) {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return Spec{}, fmt.Errorf("spec: %w", err)
	}
	object, ok := v.(map[string]any)
	if !ok {
		return Spec{}, errors.New("spec: want a JSON object")
	}
	for _, key := range []string{"env_family", "difficulty", "seed"} {
		if _, ok := object[key]; !ok {
			return Spec{}, fmt.Errorf("spec: %s is missing", key)
		}
	}
	s := NewSpec("", 0, 0)
	w := wireSpec{MaxSteps: s.MaxSteps, TimeLimitSeconds: s.TimeLimitSeconds, Tools: s.Tools, Observability: s.Observability}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(&w); err != nil {
		return Spec{}, fmt.Errorf("spec: %w", err)
	}
	if s.Difficulty, err = ParseDifficulty(fmt.Sprint(w.Difficulty)); err != nil {
		return Spec{}, fmt.Errorf("spec: %w", err)
	}
	s.Family, s.Seed, s.MaxSteps, s.TimeLimitSeconds = w.Family, w.Seed, w.MaxSteps, w.TimeLimitSeconds
	s.Tools, s.Observability, s.Complexity = w.Tools, w.Observability, w.Complexity
	s.TaskParams, s.EvaluatorParams, s.GenerationParams = orEmpty(w.TaskParams), orEmpty(w.EvaluatorParams), orEmpty(w.GenerationParams)
	if w.Scenario != nil {
		s.Scenario = *w.Scenario
	}
	if err := s.Validate(); err != nil {
		return Spec{}, fmt.Errorf("spec: %w", err)
	}
	return s, nil
}

// ParseDifficulty reads a difficulty: a digit, or easy, medium or hard.
func ParseDifficulty(s string) (int, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "easy":
		return 1, nil
	case "medium":
		return 3, nil
	case "hard":
		return 5, nil
	}
	t := strings.TrimSpace(s)
	if t == "" || len(t) > 9 || strings.Trim(t, "0123456789") != "" {
		return 0, fmt.Errorf("Unsupported difficulty value: %s", clip(s)) //nolint:staticcheck // the published text
	}
	n := 0
	for _, c := range t {
		n = n*10 + int(c-'0')
	}
	if n < MinDifficulty || n > MaxDifficulty {
		return 0, errDifficulty
	}
	return n, nil
}

var errDifficulty = errors.New("difficulty must be between 1 and 5")

// Validate says what is wrong with the numbers of a spec. Whether family and scenario are known
// is Compile's to say.
func (s Spec) Validate() error {
	switch {
	case s.Family == "":
		return errors.New("env_family is missing")
	case s.Difficulty < MinDifficulty || s.Difficulty > MaxDifficulty:
		return errDifficulty
	case s.Seed < 0:
		return errors.New("seed must not be negative")
	}
	if err := bounded(s.MaxSteps, s.TimeLimitSeconds, s.Tools); err != nil {
		return err
	}
	if s.Complexity != nil {
		return s.Complexity.validate()
	}
	return nil
}

// overrides are the fields that may be replaced when a spec is sampled.
var overrides = []string{
	"scenario_id", "split", "task_id", "max_steps", "time_limit_seconds",
	"task_params", "evaluator_params", "generation_params",
}

// With returns the spec with some fields replaced, named as they are published. split and
// task_id go into the generation parameters.
func (s Spec) With(fields map[string]any) (Spec, error) {
	var unknown []string
	for name := range fields {
		if !slices.Contains(overrides, name) {
			unknown = append(unknown, "'"+clip(name)+"'")
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return Spec{}, fmt.Errorf("Unsupported spec overrides: [%s]", strings.Join(unknown, ", ")) //nolint:staticcheck // the published text
	}
	var wanted struct {
		Scenario         *string        `json:"scenario_id"`
		Split            *string        `json:"split"`
		TaskID           *string        `json:"task_id"`
		MaxSteps         *int           `json:"max_steps"`
		TimeLimitSeconds *int           `json:"time_limit_seconds"`
		TaskParams       map[string]any `json:"task_params"`
		EvaluatorParams  map[string]any `json:"evaluator_params"`
		GenerationParams map[string]any `json:"generation_params"`
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		return Spec{}, fmt.Errorf("spec overrides: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&wanted); err != nil {
		return Spec{}, fmt.Errorf("spec overrides: %w", err)
	}
	generation := cloneMap(s.GenerationParams)
	if wanted.GenerationParams != nil {
		generation = wanted.GenerationParams
	}
	if wanted.Split != nil {
		generation["split"] = *wanted.Split
	}
	if wanted.TaskID != nil {
		generation["task_id"] = *wanted.TaskID
	}
	s.GenerationParams = generation
	if wanted.TaskParams != nil {
		s.TaskParams = wanted.TaskParams
	}
	if wanted.EvaluatorParams != nil {
		s.EvaluatorParams = wanted.EvaluatorParams
	}
	if wanted.Scenario != nil {
		s.Scenario = *wanted.Scenario
	}
	if wanted.MaxSteps != nil {
		s.MaxSteps = *wanted.MaxSteps
	}
	if wanted.TimeLimitSeconds != nil {
		s.TimeLimitSeconds = *wanted.TimeLimitSeconds
	}
	return s, s.Validate()
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

func cloneMap(m map[string]any) map[string]any {
	c := make(map[string]any, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// clip bounds a word of somebody else's inside a message.
func clip(s string) string {
	s = fmt.Sprintf("%q", s)
	s = s[1 : len(s)-1]
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
