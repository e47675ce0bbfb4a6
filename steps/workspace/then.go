package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	rules "benchwright/grader/workspace"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// subject returns the dashboard that a sentence names; "" is the open one.
func subject(name string) rules.On { return rules.On(name) }

func tabs(d *tasks.Draft, dashboard, list string) error {
	var problems []error
	for _, name := range quotedList(list) {
		problems = append(problems, d.Check(&rules.TabNameRule{Dashboard: subject(dashboard), Named: name}))
	}
	return errors.Join(problems...)
}

// tabCalled demands what a tab of the start is called, by its id or the name that it had.
func tabCalled(d *tasks.Draft, dashboard, tab, name string) error {
	n := noted(d)
	s, err := n.start()
	if err != nil {
		return err
	}
	c := n.composition(s, dashboard)
	if c == nil {
		return fmt.Errorf("the dashboard is only made, so that it has no tab %q that could be renamed", tab)
	}
	var names []string
	for _, t := range c.Tabs {
		if t.ID == tab || t.Name == tab {
			return d.Check(&rules.TabNameRule{Dashboard: subject(dashboard), ID: &t.ID, Named: name})
		}
		names = append(names, t.Name)
	}
	return tasks.Unknown("tab", tab, names)
}

// dashboardCalled demands what a dashboard of the start is called.
func dashboardCalled(d *tasks.Draft, dashboard, name string) error {
	n := noted(d)
	s, err := n.start()
	if err != nil {
		return err
	}
	if n.composition(s, dashboard) == nil {
		var names []string
		for _, b := range s.Dashboards {
			names = append(names, b.Name)
		}
		return tasks.Unknown("dashboard", dashboard, names)
	}
	return d.Check(&rules.DashboardNameRule{Dashboard: subject(dashboard), Named: name})
}

// Columns with a meaning of their own in what a dashboard must hold.
var heldColumns = []string{"uuid", "widget", "from", "tab", "at", "times"}

// row reads one row of what a dashboard must hold.
func row(d *tasks.Draft, dashboard string, t *tasks.Table, r tasks.Row) (p rules.Placed, times int, err error) {
	n := noted(d)
	w, err := n.widget(t.Get(r, "widget"), t.Get(r, "from"))
	if err != nil {
		return p, 0, err
	}
	p = rules.Placed{UUID: t.Get(r, "uuid"), Origin: w.origin, WidgetID: w.ID}
	if err := n.uuid(dashboard, p.UUID); err != nil {
		return p, 0, err
	}
	if p.Args, err = w.arguments(t, r, heldColumns); err != nil {
		return p, 0, err
	}
	if p.TabID, err = tabID(d, dashboard, t.Get(r, "tab")); err != nil {
		return p, 0, err
	}
	at, err := place(t.Get(r, "at"))
	if err != nil {
		return p, 0, err
	}
	if at != nil {
		p.At = at.wanted()
	}
	times = 1
	if s := t.Get(r, "times"); s != "" {
		if times, err = strconv.Atoi(s); err != nil || times < 1 || times > 100 {
			return p, 0, fmt.Errorf("times: want a number from 1 to 100, found %q", s)
		}
	}
	return p, times, nil
}

// wanted is the rectangle as a demand.
func (r rectangle) wanted() *rules.Place {
	return rules.At(float64(r.X), float64(r.Y), float64(r.W), float64(r.H))
}

// exactly demands all widgets of backends on a dashboard; generated ones are other sentences'.
func exactly(d *tasks.Draft, dashboard string, t *tasks.Table) error {
	if err := t.Require("widget"); err != nil {
		return err
	}
	e := &rules.ExactRule{Dashboard: subject(dashboard), Widgets: []rules.Placed{}, Scope: rules.Catalogue}
	var problems []error
	for _, r := range t.Rows {
		p, times, err := row(d, dashboard, t, r)
		if err == nil && times > 1 && p.UUID != "" {
			err = fmt.Errorf("the widget with uuid %q is there once", p.UUID)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", r.Line, err))
			continue
		}
		for range times {
			e.Widgets = append(e.Widgets, p)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	return d.Check(e)
}

// holds demands widgets on a dashboard, among others.
func holds(d *tasks.Draft, dashboard string, t *tasks.Table) error {
	if err := t.Require("widget"); err != nil {
		return err
	}
	var problems []error
	for _, r := range t.Rows {
		p, times, err := row(d, dashboard, t, r)
		if err == nil && p.UUID != "" {
			err = errors.New(`a row with a uuid belongs to "holds exactly these widgets:"`)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", r.Line, err))
			continue
		}
		problems = append(problems, d.Check(&rules.WidgetRule{Dashboard: subject(dashboard), Origin: p.Origin, WidgetID: p.WidgetID, Args: p.Args, TabID: p.TabID, At: p.At, Min: times}))
	}
	return errors.Join(problems...)
}

func holdsNo(d *tasks.Draft, name, from string) error {
	w, err := noted(d).widget(name, from)
	if err != nil {
		return err
	}
	return d.Check(&rules.WidgetRule{Origin: w.origin, WidgetID: w.ID, Max: new(int)})
}

func generated(d *tasks.Draft, kind, name, tab, list string) error {
	id, err := tabID(d, "", tab)
	if err != nil {
		return err
	}
	return d.Check(&rules.GeneratedRule{Type: kind, Named: name, TabID: id, Contains: quotedList(list), Min: 1})
}

// layout demands places on the grid.
func layout(d *tasks.Draft, t *tasks.Table) error {
	if err := errors.Join(t.Allow("uuid", "widget", "from", "tab", "at"), t.Require("at")); err != nil {
		return err
	}
	n := noted(d)
	var problems []error
	for _, r := range t.Rows {
		l := &rules.LayoutRule{UUID: t.Get(r, "uuid")}
		at, err := place(t.Get(r, "at"))
		switch {
		case err != nil:
		case at == nil:
			err = errors.New("the row says no place")
		case l.UUID == "":
			var w foundWidget
			if w, err = n.widget(t.Get(r, "widget"), t.Get(r, "from")); err == nil {
				l.Origin, l.WidgetID = w.origin, w.ID
			}
		default:
			err = n.uuid("", l.UUID)
		}
		if err == nil {
			l.TabID, err = tabID(d, "", t.Get(r, "tab"))
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", r.Line, err))
			continue
		}
		l.Place = *at.wanted()
		problems = append(problems, d.Check(l))
	}
	return errors.Join(problems...)
}

// callsMade demands calls, each by one of its own.
func callsMade(d *tasks.Draft, t *tasks.Table) error {
	if err := errors.Join(t.Allow("call", "arguments", "times"), t.Require("call")); err != nil {
		return err
	}
	r := &rules.CallsRule{}
	var problems []error
	for _, row := range t.Rows {
		c := rules.Call{Tool: t.Get(row, "call")}
		err := knownTool(c.Tool)
		if err == nil {
			c.Args, err = argumentMap(t.Get(row, "arguments"))
		}
		if s := t.Get(row, "times"); err == nil && s != "" && s != "1" {
			if c.Min, err = strconv.Atoi(s); err != nil || c.Min < 1 || c.Min > 100 {
				err = fmt.Errorf("times: want a number from 1 to 100, found %q", s)
			}
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", row.Line, err))
		}
		r.Calls = append(r.Calls, c)
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	return d.Check(r)
}

// argumentMap reads arguments as plain values; nil where there are none.
func argumentMap(text string) (map[string]any, error) {
	raw, err := parseArguments(text)
	if err != nil {
		return nil, err
	}
	m, _ := plain(raw).(map[string]any)
	return full(m), nil
}

func called(d *tasks.Draft, tool string, args map[string]any) error {
	return d.Check(&rules.CallsRule{Calls: []rules.Call{{Tool: tool, Args: full(args)}}})
}

// dataRead demands that the rows of a widget were fetched with these parameters.
func dataRead(d *tasks.Draft, name, from, params string) error {
	w, err := noted(d).widget(name, from)
	if err != nil {
		return err
	}
	args := map[string]any{"origin": w.origin, "widget_id": w.ID}
	raw, err := parseArguments(params)
	if err != nil {
		return err
	}
	read, err := object(raw)
	if err != nil {
		return err
	}
	data := map[string]any{}
	for _, m := range read {
		text := string(m.value)
		if len(m.value) > 0 && m.value[0] == '"' {
			text = decoded(m.value)
		}
		if data[m.key], err = w.value(m.key, text); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		args["data_args"] = data
	}
	return called(d, world.GetWidgetData, args)
}

func skillRead(d *tasks.Draft, slug string) error {
	n := noted(d)
	if !slices.Contains(n.setup.Skills, slug) {
		return tasks.Unknown("skill of the scenario", slug, n.setup.Skills)
	}
	return called(d, world.GetSkillContent, map[string]any{"slug": slug})
}

// answerNames demands an answer with values to the letter.
func answerNames(d *tasks.Draft, list string) error {
	var problems []error
	for _, v := range quotedList(list) {
		if strings.TrimSpace(v) == "" {
			problems = append(problems, errors.New("an empty value"))
			continue
		}
		problems = append(problems, d.Check(&rules.AnswerSaysRule{Value: v}))
	}
	return errors.Join(problems...)
}
