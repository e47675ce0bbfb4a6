package tasks

import (
	"context"
	"io/fs"

	"benchwright/grader"
	"benchwright/sim"
)

// A Kit is all that a world brings to benchmarks: how worlds are made, the words that tasks
// about them are written in, the rules that grade them, the protocol that models speak, and
// what the proofs need. Package steps/<world> exports one.
type Kit struct {
	Kind       sim.Kind
	Vocabulary Vocabulary
	Rules      map[string]func() grader.Rule
	Dialect    Dialect // nil means PlainDialect

	// Sources is what the sealed proof needs to know of a task: which values are hidden, and
	// the calls that try to reach them.
	Sources func(t Task) (Sources, error)
	// Mutants adds spoiled versions of the reference's outcome to the generic ones. Optional.
	Mutants func(t Task, ev Aftermath) []Mutant
	// Solve recomputes graded values from visible data alone, sharing no code with what made
	// them; the grounded proof accepts the values it returns. Optional.
	Solve func(t Task) ([]string, error)
	// Score replaces the share of held checks. Optional.
	Score func(v grader.Verdict) float64
	// Open reads task packs in a published format; false means that the folder is none. Optional.
	Open func(pack fs.FS) ([]Task, bool, error)
	// Doubts lists what a task says in vain, where the published format takes it: nothing fails by
	// it, and whoever wrote it meant something else. Optional.
	Doubts func(t Task) []string
	// Track returns the task as an agent of a track meets it, where the published system has
	// several; "guided" is the first of them and what tasks are compiled for. Optional.
	Track func(t Task, track string) (Task, error)
	// Attach loads a backend of the user's from a folder or URL, under a name that tasks may use
	// from then on, and returns the digest of all that it serves. It is called before any world
	// is made. Optional.
	Attach func(ctx context.Context, name, place string) (digest string, err error)
	// Isolate readies what runs commands in this world, agents' and graders', as BENCH_SANDBOX and
	// BENCH_PYTHON spell it ("" is the default of either), and says what that has become. A run calls
	// it before it makes a world. An error that is errors.ErrUnsupported says that commands cannot be
	// run on this machine: tasks that need none are still good. Optional.
	Isolate func(ctx context.Context, sandbox, python string) (Isolation, error)
	// Views derives the published record files of the world's system from a bundle, by path
	// below the bundle's views folder. Optional.
	Views func(ctx context.Context, bundle fs.FS, all []Task) (map[string][]byte, error)
	// Compiled derives the published task files from the compiled tasks, by view name
	// ("candidate", "cases"). Optional.
	Compiled map[string]func(all []Task) ([]byte, error)
}

// Isolation is what the commands of a world run in and by. Runs that differ in it are not quite
// the same measurement.
type Isolation struct {
	Level  string // "userns+landlock7+seccomp+watchdog", or "none"
	Python string // the interpreter: name, version and digest; "" where there is none
}

// Sources is what is hidden from a task's agent, and how one might reach for it.
type Sources struct {
	Hidden []string   // tokens that no tool result may hold
	Calls  []sim.Call // calls that go for them, and every legitimate way to read
	Digest string     // of the fixtures behind the task, for the run's identity
}

// An Aftermath is what an episode left behind, as JSON that can be spoiled on purpose.
type Aftermath = grader.Aftermath

// A Mutant is a spoiled aftermath.
type Mutant = grader.Mutant

// A Suite is what one benchmark run is made of.
type Suite struct {
	Name     string // of the whole, for reports; "" takes the module's folder name
	Dir      string // where the files below lie, as their readers see them; it goes before their names
	Features fs.FS  // *.feature at any depth; may be nil
	Tasks    fs.FS  // *.json at any depth, each a Task or a list of them; may be nil
	Packs    fs.FS  // folders, each a task pack in the published format of one of the kits; may be nil
	Kits     []Kit

	Generators []Generator // suites that programs make; may be nil
}

// Kit returns the kit of a world, or nil.
func (s Suite) Kit(world string) *Kit {
	for i := range s.Kits {
		if s.Kits[i].Kind.Name == world {
			return &s.Kits[i]
		}
	}
	return nil
}

// Worlds returns the names of all worlds, in the order of the kits.
func (s Suite) Worlds() []string {
	var names []string
	for _, k := range s.Kits {
		names = append(names, k.Kind.Name)
	}
	return names
}

// Speaks returns the dialect that models of this world speak.
func (k *Kit) Speaks() Dialect {
	if k.Dialect == nil {
		return PlainDialect{}
	}
	return k.Dialect
}
