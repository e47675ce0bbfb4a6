package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

// RuntimeRule demands that every widget of every custom backend has an endpoint that answers as
// its definition declares, when the task's datasets stand behind it.
type RuntimeRule struct {
	Checks json.RawMessage `json:"runtime_checks"` // as published: datasets, pinned_paths, request_timeout_ms
}

// Runs demands that every endpoint of every custom backend answers as declared.
func Runs(checks json.RawMessage) grader.Check {
	return grader.Check{Rule: &RuntimeRule{canonical(checks)}}
}

// canonical brings JSON to canonical form. What is none stays as it is, for the rule to refuse.
func canonical(raw json.RawMessage) json.RawMessage {
	c, err := sim.Canonical(raw)
	if err != nil {
		return raw
	}
	return c
}

// Name implements grader.Rule.
func (*RuntimeRule) Name() string { return "workspace.runtime" }

// Codes implements grader.Rule.
func (*RuntimeRule) Codes() []string {
	return []string{backend.BadStatus, backend.ParamsInvalid, backend.Incompatible, backend.Malformed, backend.Placeholder, backend.Unreachable, backend.FormMismatched}
}

// Graded implements grader.Grounder: what is demanded of definitions other rules say.
func (*RuntimeRule) Graded() []string { return nil }

func (*RuntimeRule) String() string { return "every endpoint of a custom backend answers as declared" }

// Grade implements grader.Rule.
func (r *RuntimeRule) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(r, ev)
}

// Tally implements grader.Tallier.
func (r *RuntimeRule) Tally(_ context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	return tally(r, ev)
}

// endpoints is the code under which all probes are counted: one a widget, whatever it fails for.
const endpoints = "endpoint"

func (r *RuntimeRule) points(ev grader.Evidence) ([]point, error) {
	d, err := deploy(r.Checks, ev)
	if err != nil {
		return nil, err
	}
	var out []point
	for _, b := range d.unread {
		out = append(out, point{code: backend.Unreachable, group: endpoints, side: grader.StateType, message: b})
	}
	for _, s := range d.served {
		for _, p := range d.runtime.Probe(s.Backend) {
			x := point{code: p.Code, group: endpoints, side: grader.StateType}
			if !p.OK() {
				x.message = fmt.Sprintf("backend %s: %s", quote(s.Name), p.Message)
			}
			out = append(out, x)
		}
	}
	if len(d.served)+len(d.unread) == 0 {
		out = append(out, point{code: backend.Unreachable, group: endpoints, side: grader.StateType, message: "there is no custom backend"})
	}
	return out, nil
}

// A deployment is the custom backends of the final state with the task's datasets behind them.
type deployment struct {
	runtime *backend.Runtime
	served  []served
	unread  []string // why a backend's manifests cannot be read
}

type served struct {
	id string
	*backend.Backend
}

func deploy(checks json.RawMessage, ev grader.Evidence) (*deployment, error) {
	rt := runtimes.get(checks)
	if rt == nil {
		parsed, err := backend.ParseRuntime(checks)
		if err != nil {
			return nil, fixture("%w", err)
		}
		rt = parsed
		runtimes.put(checks, rt)
	}
	final, err := read(ev.Final)
	if err != nil {
		return nil, err
	}
	all, err := final.customs()
	if err != nil {
		return nil, err
	}
	d := &deployment{runtime: rt}
	for _, c := range all {
		m, _ := split(final.customRaw[c.ID])
		b, err := backend.Seed(backend.Source{Slug: c.ID, Name: c.Name, URL: c.URL, Widgets: m["widgets_json"], Apps: m["apps_json"], Warnings: c.Warnings})
		if err != nil {
			d.unread = append(d.unread, fmt.Sprintf("backend %s cannot be read: %s", quote(c.Name), quote(err.Error())))
			continue
		}
		d.served = append(d.served, served{c.ID, b})
	}
	return d, nil
}

// Deployment is the evaluator's receipt for what an episode deployed: the custom backends, their
// apps, the dashboards that were made from apps, and what came of asking each widget's endpoint.
func Deployment(checks json.RawMessage, ev grader.Evidence) (backend.Receipt, error) {
	d, err := deploy(checks, ev)
	if err != nil {
		return backend.Receipt{}, err
	}
	var all []*backend.Backend
	for _, s := range d.served {
		all = append(all, s.Backend)
	}
	receipt := d.runtime.Deploy(all)
	for _, e := range ev.Trace {
		if e.Call.Name != "manage_apps" || !e.Result.OK() || argumentOf(e, "operation") != "instantiate" {
			continue
		}
		data, _ := parsed(resultData(e.Result.Data)).(map[string]any)
		if id, ok := data["dashboard_id"].(string); ok && !slices.Contains(receipt.Dashboards, id) {
			receipt.Dashboards = append(receipt.Dashboards, id)
		}
	}
	return receipt, nil
}
