package files

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"

	"benchwright/sim"
	world "benchwright/sim/files"
)

// config is what hidden/evaluator_config.json may say. Fields that are not known are passed over:
// those of others say things of their own.
type config struct {
	Kind     string `json:"kind"`
	Output   string `json:"output_path"`
	Expected string `json:"expected"`

	Weights  map[string]float64 `json:"weights"`
	Required []string           `json:"required_tests"`
	Cap      float64            `json:"score_cap"`

	Exponent   int `json:"compression_exponent"`
	ExponentD5 int `json:"d5_exponent"`

	Artifact *struct {
		Path       string `json:"path"`
		Expected   string `json:"expected"`
		Capability string `json:"capability"`
	} `json:"artifact"`

	Cases string `json:"cases"`

	Program    string   `json:"program"`
	Arguments  []string `json:"arguments"`
	PolicyPath string   `json:"policy_path"`
	RowKeys    []string `json:"row_keys"`

	Module       string `json:"module"`
	Function     string `json:"function"`
	ContractPath string `json:"contract_path"`

	VisibleCase string `json:"visible_case"`
	OtherCase   string `json:"other_case"`
}

const configName = "evaluator_config.json"

// readConfig reads what it can of an instance's configuration: each field by itself, since those of
// others may mean another thing by a name.
func readConfig(in *world.Instance) config {
	var c config
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(in.Hidden[configName]), &fields) != nil {
		return c
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		one := c
		if raw, err := json.Marshal(map[string]json.RawMessage{name: fields[name]}); err == nil && json.Unmarshal(raw, &one) == nil {
			c = one
		}
	}
	return c
}

// output is where the graded artifact of an instance is.
func (c config) output(in *world.Instance) string {
	for _, p := range []string{c.Output, in.Manifest.Metadata.Layout.OutputPath, in.Manifest.Metadata.Layout.TargetPath} {
		if p != "" {
			return p
		}
	}
	for _, key := range []string{"output_path", "required_output_path", "target_path"} {
		if p, ok := in.Manifest.Metadata.Task[key].(string); ok && p != "" {
			return p
		}
	}
	return ""
}

// expected reads a hidden file of JSON.
func expected(in *world.Instance, name string) (any, error) {
	if name == "" {
		name = "expected_output.json"
	}
	text, ok := in.Hidden[name]
	if !ok {
		return nil, fmt.Errorf("hidden/%s: %w", clip(name), fs.ErrNotExist)
	}
	v, err := sim.ParseJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("hidden/%s: %w", clip(name), err)
	}
	return v, nil
}

// hiddenCases reads the hidden cases into a list of them, strictly: what a case means must not be
// guessed.
func hiddenCases(in *world.Instance, name string, into any) error {
	if name == "" {
		name = "cases.json"
	}
	text, ok := in.Hidden[name]
	if !ok {
		return fmt.Errorf("hidden/%s: %w", clip(name), fs.ErrNotExist)
	}
	if _, err := sim.ParseJSON([]byte(text)); err != nil {
		return fmt.Errorf("hidden/%s: %w", clip(name), err)
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("hidden/%s: %w", clip(name), err)
	}
	return nil
}

// inCases says of an error of a sheet that is made of hidden cases where it comes from.
func (c config) inCases(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("hidden/%s: %w", clip(cmp.Or(c.Cases, "cases.json")), err)
}

// exponent is the power that an incomplete score is raised to.
func (c config) exponent(in *world.Instance) int {
	switch {
	case c.Exponent > 0:
		return c.Exponent
	case c.ExponentD5 > 0:
		return c.ExponentD5
	case in.Manifest.Difficulty >= world.MaxDifficulty:
		return 3
	}
	return 1
}

// compress raises an incomplete score, and keeps what it was.
func (c config) compress(in *world.Instance, r *Result) {
	power := c.exponent(in)
	if power == 1 || r.Score >= 1 {
		return
	}
	r.Diagnostics["d5_raw_partial_score"], r.Diagnostics["d5_exponent"] = round(r.Score), power
	r.Score = math.Pow(r.Score, float64(power))
}

// limit holds the score down to the cap where a required test failed.
func (c config) limit(r *Result, tests map[string]bool) error {
	for _, test := range c.Required {
		passed, there := tests[test]
		if !there {
			return fmt.Errorf("hidden/%s: there is no test %q to require", configName, clip(test))
		}
		if passed {
			continue
		}
		if c.Cap > 0 && r.Score > c.Cap {
			r.Diagnostics["uncapped_score"] = round(r.Score)
			r.Score = c.Cap
		}
		r.fail(failed(test))
	}
	return nil
}

// failed is the label of a capability, or of a test, that does not hold.
func failed(name string) string {
	switch name {
	case "entrypoint", "visible_runs": // the tests of the command that the workspace documents
		return "public_entrypoint_failed"
	}
	return name + "_failed"
}

var errNoOutput = errors.New("neither the hidden configuration nor the layout says where the artifact is")

func clip(s string) string {
	const most = 80
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
