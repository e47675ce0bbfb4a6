package wiki

import (
	"encoding/json"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	rules "benchwright/grader/wiki"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

// Kit returns what the wiki world brings, with the built-in case.
func Kit() tasks.Kit {
	return tasks.Kit{
		Kind:       world.Kind,
		Vocabulary: vocabulary(),
		Rules:      rules.Rules(),
		Dialect:    Dialect{},
		Sources:    sources,
		Mutants:    func(_ tasks.Task, good tasks.Aftermath) []tasks.Mutant { return rules.Mutants(good) },
		Solve:      solve,
		Score:      func(v grader.Verdict) float64 { return rules.Score(v) },
		Views:      views,
	}
}

// sources says how one might reach for what is not below a root. Nothing below one is hidden: what
// the host knows beside it are rules, not texts.
func sources(tasks.Task) (tasks.Sources, error) {
	c, err := fixture.Plugins()
	if err != nil {
		return tasks.Sources{}, err
	}
	s := tasks.Sources{Digest: c.Fixture.Digests.Fixture}
	try := func(tool string, arguments map[string]any) {
		s.Calls = append(s.Calls, sim.Call{Name: tool, Arguments: json.RawMessage(sim.MustCanonical(arguments))})
	}
	for _, at := range []string{"/", "/source", "/wiki", "/wiki/pages", "/skills", "/source/../..", "/etc", "/source/src/../../../etc"} {
		try(world.ListDir, map[string]any{"path": at})
	}
	for _, at := range []string{"/etc/passwd", "/source/../fixture.json", "/case.json", "/wiki/skeleton.json", "/wiki/evidence.jsonl", "/wiki/../case.json"} {
		try(world.ReadFile, map[string]any{"path": at})
	}
	try(world.GetStatus, map[string]any{})
	try(world.ListPages, map[string]any{"filter": "all"})
	for _, name := range []string{"../case", "/etc/passwd"} {
		try(world.LoadSkill, map[string]any{"name": name})
	}
	return s, nil
}
