package backend

import (
	"encoding/json"
	"fmt"
	"slices"
)

// A Backend is one connected data source: its manifests in normalised form and the answers of
// its endpoints. It is immutable and may be used concurrently.
type Backend struct {
	Slug     string
	Name     string // display name; the origin of its widgets
	URL      string
	Widgets  []*Definition // in the order of the manifest
	Apps     []*App        // in the order of the manifest
	Warnings []string      // of validation, in order
	Notes    []string      // what loading found out beyond validation: endpoints that do not answer
	Digest   string        // SHA-256 of manifests and answers in hexadecimal; knows no name, slug or URL

	index   map[string]*Definition
	answers map[string]*answer             // by widget id
	options map[string]map[string][]choice // by widget id and parameter
	lazy    *lazyData                      // of an archive, instead of answers and options
	runtime *Runtime
	bound   map[string]*binding // by widget id; nil without datasets
	empty   bool                // a widget without data answers []
}

// A Definition is one widget of widgets.json.
type Definition struct {
	ID          string
	Name        string
	Description string
	Type        string // effective: type, else defaultViz, else "table"
	Category    string
	SubCategory string
	Endpoint    string
	Grid        Grid
	GridData    json.RawMessage // gridData as the manifest has it; nil if it has none
	Params      []Param         // flattened: rows opened, form inputs included, first declaration of a name wins
	Raw         json.RawMessage // the definition without rows; type filled in; keys in the order of the manifest
	Schema      json.RawMessage // what get_widget_schema answers: Raw with origin, widget_id, grid_data and look-up marks

	doc   *object        // nil in an archive, whose definitions are many
	top   int            // the first top of Params are not form inputs
	names map[string]int // index into Params
}

// Param returns the declared parameter of that name, or nil. Form inputs count as declared.
func (d *Definition) Param(name string) *Param {
	if i, ok := d.names[name]; ok {
		return &d.Params[i]
	}
	return nil
}

// document returns the definition as it is in the manifest.
func (d *Definition) document() *object {
	if d.doc != nil {
		return d.doc
	}
	v, err := parse(d.Raw)
	if err != nil { // it has been encoded from a document
		panic(fmt.Sprintf("backend: definition of %q: %v", d.ID, err))
	}
	return v.(*object)
}

// Column fields, chart keys and the like that the definition promises of its answer, sorted.
func (d *Definition) Fields() []string { return slices.Clone(declaredFields(d.document())) }

// A Grid is a widget's size in grid cells. W and H are 20 and 10 where the manifest says
// nothing; the limits are 0 where it says nothing.
type Grid struct{ W, H, MinW, MinH, MaxW, MaxH float64 }

// Default size of a widget whose manifest says nothing.
const (
	DefaultWidth  = 20
	DefaultHeight = 10
)

// A Param is one declared parameter.
type Param struct {
	Name            string
	Type            string // "text" where the manifest says nothing
	Label           string
	Value           any // the default as sim.ParseJSON reads it; nil if there is none
	Options         []Option
	RawOptions      json.RawMessage // the static options as the manifest has them; [] if there are none
	Multi           bool            // multiSelect
	OptionsEndpoint string
	OptionsParams   map[string]any
	Endpoint        string // of a form: where it is submitted
	Method          string // of a form: POST or PUT
	Form            bool   // declared among the inputs of a form
}

// Allows reports whether v is a static option, or whether there are none to compare with. A
// list is allowed when each element is, and so is comma-separated text of a multi-select.
func (p *Param) Allows(v any) bool {
	if len(p.Options) == 0 || p.has(Str(v)) {
		return true
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if !p.has(Str(e)) {
				return false
			}
		}
		return true
	case string:
		if !p.Multi {
			return false
		}
		for _, e := range splitList(v) {
			if !p.has(e) {
				return false
			}
		}
		return true
	}
	return false
}

func (p *Param) has(s string) bool {
	return slices.ContainsFunc(p.Options, func(o Option) bool { return o.Value == s })
}

// An Option is one static choice.
type Option struct {
	Label string
	Value string // Str of the value
}

// An App is one template of apps.json.
type App struct {
	Name               string
	TemplateID         string // template_id, else templateId, else the slug of the name; unique in its backend
	Description        string
	AllowCustomization bool
	Prompts            []string
	Tabs               []Tab // in the order of the manifest
	Groups             []Group
	Raw                json.RawMessage // with template_id filled in; keys in the order of the manifest
}

// A Tab is one tab of an app.
type Tab struct {
	Key    string // of the tabs object; becomes the tab's id when the app is instantiated
	ID     string
	Name   string
	Layout []Placement
}

// A Placement is one widget of a tab.
type Placement struct {
	WidgetID   string
	X, Y, W, H float64
	Params     map[string]any // state.params; nil if there are none
	Groups     []string
}

// A Group is a parameter that widgets of an app share.
type Group struct {
	Name, Type, ParamName string
	WidgetIDs             []string
	DefaultValue          any
}

// Widget returns the widget of that id, or nil.
func (b *Backend) Widget(id string) *Definition { return b.index[id] }

// App returns the first app whose name or template id is one of those given, or nil. An empty
// text is no name.
func (b *Backend) App(name, templateID string) *App {
	for _, a := range b.Apps {
		if name != "" && (a.Name == name || a.TemplateID == name) || templateID != "" && (a.TemplateID == templateID || a.Name == templateID) {
			return a
		}
	}
	return nil
}

// Unserved returns the ids of the app's widgets that the backend does not serve, sorted, each
// once. The navigation bar is no widget of a backend.
func (b *Backend) Unserved(a *App) []string {
	var ids []string
	for _, t := range a.Tabs {
		for _, p := range t.Layout {
			if p.WidgetID != navigationBar && b.index[p.WidgetID] == nil {
				ids = append(ids, p.WidgetID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// navigationBar may stand in a layout although no backend serves it.
const navigationBar = "navigation_bar"

// A Failure is an error that the agent sees.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Fault   error  `json:"-"` // the data is damaged: nobody's doing who asks for it

	status int // of HTTP, where that is what failed
}

func (f *Failure) Error() string { return f.Message }

// Codes of failures.
const (
	InvalidRequest  = "invalid_request"
	CommandFailed   = "command_failed"
	ResponseInvalid = "backend_response_invalid"
)
