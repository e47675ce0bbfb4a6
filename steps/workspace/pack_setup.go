package workspace

import (
	"slices"

	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// conditions is the world that a task starts from, as a manifest or a task says it. What is nil
// has not been said.
type conditions struct {
	baseline *string
	backends []string
	skills   []string
	source   map[string]*node // of each key
}

// conditionKeys are the keys that older files have at the top level.
var conditionKeys = []string{"workspace_baseline", "workspace_backends", "workspace_skills", "default_selected_dashboard", "fixtures", "initial_state", "allowed_tools"}

// inherit reads what a manifest and a setup have in common.
func (c *conditions) inherit(o *reading) {
	if n := o.get("workspace_baseline"); n != nil {
		s := o.textOf(n, "workspace_baseline")
		c.baseline = &s
	}
	for _, k := range []string{"workspace_baseline", "workspace_backends", "workspace_skills"} {
		if n := o.n.get(k); n != nil && n.kind != 'n' {
			if c.source == nil {
				c.source = map[string]*node{}
			}
			c.source[k] = n
		}
	}
	c.backends, _ = o.names("workspace_backends")
	c.skills, _ = o.names("workspace_skills")
}

// A scene is a task's setup, read.
type scene struct {
	setup    world.Setup
	fixtures []string // slugs of the backends
	tools    []string // in scope; nil means all
	answer   bool     // final_answer is named among them
	at       *node
}

// scene reads the setup of a task, or the keys of it at the top level of an older file.
func (r *packReader) scene(o *reading, s *suite) scene {
	sc := scene{at: o.n}
	own := conditions{}
	own.inherit(o)
	c := s.conditions
	if own.baseline != nil {
		c.baseline = own.baseline
	}
	if own.backends != nil {
		c.backends = own.backends
	}
	if own.skills != nil {
		c.skills = own.skills
	}
	if c.baseline != nil {
		sc.setup.Baseline = *c.baseline
	}
	sc.setup.Backends, sc.setup.Skills = c.backends, c.skills
	sc.fixtures = slices.Clone(c.backends)
	if n := o.get("default_selected_dashboard"); n != nil {
		sc.setup.Selected = o.textOf(n, "default_selected_dashboard")
	}
	if n := o.get("fixtures"); n != nil {
		r.fixtures(n, &sc)
	}
	if n := o.get("initial_state"); n != nil {
		if n.kind != '{' {
			o.wants(n, "initial_state", "an object")
		} else {
			sc.setup.State = n.raw()
			if a := n.get("active_dashboard"); a != nil && sc.setup.Selected != "" {
				r.note(a.at(), "%s: initial_state.active_dashboard and default_selected_dashboard both choose the open dashboard; leave one", o.what)
			}
		}
	}
	for _, n := range o.list("allowed_tools") {
		switch {
		case n.kind != '"':
			o.wants(n, "allowed_tools", "names of tools")
		case n.text == FinalAnswer:
			sc.answer = true
		case !known(n.text):
			r.note(n.at(), "%s: allowed_tools: %v", o.what, tasks.Unknown("tool", n.text, toolNames))
		case slices.Contains(sc.tools, n.text):
			r.note(n.at(), "%s: allowed_tools: %q is there twice", o.what, n.text)
		default:
			sc.tools = append(sc.tools, n.text)
		}
	}
	return sc
}

func (r *packReader) fixtures(n *node, sc *scene) {
	o := r.reads(n, "fixtures")
	if o == nil {
		return
	}
	for _, b := range o.list("backends") {
		f := r.reads(b, "fixture backend")
		if f == nil {
			continue
		}
		x := world.Fixture{Name: f.needText("name"), BackendID: f.text("backend_id"), URL: f.text("url")}
		f.done()
		sc.setup.Fixtures = append(sc.setup.Fixtures, x)
		if !slices.Contains(sc.fixtures, x.Name) {
			sc.fixtures = append(sc.fixtures, x.Name)
		}
	}
	o.done()
}
