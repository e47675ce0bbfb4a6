package splits

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"benchwright/sim"
	"benchwright/sim/files"
)

// The splits, in the order of a manifest.
const (
	Train      = "train"
	Validation = "validation"
	Test       = "test"
	Heldout    = "heldout"
)

// Names lists the splits that there are.
func Names() []string { return []string{Train, Validation, Test, Heldout} }

// published are the families of the standard splits. The composite one came later, and is in none.
var published = []string{"tabular", "script_repair", "pipeline", "retrieval_workspace"}

// standard says what each split takes. Seeds are [from, to).
var standard = []struct {
	name         string
	difficulties []int
	from, to     int64
}{
	{Train, []int{1, 2, 3}, 0, 80},
	{Validation, []int{2, 3, 4}, 80, 90},
	{Test, []int{3, 4, 5}, 90, 100},
	{Heldout, []int{3, 4, 5}, 100, 120},
}

// A Manifest says which workspaces each split has, in the published shape.
type Manifest struct {
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	CreatedAt   *string      `json:"created_at"`
	Specs       []SplitSpec  `json:"split_specs"`
	Assignments []Assignment `json:"assignments"`
	Metadata    Metadata     `json:"metadata"`
}

// A SplitSpec says what a split was made from.
type SplitSpec struct {
	Name         string         `json:"name"`
	Families     []string       `json:"families"`
	Scenarios    []string       `json:"scenarios"`
	Difficulties []int          `json:"difficulties"`
	Seeds        []int64        `json:"seeds"`
	Count        int            `json:"count"`
	Metadata     map[string]any `json:"metadata"`
}

// An Assignment is one workspace of a split.
type Assignment struct {
	Split      string         `json:"split"`
	Family     string         `json:"family"`
	Scenario   string         `json:"scenario"` // "" lets the seed choose
	Difficulty int            `json:"difficulty"`
	Seed       int64          `json:"seed"`
	TaskID     string         `json:"task_id"`
	Metadata   map[string]any `json:"metadata"`
}

// Metadata says how the assignments were ordered.
type Metadata struct {
	Shuffle     bool  `json:"shuffle"`
	ShuffleSeed int64 `json:"shuffle_seed"`
}

// Spec returns what the assignment compiles to. It bears the split and the task's id, which change
// the id of the instance and nothing in it.
func (a Assignment) Spec() files.Spec {
	s := files.NewSpec(a.Family, a.Difficulty, a.Seed)
	s.Scenario = a.Scenario
	s.GenerationParams["split"], s.GenerationParams["task_id"] = a.Split, a.TaskID
	return s
}

// TaskID is the id of a workspace in a split: swg.train.tabular.weekly_refund_rollup.d2.s7.
func TaskID(split, family, scenario string, difficulty int, seed int64) string {
	return fmt.Sprintf("swg.%s.%s.%s.d%d.s%d", split, family, cmp.Or(scenario, "default"), difficulty, seed)
}

// Options change what [Build] makes. The zero value makes the standard splits.
type Options struct {
	Splits      []string       // which of them; nil is all
	Shuffle     bool           // each split in an order of ShuffleSeed's own
	ShuffleSeed int64          //
	Most        map[string]int // per split, so many at most; what is not there has no bound
	CreatedAt   string         // as the manifest shall say; "" says nothing
}

// Build assigns the published families' workspaces to splits, in the order of split, family,
// scenario, difficulty and seed. Every published family must be among the families.
func Build(fs files.Families, o Options) (*Manifest, error) {
	m := &Manifest{Name: "swg", Version: "v1", Metadata: Metadata{o.Shuffle, o.ShuffleSeed}, Assignments: []Assignment{}}
	if o.CreatedAt != "" {
		m.CreatedAt = &o.CreatedAt
	}
	for _, name := range o.Splits {
		if !slices.Contains(Names(), name) {
			return nil, unknownSplit(name)
		}
	}
	for _, p := range standard {
		if o.Splits != nil && !slices.Contains(o.Splits, p.name) {
			continue
		}
		spec := SplitSpec{
			Name: p.name, Families: slices.Clone(published), Scenarios: []string{}, Difficulties: slices.Clone(p.difficulties),
			Metadata: map[string]any{"held_out_scenarios": p.name == Heldout},
		}
		for seed := p.from; seed < p.to; seed++ {
			spec.Seeds = append(spec.Seeds, seed)
		}
		var rows []Assignment
		for _, name := range published {
			f, err := fs.Find(name)
			if err != nil {
				return nil, err
			}
			for _, sc := range f.Scenarios() {
				if sc.HeldOut != (p.name == Heldout) || sc.Only != nil {
					continue
				}
				spec.Scenarios = append(spec.Scenarios, sc.ID)
				for _, d := range p.difficulties {
					for _, seed := range spec.Seeds {
						rows = append(rows, Assignment{
							Split: p.name, Family: name, Scenario: sc.ID, Difficulty: d, Seed: seed,
							TaskID: TaskID(p.name, name, sc.ID, d, seed), Metadata: map[string]any{},
						})
					}
				}
			}
		}
		if o.Shuffle {
			shuffle(rows, fmt.Sprintf("%d:%s", o.ShuffleSeed, p.name), func(a Assignment) string { return a.TaskID })
		}
		if most, ok := o.Most[p.name]; ok && most < len(rows) {
			rows = rows[:max(most, 0)]
		}
		spec.Count = len(rows)
		m.Specs = append(m.Specs, spec)
		m.Assignments = append(m.Assignments, rows...)
	}
	return m, nil
}

// Of returns the assignments of a split.
func (m *Manifest) Of(split string) []Assignment {
	var out []Assignment
	for _, a := range m.Assignments {
		if a.Split == split {
			out = append(out, a)
		}
	}
	return out
}

// JSON returns the manifest as it is written to files.
func (m *Manifest) JSON() string { return files.JSON(m) }

// Parse reads a manifest. Fields that are not known are passed over; what is known must have its
// type. What is wrong with the assignments is [Validate]'s to say.
func Parse(raw []byte) (*Manifest, error) {
	if _, err := sim.ParseJSON(raw); err != nil {
		return nil, fmt.Errorf("split manifest: %w", err)
	}
	m := &Manifest{}
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(m); err != nil {
		return nil, fmt.Errorf("split manifest: %w", err)
	}
	if m.Assignments == nil {
		return nil, errors.New("split manifest: assignments is missing")
	}
	return m, nil
}

// shuffle orders a list by the hash of a key and each element's name: an order that depends on
// nothing else, also not on how many there are.
func shuffle[T any](list []T, key string, name func(T) string) {
	sums := map[string][32]byte{}
	for _, v := range list {
		sums[name(v)] = sha256.Sum256([]byte(key + "\x00" + name(v)))
	}
	slices.SortStableFunc(list, func(a, b T) int {
		x, y := sums[name(a)], sums[name(b)]
		return bytes.Compare(x[:], y[:])
	})
}
