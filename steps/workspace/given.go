package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
	"benchwright/tasks"
)

// first notes that a part of the setup has been said, and refuses it a second time.
func (n *notes) first(part string) error {
	if n.said[part] {
		return fmt.Errorf("the scenario has said already which %s there is", part)
	}
	if n.said == nil {
		n.said = map[string]bool{}
	}
	n.said[part] = true
	return nil
}

func everything(d *tasks.Draft, name string) error {
	return errors.Join(baseline(d, name), everyBackend(d), everySkill(d), everyTool(d))
}

func baseline(d *tasks.Draft, name string) error {
	n := noted(d)
	if err := n.first("workspace"); err != nil {
		return err
	}
	l, err := n.shelf.library()
	if err != nil {
		return err
	}
	if all := l.Baselines(); name != "" && !slices.Contains(all, name) {
		return tasks.Unknown("workspace", name, all)
	}
	n.setup.Baseline = name
	return nil
}

func everyBackend(d *tasks.Draft) error {
	l, err := noted(d).shelf.library()
	if err != nil {
		return err
	}
	return backends(d, l.Connectable())
}

func theBackends(d *tasks.Draft, list string) error { return backends(d, namesOf(list)) }

func backends(d *tasks.Draft, names []string) error {
	n := noted(d)
	if err := n.first("backend"); err != nil {
		return err
	}
	l, err := n.shelf.library()
	if err != nil {
		return err
	}
	for _, name := range names {
		if l.Backend(name) == nil {
			return tasks.Unknown("backend", name, l.Slugs())
		}
	}
	n.setup.Backends = names
	return nil
}

func everySkill(d *tasks.Draft) error {
	l, err := noted(d).shelf.library()
	if err != nil {
		return err
	}
	return skills(d, l.Skills())
}

func theSkills(d *tasks.Draft, list string) error { return skills(d, namesOf(list)) }

func skills(d *tasks.Draft, names []string) error {
	n := noted(d)
	if err := n.first("skill"); err != nil {
		return err
	}
	l, err := n.shelf.library()
	if err != nil {
		return err
	}
	for _, name := range names {
		if l.Skill(name) == nil {
			return tasks.Unknown("skill", name, l.Skills())
		}
	}
	n.setup.Skills = names
	return nil
}

func everyTool(d *tasks.Draft) error { return tools(d, []string{tasks.AllTools}) }

func theTools(d *tasks.Draft, list string) error { return tools(d, namesOf(list)) }

func tools(d *tasks.Draft, names []string) error {
	if err := noted(d).first("tool"); err != nil {
		return err
	}
	for i, name := range names {
		switch {
		case name == tasks.AllTools && len(names) == 1:
		case name == FinalAnswer:
			return fmt.Errorf("%s belongs to the protocol: it is there when the scenario demands an answer", FinalAnswer)
		case !known(name):
			return tasks.Unknown("tool", name, toolNames)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("tool %q is named twice", name)
		}
	}
	d.Task.Tools = slices.Sorted(slices.Values(names))
	return nil
}

// selected opens a dashboard of the workspace, or one that the scenario seeds.
func selected(d *tasks.Draft, name string) error {
	n := noted(d)
	if err := n.first("open dashboard"); err != nil {
		return err
	}
	n.setup.Selected = name
	return nil
}

func seeds(open bool) func(*tasks.Draft, string, *tasks.Table) error {
	return func(d *tasks.Draft, name string, t *tasks.Table) error { return seed(d, name, "", open, t) }
}

func seedsWithTabs(open bool) func(*tasks.Draft, string, string, *tasks.Table) error {
	return func(d *tasks.Draft, name, tabs string, t *tasks.Table) error { return seed(d, name, tabs, open, t) }
}

// Columns with a meaning of their own; the others are parameters.
var seedColumns = []string{"uuid", "widget", "from", "tab", "at"}

// seed puts a dashboard into the workspace.
func seed(d *tasks.Draft, name, tabs string, open bool, t *tasks.Table) error {
	n := noted(d)
	if slices.ContainsFunc(n.boards, func(b *board) bool { return b.Name == name }) {
		return fmt.Errorf("the scenario has a dashboard %q already", name)
	}
	b := &board{Name: name}
	if open {
		if err := selected(d, name); err != nil {
			return err
		}
	}
	for _, tab := range quotedList(tabs) {
		b.Tabs = append(b.Tabs, boardTab{backend.Slug(tab, "tab"), tab})
	}
	n.boards = append(n.boards, b)
	if t == nil {
		return nil
	}
	if err := t.Require("widget"); err != nil {
		return err
	}
	var problems []error
	uuids := map[string]bool{}
	for _, r := range t.Rows {
		if err := n.seedWidget(b, t, r, uuids); err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", r.Line, err))
		}
	}
	return errors.Join(problems...)
}

func (n *notes) seedWidget(b *board, t *tasks.Table, r tasks.Row, uuids map[string]bool) error {
	w, err := n.widget(t.Get(r, "widget"), t.Get(r, "from"))
	if err != nil {
		return err
	}
	item := boardItem{Origin: w.origin, WidgetID: w.ID, UUID: t.Get(r, "uuid")}
	if item.UUID != "" && uuids[item.UUID] {
		return fmt.Errorf("uuid %q is there twice", item.UUID)
	}
	uuids[item.UUID] = true
	if item.DataArgs, err = w.arguments(t, r, seedColumns); err != nil {
		return err
	}
	if item.TabID, err = b.tab(t.Get(r, "tab")); err != nil {
		return err
	}
	if item.Layout, err = place(t.Get(r, "at")); err != nil {
		return err
	}
	b.Widgets = append(b.Widgets, item)
	return nil
}

// tab returns the id of a tab by its name, nil for no name.
func (b *board) tab(name string) (*string, error) {
	if name == "" {
		return nil, nil
	}
	var names []string
	for _, t := range b.Tabs {
		if t.Name == name || t.ID == name {
			return &t.ID, nil
		}
		names = append(names, t.Name)
	}
	return nil, tasks.Unknown("tab", name, names)
}

var placePattern = regexp.MustCompile(`^(\d{1,4}),\s*(\d{1,4}) (\d{1,4})[x×](\d{1,4})$`)

// place reads "20,14 20x8": the corner, and the size; nil for nothing.
func place(text string) (*rectangle, error) {
	if text == "" {
		return nil, nil
	}
	m := placePattern.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("%q is no place: write the corner and the size, as in 20,14 20x8", text)
	}
	var v [4]int
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1]) // it is a few digits
	}
	if v[0]+v[2] > 40 || v[2] == 0 || v[3] == 0 {
		return nil, fmt.Errorf("%q does not lie within the 40 columns", text)
	}
	return &rectangle{v[0], v[1], v[2], v[3]}, nil
}

// seedGenerated puts a generated widget on the dashboard that was seeded last.
func seedGenerated(d *tasks.Draft, kind, name, tab, at, text string) error {
	n := noted(d)
	if len(n.boards) == 0 {
		return errors.New(`there is no dashboard yet that it could be on: Given the open dashboard "…":`)
	}
	b := n.boards[len(n.boards)-1]
	id, err := b.tab(tab)
	if err != nil {
		return err
	}
	l, err := place(at)
	if err != nil {
		return err
	}
	item := boardItem{Type: kind, Name: name, TabID: id, Layout: l, Data: quoteJSON(text)}
	if kind == "table" || kind == "chart" {
		if item.Data, err = sim.Canonical(json.RawMessage(text)); err != nil || item.Data[0] != '[' {
			return fmt.Errorf("a %s holds a JSON list of row objects", kind)
		}
	}
	b.Generated = append(b.Generated, item)
	return nil
}

// ownBackend registers an authored backend: {"widgets_json": …, "apps_json": …, "url": …}.
func ownBackend(d *tasks.Draft, name string, text tasks.Text) error {
	n := noted(d)
	v, err := sim.ParseJSON([]byte(text))
	m, ok := v.(map[string]any)
	if err != nil || !ok {
		return fmt.Errorf("want a JSON object with widgets_json, apps_json and url: %v", err)
	}
	for _, k := range keys(m) {
		if !slices.Contains([]string{"widgets_json", "apps_json", "url"}, k) {
			return tasks.Unknown("key", k, []string{"widgets_json", "apps_json", "url"})
		}
	}
	m["name"] = name
	raw, err := sim.Canonical(m)
	if err != nil {
		return err
	}
	src := backend.Source{Slug: backend.Slug(name, "backend"), Name: name, Widgets: json.RawMessage("{}")}
	if w := m["widgets_json"]; w != nil {
		src.Widgets = sim.MustCanonical(w)
	}
	if a := m["apps_json"]; a != nil {
		src.Apps = sim.MustCanonical(a)
	}
	made, err := backend.Seed(src)
	if err != nil {
		return err
	}
	n.custom = append(n.custom, ownBackendSeed{raw, made})
	return nil
}

// ownAnswers says what authored backends answer: runtime_checks, as published.
func ownAnswers(d *tasks.Draft, text tasks.Text) error {
	n := noted(d)
	raw, err := sim.Canonical(json.RawMessage(strings.TrimSpace(string(text))))
	if err != nil {
		return err
	}
	if _, err := backend.ParseRuntime(raw); err != nil {
		return err
	}
	n.setup.Runtime = raw
	return nil
}
