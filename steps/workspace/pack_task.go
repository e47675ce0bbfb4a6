package workspace

import (
	"slices"
	"strings"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// The limits of a task whose file says nothing. They are the published runner's.
const (
	Turns    = 12
	Deadline = 15 * time.Minute
)

// retired are fields that task files of earlier formats have and that say nothing any more.
var retired = []string{"level", "title", "novelty", "tags", "release_id", "release_version", "version"}

// task reads one task file of a suite.
func (r *packReader) task(n *node, s *suite, family string) {
	before := len(r.list)
	o := r.reads(n, "task")
	if o == nil {
		return
	}
	for _, m := range n.members {
		if slices.Contains(retired, m.key) {
			o.keys = append(o.keys, m.key)
			r.note(m.value.at(), "task: %q is retired: remove it", m.key)
		}
	}
	id, prompt := o.needText("id"), o.needText("prompt")
	if f := o.get("family"); f != nil {
		family = o.textOf(f, "family")
	}
	category := o.choice("category", categories)
	if category == "" {
		if category = s.category; category == "" {
			category = categoryOf(family)
		}
	}
	difficulty := o.choice("difficulty", difficulties)
	if difficulty == "" {
		difficulty = s.difficulty
	}
	if difficulty == "" && n.get("difficulty") == nil && !s.broken {
		r.note(n.at(), `task: "difficulty" is required, here or in the task_defaults of the suite`)
	}
	spec := o.choice("specification_level", openness)
	if spec == "" {
		spec = specification(difficulty)
	}
	terms, _ := o.names("business_terms")
	sc := r.conditionsOf(o, s)
	r.evalOf(o, s, func(e *reading) {
		t := tasks.Task{
			ID:       tasks.ID(strings.Join([]string{s.id, family, id}, "/")),
			World:    world.Kind.Name,
			System:   Rules(Guided),
			Limits:   tasks.Limits{Turns: Turns, Wall: tasks.Duration(Deadline)},
			Protocol: tasks.Protocol{Lenient: true},
			Tools:    []string{tasks.AllTools},
		}
		at := n.at()
		t.Source.File, t.Source.Line = at.File, at.Line
		if sc.tools != nil {
			t.Tools = slices.Sorted(slices.Values(sc.tools))
		}
		t.Labels = labels(t.ID, category, difficulty, spec, s.hidden)
		public := AskContext{Track: Guided, Specification: spec, Terms: terms, Fixtures: sc.fixtures, Origins: r.shelf.origins(sc.setup)}
		r.eval(e, &t, &sc, &public)
		t.Asks = []tasks.Ask{{Text: prompt, Context: sim.MustCanonical(public)}}
		t.Setup = sim.MustCanonical(sc.setup)
		if len(r.list) > before || s.broken {
			return // what follows would be noise
		}
		r.finish(n, t, sc)
	})
	o.done()
}

// finish checks a task that could be read, and adds it to the others.
func (r *packReader) finish(n *node, t tasks.Task, sc scene) {
	if err := r.shelf.check(sc.setup); err != nil {
		r.note(n.at(), "%v", err)
		return
	}
	own := tasks.Suite{Kits: []tasks.Kit{{Kind: world.Kind, Rules: ruleMakers()}}}
	if ps := tasks.Lint(t, own); len(ps) > 0 {
		for _, p := range ps {
			r.note(p.Source, "%s", p.Text)
		}
		return
	}
	if first, dup := r.place[t.ID]; dup {
		r.note(n.at(), "task %s is declared twice: also at %s", t.ID, first)
		return
	}
	if r.place == nil {
		r.place = map[tasks.ID]grader.Source{}
	}
	r.place[t.ID] = n.at()
	r.found = append(r.found, t)
}

// labels returns what a published task is labelled with.
func labels(id tasks.ID, category, difficulty, spec string, hidden bool) []string {
	out := []string{"suite:" + id.Suite(), "world:" + world.Kind.Name, "family:" + id.Family()}
	if category != "" {
		out = append(out, "category:"+category)
	}
	if level, ok := strings.CutPrefix(difficulty, "level"); ok {
		out = append(out, "level:"+level)
	} else {
		out = append(out, "difficulty:"+difficulty)
	}
	out = append(out, "specification:"+spec)
	if hidden {
		out = append(out, "visibility:hidden")
	}
	return out
}

// conditionsOf reads the setup block, or what older files have at the top level in its place.
func (r *packReader) conditionsOf(o *reading, s *suite) scene {
	setup := o.get("setup")
	var flat []string
	for _, k := range conditionKeys {
		if o.n.get(k) != nil {
			flat = append(flat, k)
		}
	}
	switch {
	case setup == nil:
		return r.scene(o, s)
	case len(flat) > 0:
		o.keys = append(o.keys, flat...)
		r.note(o.n.get(flat[0]).at(), "task: %s stands beside setup: move it there", strings.Join(flat, ", "))
	}
	in := r.reads(setup, "setup")
	if in == nil {
		return scene{}
	}
	sc := r.scene(in, s)
	in.done()
	return sc
}

// evalOf finds the eval block, or what older files have in its place, and has it read.
func (r *packReader) evalOf(o *reading, s *suite, read func(e *reading)) {
	eval, success := o.get("eval"), o.get("success")
	trace, limits := o.get("oracle_tool_calls"), o.get("limits")
	for _, k := range []string{"success", "oracle_tool_calls", "limits"} {
		if n := o.n.get(k); eval != nil && n != nil {
			r.note(n.at(), "task: %q stands beside eval: move what it says there", k)
		}
	}
	var e *reading
	switch {
	case eval != nil:
		if eval.kind == '{' {
			eval = s.merged(eval)
		}
		e = r.reads(eval, "eval")
	case success != nil:
		if success.kind == '{' {
			flat := *success
			flat.members = slices.Clone(success.members)
			for i, n := range []*node{trace, limits} {
				if n != nil {
					flat.members = append(flat.members, nodeMember{[]string{"oracle_tool_calls", "limits"}[i], n.off, n})
				}
			}
			success = &flat
		}
		e = r.reads(success, "success")
	default:
		r.note(o.n.at(), `task: "eval" is required: without it nothing is graded`)
	}
	if e != nil {
		read(e)
		e.done()
	}
}
