package workspace

import (
	"encoding/json"
	"fmt"
	"slices"

	"benchwright/grader"
	"benchwright/sim"
)

// Mutants spoils what a good episode left behind, for each check in ways that this check should
// catch and, where it can be, no other: a widget gone, or of a twin's origin, or configured
// otherwise; one too many; a tab renamed or dropped; a place shifted, off the grid or on top of
// another; the text of a note cut; another dashboard touched; a backend added, replaced or
// warned about; a definition changed; calls dropped, failed, changed and made twice; results emptied;
// the answer altered. Everything in them an agent could have caused.
func Mutants(checks []grader.Check, good grader.Aftermath) []grader.Mutant {
	s := &spoiler{checks: checks, good: good, seen: map[string]bool{}}
	for _, c := range checks {
		s.ask = c.Ask
		s.at = min(c.Ask, len(good.States)-1)
		s.ev = s.evidence(c.Ask)
		s.rule(c.Rule)
	}
	return s.out
}

// A spoiler collects mutants, for one check after the other.
type spoiler struct {
	checks []grader.Check
	good   grader.Aftermath
	out    []grader.Mutant
	seen   map[string]bool

	drafts []*draft // of the good states

	ask int
	at  int // the state of the ask
	ev  grader.Evidence
}

func (s *spoiler) evidence(ask int) grader.Evidence {
	ev := grader.Evidence{Initial: sim.RawState(s.good.Initial), Trace: s.good.Trace.Until(ask), Ask: ask, End: s.good.End}
	if s.at >= 0 {
		ev.Final = sim.RawState(s.good.States[s.at])
	}
	if ask < len(s.good.Answers) {
		ev.Answer = s.good.Answers[ask]
	}
	return ev
}

// mostMutants is more than any sensible task has. It keeps a task of a thousand checks in bounds.
const mostMutants = 1000

func (s *spoiler) add(name string, spoil func(a *grader.Aftermath)) {
	if s.ask > 0 {
		name = fmt.Sprintf("%s (ask %d)", name, s.ask+1)
	}
	if s.seen[name] || len(s.out) >= mostMutants {
		return
	}
	s.seen[name] = true
	a := s.good
	a.States, a.Answers, a.Trace = slices.Clone(a.States), slices.Clone(a.Answers), slices.Clone(a.Trace)
	spoil(&a)
	s.out = append(s.out, grader.Mutant{Name: name, Aftermath: a})
}

// state adds a mutant whose state of the present ask is edited. An edit that returns false found
// nothing to spoil.
func (s *spoiler) state(name string, edit func(d *draft) bool) {
	if s.at < 0 {
		return
	}
	if s.drafts == nil {
		s.drafts = make([]*draft, len(s.good.States))
	}
	if s.drafts[s.at] == nil {
		d, ok := newDraft(s.good.States[s.at])
		if !ok {
			return
		}
		s.drafts[s.at] = d
	}
	d := s.drafts[s.at].clone()
	if !edit(d) {
		return
	}
	raw := d.state()
	s.add(name, func(a *grader.Aftermath) { a.States[s.at] = raw })
}

// subject returns the id of a dashboard that a rule is about.
func (s *spoiler) subject(on On) string {
	final, err := read(s.ev.Final)
	if err != nil {
		return ""
	}
	id, _ := on.id(s.ev, final)
	return id
}

// board adds a mutant in which the subject is edited.
func (s *spoiler) board(on On, name string, edit func(b object) bool) {
	s.dashboard(s.subject(on), name, edit)
}

// dashboard adds a mutant in which the dashboard of an id is edited.
func (s *spoiler) dashboard(id, name string, edit func(b object) bool) {
	s.state(name, func(d *draft) bool { return d.board(id, edit) })
}

// widgets adds a mutant in which edit has changed each widget of the subject that is meant.
func (s *spoiler) widgets(on On, name string, meant func(w object) bool, edit func(w object)) {
	s.board(on, name, func(b object) bool { return editWidgets(b, meant, edit) })
}

func editWidgets(b object, meant func(w object) bool, edit func(w object)) bool {
	n := 0
	for _, w := range elements(b, "widgets") {
		if meant(w) {
			edit(w)
			n++
		}
	}
	return n > 0
}

// without adds a mutant in which the meant widgets of the subject are gone.
func (s *spoiler) without(on On, name string, meant func(w object) bool) {
	s.board(on, name, func(b object) bool { return removeWidgets(b, meant) })
}

func removeWidgets(b object, meant func(w object) bool) bool {
	all, _ := b["widgets"].([]any)
	kept := slices.DeleteFunc(slices.Clone(all), func(v any) bool { w, ok := v.(object); return ok && meant(w) })
	b["widgets"] = kept
	return len(kept) < len(all)
}

// custom adds a mutant in which a custom backend is edited.
func (s *spoiler) custom(id, name string, edit func(c object) bool) {
	s.state(name, func(d *draft) bool { return d.custom(id, edit) })
}

// customs returns the custom backends at the end.
func (s *spoiler) customs() []*custom {
	final, err := read(s.ev.Final)
	if err != nil {
		return nil
	}
	all, _ := final.customs()
	return all
}

// trace adds a mutant in which the trace is edited.
func (s *spoiler) trace(name string, edit func(t sim.Trace) sim.Trace) {
	s.add(name, func(a *grader.Aftermath) { a.Trace = edit(a.Trace) })
}

// answer adds a mutant in which the answer is another.
func (s *spoiler) answer(name string, raw json.RawMessage) {
	if s.ask < len(s.good.Answers) {
		s.add(name, func(a *grader.Aftermath) { a.Answers[s.ask] = raw })
	}
}

// rule spoils what a rule is about.
func (s *spoiler) rule(r grader.Rule) {
	switch r := r.(type) {
	case *AnswerRule:
		s.answer("no answer", nil)
		s.answer("a blank answer", json.RawMessage(`" "`))
	case *AnswerLinesRule:
		s.answerLines(r)
	case *AnswerSaysRule:
		s.answerSays(r)
		s.misstatedAnswer(r)
	case *AppDefRule:
		s.appDef(r)
	case *AppOpenedRule:
		s.appOpened(r)
	case *AppStructureRule:
		for _, c := range s.customs() {
			s.apps(c)
		}
		s.state("no apps at all", func(d *draft) bool {
			for _, c := range s.customs() {
				d.custom(c.ID, func(b object) bool { b["apps_json"] = []any{}; return true })
			}
			return true
		})
	case *BackendNamesRule:
		s.state("a custom backend of the same name as another", func(d *draft) bool {
			name := "Spare Parts"
			for _, c := range s.customs() {
				name = c.Name
			}
			d.addBackend("backend_spare1", name)
			if len(s.customs()) == 0 {
				d.addBackend("backend_spare2", name)
			}
			return true
		})
		for i, c := range s.customs() {
			for _, o := range s.customs() {
				if i < 3 && o.ID != c.ID {
					s.custom(c.ID, "backend "+c.ID+" called as "+o.ID, func(b object) bool { b["name"] = o.Name; return true })
				}
			}
		}
	case *BackendRule:
		s.served(r)
	case *BackendWarningsRule:
		s.warned()
	case *BackendsKeptRule:
		for _, c := range s.customs() {
			s.replaced(c)
		}
	case *BusinessNameRule:
		s.businessName(r)
	case *CallsRule:
		s.calls(r)
	case *CapabilityRule:
		s.capability(r.Capability)
	case *ConnectionRule:
		s.connection()
	case *CreatedRule:
		s.created(r)
	case *DashboardNameRule:
		s.board(r.Dashboard, "the dashboard called otherwise", func(b object) bool { b["name"] = "Quite Otherwise"; return true })
		s.board(r.Dashboard, "the dashboard called more than that", func(b object) bool { b["name"] = "Not " + r.Named + r.Contains + " otherwise"; return true })
	case *ExactRule:
		s.exact(r)
	case *GeneratedRule:
		s.generated(r)
		s.misstatedGenerated(r)
	case *GridRule:
		s.grid(r)
	case *InvalidCallsRule:
		s.invalidCalls(r)
	case *LayoutRule:
		s.layout(r)
	case *ListedRule:
		s.listed()
	case *NothingElseRule:
		s.elsewhere()
		s.untouched(r)
		s.made(r)
		s.behind(r)
		s.backendsTouched()
	case *OtherAppsRule:
		s.otherApps(r)
	case *OtherDashboardsRule:
		s.elsewhere()
	case *OverlapRule:
		s.overlaps(r)
	case *ResourceReadRule:
		s.results("read_workspace_resource", r.Contains)
	case *RuntimeRule:
		s.runtime()
	case *SchemaFirstRule:
		s.schemaFirst()
	case *SnapshotsRule:
		s.snapshots(r)
	case *TabNameRule:
		meant := func(t object) bool {
			id, _ := t["id"].(string)
			n, _ := t["name"].(string)
			return r.is(id, n)
		}
		s.tabs(r.Dashboard, meant)
		s.tabNames(r.Dashboard, meant)
	case *TabRule:
		s.tabs(r.Dashboard, func(t object) bool { return t["id"] == r.ID })
	case *ToolResultRule:
		s.results(r.Tool, r.Contains)
	case *UnsaidRule:
		s.unsaid(r)
	case *WidgetDefRule:
		s.widgetDef(r)
	case *WidgetRule:
		s.widget(r)
	}
}
