package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Snapshot is what [sim.State] of this world says: the whole workspace, for graders. The agent
// never sees it; what it may see is the active dashboard alone. The names in the JSON are the
// published ones.
type Snapshot struct {
	State          Focus                     `json:"workspace_state"`
	Dashboards     []DashboardRef            `json:"dashboards"`             // in order of creation
	Composition    *Composition              `json:"dashboard_composition"`  // of the active dashboard; nil if there is none
	Compositions   map[string]*Composition   `json:"dashboard_compositions"` // of every dashboard, by id
	Skills         []SkillRef                `json:"skills"`                 // in order of declaration
	Backends       []BackendRef              `json:"backends"`               // in order of registration
	CustomBackends map[string]*CustomBackend `json:"custom_backends"`        // those that the setup authored or the agent connected, by id
}

// A Focus says where the user is. Both are nil when no dashboard is active.
type Focus struct {
	DashboardID *string `json:"current_dashboard_uuid"`
	TabID       *string `json:"current_tab_id"`
}

// A DashboardRef names a dashboard.
type DashboardRef struct {
	ID   string `json:"dashboard_id"`
	Name string `json:"name"`
}

// A SkillRef describes a skill without its content.
type SkillRef struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// A BackendRef describes a connected backend.
type BackendRef struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	URL         string `json:"url"`
	Status      string `json:"status"`
	WidgetCount int    `json:"widget_count"`
	AppCount    int    `json:"app_count"`
}

// A CustomBackend is the content of a backend that was not there by the choice of the setup's
// list: definitions without their rows, apps, and the warnings that its validation gave.
type CustomBackend struct {
	Name     string                     `json:"name"`
	URL      string                     `json:"url"`
	Widgets  map[string]json.RawMessage `json:"widgets_json"`
	Apps     []json.RawMessage          `json:"apps_json"`
	Warnings []string                   `json:"warnings"`
}

// A Composition is one dashboard with all that is on it.
type Composition struct {
	DashboardID   string   `json:"dashboard_id"`
	Name          string   `json:"name"`
	NavigationBar bool     `json:"navigation_bar"`
	Tabs          []Tab    `json:"tabs"`
	Widgets       []Widget `json:"widgets"` // in order of creation, those of vanished tabs included
}

// A Tab is one page of a dashboard. ID is fixed at creation; Name is what the user reads.
type Tab struct {
	ID     string       `json:"id"`
	Name   string       `json:"name"`
	Layout []LayoutItem `json:"layout"`
}

// A LayoutItem is the place of one widget on the grid of a tab.
type LayoutItem struct {
	WidgetUUID string `json:"widget_uuid"`
	WidgetID   string `json:"widget_id"`
	Origin     string `json:"origin"`
	Layout
}

// A Layout is a rectangle in grid cells on a tab, with the bounds that were asked for, if any.
// Bounds are stored and not enforced.
type Layout struct {
	TabID string   `json:"tab_id"`
	X     float64  `json:"x"`
	Y     float64  `json:"y"`
	W     float64  `json:"w"`
	H     float64  `json:"h"`
	MinW  *float64 `json:"min_w,omitempty"`
	MinH  *float64 `json:"min_h,omitempty"`
	MaxW  *float64 `json:"max_w,omitempty"`
	MaxH  *float64 `json:"max_h,omitempty"`
}

// A Widget is one instance on a dashboard. Numbers inside DataArgs, UIArgs, ChartParams and
// GeneratedData are json.Number.
type Widget struct {
	UUID          string         `json:"widget_uuid"`
	WidgetID      string         `json:"widget_id"`
	Origin        string         `json:"origin"`
	Name          string         `json:"name"`
	Type          string         `json:"type"`
	DataArgs      map[string]any `json:"data_args"`
	UIArgs        map[string]any `json:"ui_args"`
	Generated     bool           `json:"generated"`
	GeneratedData any            `json:"generated_data"` // nil unless generated
	ChartParams   map[string]any `json:"chart_params"`   // nil unless it is a generated chart
	Description   *string        `json:"description"`
	Layout        Layout         `json:"layout"`
}

// ParseSnapshot reads what State of a world of this package says. Keys that it does not know are
// ignored, because a recorded state may come from a later version.
func ParseSnapshot(raw json.RawMessage) (*Snapshot, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var s Snapshot
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("workspace: snapshot: %w", err)
	}
	return &s, nil
}

// Widget returns the widget with a uuid, or nil.
func (c *Composition) Widget(uuid string) *Widget {
	for i := range c.Widgets {
		if c.Widgets[i].UUID == uuid {
			return &c.Widgets[i]
		}
	}
	return nil
}
