package files

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/tasks"
)

// notes is what a scenario has said so far.
type notes struct {
	spec     *world.Spec
	job      job
	calls    int  // most tool calls; 0 takes the published number
	seconds  int  // wall
	unguided bool // nothing tells the next step
	done     bool // the work must be
	traps    []string
	trapped  grader.Source
}

func noted(d *tasks.Draft) *notes { return d.World.(*notes) }

// vocabulary returns the sentences that tasks about workspaces are written in.
//
//	Given the workspace "weekly_refund_rollup" of difficulty 3 and seed 204
//	Given a "tabular" workspace of difficulty 5 and seed 204     its seed chooses the scenario
//	And every tool                                               or: only the tools read_file, submit
//	And at most 64 tool calls
//	And nobody tells the next step                               no guidance
//	When the agent is asked to do the work                       in the workspace's own words
//	Then the work is done
//	And each of its traps fails with "output_mismatch"
func (s *Workshop) vocabulary() tasks.Vocabulary {
	return tasks.Vocabulary{
		New:    func() any { return &notes{calls: ToolCalls, seconds: Seconds} },
		Finish: s.finish,
		Steps: []tasks.Step{
			tasks.Given(`the workspace "([^"]*)" of difficulty (\S+) and seed (\d+)`, s.named),
			tasks.Given(`a "([^"]*)" workspace of difficulty (\S+) and seed (\d+)`, s.drawn),
			tasks.Given(`every tool`, func(d *tasks.Draft) error { d.Task.Tools = []string{tasks.AllTools}; return nil }),
			tasks.Given(`only the tools (.+)`, only),
			tasks.Given(`at most (\d+) tool calls`, atMost),
			tasks.Given(`nobody tells the next step`, func(d *tasks.Draft) error { noted(d).unguided = true; return nil }),
			tasks.When(`the agent is asked to do the work`, s.ask),
			tasks.Then(`the work is done`, s.done),
			tasks.Then(`each of its traps fails with (.+)`, traps),
		},
	}
}

func (s *Workshop) named(d *tasks.Draft, scenario, difficulty string, seed int) error {
	var known []string
	for _, f := range s.library.Families() {
		for _, sc := range f.Scenarios() {
			if sc.ID == scenario {
				return s.given(d, f.Name(), scenario, difficulty, seed)
			}
			known = append(known, sc.ID)
		}
	}
	return tasks.Unknown("workspace", scenario, known)
}

func (s *Workshop) drawn(d *tasks.Draft, family, difficulty string, seed int) error {
	var known []string
	for _, f := range s.library.Families() {
		known = append(known, f.Name())
	}
	if !slices.Contains(known, family) {
		return tasks.Unknown("family", family, known)
	}
	return s.given(d, family, "", difficulty, seed)
}

func (s *Workshop) given(d *tasks.Draft, family, scenario, difficulty string, seed int) error {
	n := noted(d)
	if n.spec != nil {
		return errors.New("a task has one workspace")
	}
	level, err := world.ParseDifficulty(difficulty)
	if err != nil {
		return err
	}
	spec := world.NewSpec(family, level, int64(seed))
	spec.Scenario = scenario
	n.spec = &spec
	n.job, err = s.fromSpec(spec)
	return err
}

func only(d *tasks.Draft, list string) error {
	var tools []string
	for _, t := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if t == "and" {
			continue
		}
		if !slices.Contains(world.ToolNames(), t) {
			return tasks.Unknown("tool", t, world.ToolNames())
		}
		tools = append(tools, t)
	}
	slices.Sort(tools)
	if len(slices.Compact(slices.Clone(tools))) != len(tools) {
		return errors.New("a tool is named twice")
	}
	d.Task.Tools = tools
	return nil
}

func atMost(d *tasks.Draft, n int) error {
	if n < 1 {
		return fmt.Errorf("%d tool calls: an agent needs at least one", n)
	}
	noted(d).calls = n
	return nil
}

var errNoWorkspace = errors.New(`there is no workspace yet: Given the workspace "…" of difficulty 1 and seed 1`)

func (s *Workshop) ask(d *tasks.Draft) error {
	n := noted(d)
	if n.job.in == nil {
		return errNoWorkspace
	}
	return d.Ask(tasks.Ask{Text: instruction(n.job.setup, &n.job.in.Manifest)})
}

func (s *Workshop) done(d *tasks.Draft) error {
	n := noted(d)
	if n.job.in == nil {
		return errNoWorkspace
	}
	if n.done {
		return errors.New("that the work is done has been said")
	}
	n.done = true
	return d.Check(n.job.rule)
}

func traps(d *tasks.Draft, list string) error {
	n := noted(d)
	for _, c := range strings.Split(list, ",") {
		n.traps = append(n.traps, strings.Trim(strings.TrimSpace(c), `"`))
	}
	n.trapped = d.Source()
	if n.job.in != nil && len(n.job.in.NearMisses) == 0 {
		return errors.New("this workspace has no traps to walk into")
	}
	return nil
}

// finish makes the task of what a scenario has said.
func (s *Workshop) finish(d *tasks.Draft) error {
	n := noted(d)
	switch {
	case n.job.in == nil:
		return errNoWorkspace
	case len(d.Task.Asks) > 1:
		return errors.New("the work is asked once: a workspace is graded as it is left in the end")
	case !n.done:
		return errors.New("nothing says that the work must be done: Then the work is done")
	}
	if d.Task.Limits.Wall > 0 {
		n.seconds = max(1, int(d.Task.Limits.Wall)/1e9)
	}
	n.job.setup.Unguided = n.unguided
	if err := n.job.complete(&d.Task, limits{Turns, n.calls, n.seconds}); err != nil {
		return err
	}
	if n.traps != nil {
		d.Task.Rubric.Probes = n.job.traps(n.traps)
		for i := range d.Task.Rubric.Probes {
			d.Task.Rubric.Probes[i].Source = n.trapped
		}
	}
	return nil
}
