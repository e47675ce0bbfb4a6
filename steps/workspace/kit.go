package workspace

import (
	"maps"
	"slices"

	"benchwright/fixtures"
	"benchwright/grader"
	rules "benchwright/grader/workspace"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// Kit returns what the workspace world brings, with the backends, baselines and skills of the
// built-in library. A run may attach backends of the user's to it.
func Kit() tasks.Kit {
	g := &growing{}
	k := shelf{g.get}.kit(g.kind())
	k.Attach = g.attach
	return k
}

// KitOf is Kit with a library of somebody's own, such as one with further backends.
func KitOf(l *world.Library) tasks.Kit {
	return shelf{func() (*world.Library, error) { return l, nil }}.kit(l.Kind())
}

func (s shelf) kit(kind sim.Kind) tasks.Kit {
	return tasks.Kit{
		Kind:       kind,
		Vocabulary: s.vocabulary(),
		Rules:      ruleMakers(),
		Dialect:    Dialect{},
		Sources:    s.sources,
		Mutants: func(t tasks.Task, good tasks.Aftermath) []tasks.Mutant {
			return rules.Mutants(t.Rubric.Checks, good)
		},
		Score:  rules.Score,
		Open:   s.open,
		Doubts: s.doubts,
		Track:  WithTrack,
	}
}

// A shelf is what setups can name: a library that is read when it is first needed.
type shelf struct {
	library func() (*world.Library, error)
}

// builtin is the shelf of the data that comes with the module.
var builtin = shelf{world.Builtin}

// check reports what a setup names that there is not.
func (s shelf) check(setup world.Setup) error {
	l, err := s.library()
	if err != nil {
		return err
	}
	return setup.Check(l)
}

// doubts lists what the initial_state of a task says in vain.
func (s shelf) doubts(t tasks.Task) []string {
	l, err := s.library()
	if err != nil {
		return nil // which making a world says
	}
	setup, err := world.ParseSetup(t.Setup)
	if err != nil {
		return nil
	}
	out, _ := setup.Doubts(l)
	for i, d := range out {
		out[i] = "initial_" + d // as the published format calls it
	}
	return out
}

// origins returns the display names of the backends that a setup connects, by the names that the
// setup has for them.
func (s shelf) origins(setup world.Setup) map[string]string {
	l, err := s.library()
	if err != nil {
		return nil // which check says
	}
	out := map[string]string{}
	for _, n := range connected(setup) {
		if b := l.Backend(n); b != nil {
			out[n] = b.Name
		}
	}
	return out
}

// connected returns the names of the backends that a setup connects.
func connected(setup world.Setup) []string {
	out := slices.Clone(setup.Backends)
	for _, f := range setup.Fixtures {
		if !slices.Contains(out, f.Name) {
			out = append(out, f.Name)
		}
	}
	return out
}

// toolNames are the tools of the world, in their canonical order.
var toolNames = world.ToolNames()

// ruleMakers are the rules of the world, with that of the protocol.
func ruleMakers() map[string]func() grader.Rule {
	out := rules.Rules()
	out[(*JudgedRule)(nil).Name()] = func() grader.Rule { return new(JudgedRule) }
	return out
}

// sources says what an agent may not come to see, and how it might try: the texts of skills that
// the task does not declare.
func (s shelf) sources(t tasks.Task) (tasks.Sources, error) {
	l, err := s.library()
	if err != nil {
		return tasks.Sources{}, err
	}
	setup, err := world.ParseSetup(t.Setup)
	if err != nil {
		return tasks.Sources{}, err
	}
	var out tasks.Sources
	call := func(tool string, args map[string]any) {
		out.Calls = append(out.Calls, sim.Call{Name: tool, Arguments: sim.MustCanonical(args)})
	}
	call(world.GetSnapshot, map[string]any{})
	call(world.ListWidgets, map[string]any{})
	call(world.ManageBackends, map[string]any{"operation": "list"})
	call(world.ReadResource, map[string]any{"uri": "openbb://workspace/app-builder/index"})
	for _, slug := range l.Skills() {
		call(world.GetSkillContent, map[string]any{"slug": slug})
		call(world.ReadResource, map[string]any{"uri": "openbb://workspace/skills/" + slug})
		if !slices.Contains(setup.Skills, slug) {
			out.Hidden = append(out.Hidden, l.Skill(slug).Content)
		}
	}
	out.Digest, err = fixtures.Workspace().Digest()
	return out, err
}

// keys returns the keys of a map, sorted.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
