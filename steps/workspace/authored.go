package workspace

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	rules "benchwright/grader/workspace"
	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

// A serving is what an authored backend may serve by the sentences of one ask, and by those of the
// asks before it.
type serving struct {
	ask           int
	rule          *rules.BackendRule
	others, extra bool // other widgets, and other apps, are welcome
}

// serving returns what is known of a backend of the agent's own. The check that it serves nothing else
// belongs to the first sentence about it.
func (n *notes) serving(d *tasks.Draft, name string) (*serving, error) {
	ask := len(d.Task.Asks) - 1
	s := &serving{ask: ask, rule: &rules.BackendRule{Backend: name, AnyWidgets: true, AnyApps: true}}
	for _, o := range slices.Backward(n.servings) {
		if o.rule.Backend != name {
			continue
		}
		if o.ask == ask {
			return o, nil
		}
		r := *o.rule
		r.Widgets, r.Apps = map[string][]string{}, map[string]rules.ServedApp{}
		for k, v := range o.rule.Widgets {
			r.Widgets[k] = v
		}
		r.Settings = maps.Clone(o.rule.Settings)
		for k, v := range o.rule.Apps {
			tabs := map[string][]string{}
			for t, on := range v.Tabs {
				tabs[t] = slices.Clone(on)
			}
			r.Apps[k] = rules.ServedApp{Tabs: tabs, AnyTabs: v.AnyTabs, Prompts: v.Prompts}
		}
		s.rule, s.others, s.extra = &r, o.others, o.extra
		break
	}
	n.servings = append(n.servings, s)
	return s, d.Check(s.rule)
}

func (s *serving) widget(id string, params []string) {
	if s.rule.Widgets == nil {
		s.rule.Widgets = map[string][]string{}
	}
	if _, ok := s.rule.Widgets[id]; !ok || params != nil {
		s.rule.Widgets[id] = params
	}
	s.rule.AnyWidgets = s.others
}

// settings says that sentences speak of settings of a widget.
func (s *serving) settings(id string, paths []string) {
	if len(paths) == 0 {
		return
	}
	if s.rule.Settings == nil {
		s.rule.Settings = map[string][]string{}
	}
	all := slices.Concat(s.rule.Settings[id], paths)
	slices.Sort(all)
	s.rule.Settings[id] = slices.Compact(all)
}

// app returns what an app may hold, to be changed and put back.
func (s *serving) app(name string, edit func(a *rules.ServedApp)) {
	if s.rule.Apps == nil {
		s.rule.Apps = map[string]rules.ServedApp{}
	}
	a, ok := s.rule.Apps[name]
	if !ok {
		a = rules.ServedApp{Tabs: map[string][]string{}, AnyTabs: true}
	}
	edit(&a)
	s.rule.Apps[name] = a
	s.rule.AnyApps = s.extra
}

func servesWidgets(d *tasks.Draft, name string, t *tasks.Table) error {
	return servesTable(d, name, t, false)
}

func servesWidgetsToo(d *tasks.Draft, name string, t *tasks.Table) error {
	return servesTable(d, name, t, true)
}

// servesTable demands definitions of a backend that the agent authors: a widget a row, by its
// id, with the values of its other columns at their paths. Without others there are no more
// widgets and apps than sentences name, and no more parameters than the row.
func servesTable(d *tasks.Draft, name string, t *tasks.Table, others bool) error {
	if err := t.Require("widget"); err != nil {
		return err
	}
	n := noted(d)
	s, err := n.serving(d, name)
	if err != nil {
		return err
	}
	s.others = s.others || others
	s.rule.AnyWidgets, s.rule.AnyApps = s.others, s.extra
	var problems []error
	for _, r := range t.Rows {
		w := &rules.WidgetDefRule{Backend: name, WidgetID: t.Get(r, "widget")}
		expect := map[string]any{}
		for i, c := range t.Columns {
			if c == "widget" || r.Cells[i] == "" {
				continue
			}
			raw, err := parseValue(r.Cells[i])
			if err != nil {
				problems = append(problems, fmt.Errorf("line %d: %s: %w", r.Line, c, err))
			}
			expect[c] = plain(raw)
		}
		if w.WidgetID == "" {
			problems = append(problems, fmt.Errorf("line %d: the row names no widget", r.Line))
		}
		w.Expect = full(expect)
		s.widget(w.WidgetID, paramsIn(expect))
		s.settings(w.WidgetID, keys(expect))
		n.authored = append(n.authored, foundWidget{name, &backend.Definition{ID: w.WidgetID, Name: w.WidgetID}})
		if label, ok := expect["name"].(string); ok {
			n.authored[len(n.authored)-1].Name = label
		}
		problems = append(problems, d.Check(w))
	}
	return errors.Join(problems...)
}

// paramsIn returns the names of the parameters that expectations speak of: none where they speak
// of none, and nil where they do not tell.
func paramsIn(expect map[string]any) []string {
	out := []string{}
	for _, path := range keys(expect) {
		first, rest, _ := strings.Cut(path, ".")
		if first != "params" {
			continue
		}
		if rest != "" {
			place, _, nested := strings.Cut(rest, ".")
			name, ok := expect["params."+place+".paramName"].(string)
			if !nested || !ok {
				return nil
			}
			out = append(out, name)
			continue
		}
		list, _ := expect[path].([]any)
		for _, v := range list {
			p, _ := v.(map[string]any)
			name, ok := p["paramName"].(string)
			if !ok {
				return nil
			}
			out = append(out, name)
		}
	}
	return slices.Compact(out)
}

func servesApp(d *tasks.Draft, name, app, tabs string) error {
	return servesTabs(d, name, app, tabs, false)
}

func servesAppToo(d *tasks.Draft, name, app, tabs string) error {
	return servesTabs(d, name, app, tabs, true)
}

// servesTabs demands an app that is called so and has these tabs, by their keys; without others no
// more, and beside it no app that no sentence names.
func servesTabs(d *tasks.Draft, name, app, tabs string, others bool) error {
	s, err := noted(d).serving(d, name)
	if err != nil {
		return err
	}
	s.extra = s.extra || others
	list := quotedList(tabs)
	s.app(app, func(a *rules.ServedApp) {
		a.AnyTabs = others
		for _, t := range list {
			if _, ok := a.Tabs[t]; !ok {
				a.Tabs[t] = nil
			}
		}
	})
	return d.Check(&rules.AppDefRule{Backend: name, Called: app, Tabs: list, ValidRefs: true, NoOverlaps: true})
}

func appHolds(d *tasks.Draft, app, name, widget, tab string) error {
	return appHoldsAt(d, app, name, widget, tab, "")
}

// appHoldsAt demands a widget on a tab of an app, which then holds no other than those that sentences
// name.
func appHoldsAt(d *tasks.Draft, app, name, widget, tab, at string) error {
	s, err := noted(d).serving(d, name)
	if err != nil {
		return err
	}
	o := rules.OnTab{TabID: tab, WidgetID: widget}
	r, err := place(at)
	if err != nil {
		return err
	}
	if r != nil {
		o.At = r.wanted()
	}
	s.widget(widget, nil)
	s.app(app, func(a *rules.ServedApp) { a.Tabs[tab] = append(a.Tabs[tab], widget) })
	return d.Check(&rules.AppDefRule{Backend: name, Called: app, OnTab: []rules.OnTab{o}})
}

// appTabCalled demands what is read on a tab of an app.
func appTabCalled(d *tasks.Draft, tab, app, name, shown string) error {
	return d.Check(&rules.AppDefRule{Backend: name, Called: app, Expect: map[string]any{"tabs." + tab + ".name": shown}})
}

// appSays demands what else an app says, by paths.
func appSays(d *tasks.Draft, app, name, values string) error {
	m, err := argumentMap(values)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(keys(m), func(path string) bool { return path == "prompts" || strings.HasPrefix(path, "prompts.") }) {
		s, err := noted(d).serving(d, name)
		if err != nil {
			return err
		}
		s.app(app, func(a *rules.ServedApp) { a.Prompts = true })
	}
	return d.Check(&rules.AppDefRule{Backend: name, Called: app, Expect: m})
}

// backendAt demands where a backend of the agent's own is.
func backendAt(d *tasks.Draft, name, url string) error {
	s, err := noted(d).serving(d, name)
	if err != nil {
		return err
	}
	s.rule.URL = url
	return nil
}

// openedFrom demands that a dashboard is made of an app, of a connected backend or of one that the agent
// authors.
func openedFrom(d *tasks.Draft, dashboard, app, from string) error {
	all, err := noted(d).backends()
	if err != nil {
		return err
	}
	r := &rules.AppOpenedRule{Dashboard: subject(dashboard), Backend: from, App: app}
	i := slices.IndexFunc(all, func(b *backend.Backend) bool { return from == b.Name || from == b.Slug })
	if i < 0 {
		return d.Check(r)
	}
	var names []string
	for _, a := range all[i].Apps {
		if names = append(names, a.Name); a.Name == app {
			r.Backend, r.TemplateID = all[i].Name, a.TemplateID
			return d.Check(r)
		}
	}
	return tasks.Unknown("app of "+from, app, names)
}
