package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Runtime is what stands in for the servers of authored backends: datasets, each of which
// answers for the widgets that declare its fields. Nothing is started and no network is used.
type Runtime struct {
	Datasets []*Dataset
	Pinned   bool          // an endpoint must have the path of its dataset
	Timeout  time.Duration // of the published format; answers come from memory and take none
}

// A Dataset is the answer of one endpoint.
type Dataset struct {
	Name         string
	WidgetID     string
	Fields       []string
	Path         string // "" if any path will do
	FormEndpoint string // where a form of its widget must be submitted; "" if there is none
	Status       int    // 200 unless said otherwise

	raw  *string // raw_body: sent as it is
	rows *generator
	once sync.Once
	body []byte
	read any // body as JSON
	err  error
}

// ParseRuntime reads runtime_checks as tasks publish it. Unknown keys are errors.
func ParseRuntime(raw json.RawMessage) (*Runtime, error) {
	v, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("runtime_checks: %w", err)
	}
	o, ok := v.(*object)
	if !ok {
		return nil, errors.New("runtime_checks: want an object")
	}
	if err := keys(o, "datasets", "pinned_paths", "request_timeout_ms"); err != nil {
		return nil, fmt.Errorf("runtime_checks: %w", err)
	}
	rt := &Runtime{Timeout: 2 * time.Second}
	if v := o.get("pinned_paths"); v != nil {
		if rt.Pinned, ok = v.(bool); !ok {
			return nil, errors.New("runtime_checks: pinned_paths must be true or false")
		}
	}
	if v := o.get("request_timeout_ms"); v != nil {
		n, ok := integer(v)
		if !ok || n < 1 {
			return nil, errors.New("runtime_checks: request_timeout_ms must be a positive integer")
		}
		rt.Timeout = time.Duration(n) * time.Millisecond
	}
	list, ok := o.get("datasets").([]any)
	if !ok || len(list) == 0 {
		return nil, errors.New("runtime_checks: datasets must be a non-empty list")
	}
	seen := map[string]bool{}
	for i, v := range list {
		d, err := dataset(v)
		if err == nil && seen[d.Name] {
			err = fmt.Errorf("name %q occurs twice", d.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("runtime_checks: dataset %d: %w", i, err)
		}
		seen[d.Name] = true
		rt.Datasets = append(rt.Datasets, d)
	}
	return rt, nil
}

// integer returns a JSON number that is spelled as an integer.
func integer(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}

func dataset(v any) (*Dataset, error) {
	o, ok := v.(*object)
	if !ok {
		return nil, errors.New("want an object")
	}
	if err := keys(o, "name", "widget_id", "fields", "payload", "payload_spec", "path", "form_endpoint", "status", "raw_body"); err != nil {
		return nil, err
	}
	d := &Dataset{Status: 200}
	for _, f := range []struct {
		key      string
		required bool
		to       *string
	}{{"name", true, &d.Name}, {"widget_id", true, &d.WidgetID}, {"path", false, &d.Path}, {"form_endpoint", false, &d.FormEndpoint}} {
		v := o.get(f.key)
		if v == nil && !f.required {
			continue
		}
		if *f.to, ok = v.(string); !ok || *f.to == "" {
			return nil, fmt.Errorf("%s must be non-empty text", f.key)
		}
	}
	if v := o.get("fields"); v != nil {
		if !texts(v) {
			return nil, errors.New("fields must be a list of texts")
		}
		d.Fields = textList(v.([]any))
	}
	if v := o.get("status"); v != nil {
		n, ok := integer(v)
		if !ok || n < 100 || n > 599 {
			return nil, errors.New("status must be an integer from 100 to 599")
		}
		d.Status = int(n)
	}
	if v := o.get("raw_body"); v != nil {
		s, ok := v.(string)
		if !ok {
			return nil, errors.New("raw_body must be text")
		}
		d.raw = &s
	}
	payload, hasPayload := o.m["payload"]
	spec := o.get("payload_spec")
	switch {
	case hasPayload && spec != nil:
		return nil, errors.New("payload and payload_spec exclude each other")
	case spec != nil:
		g, err := parseGenerator(spec, d.Fields)
		if err != nil {
			return nil, fmt.Errorf("payload_spec: %w", err)
		}
		d.rows = g
	case hasPayload:
		d.body = encode(payload)
	case d.raw == nil:
		return nil, errors.New("payload, payload_spec or raw_body is required")
	}
	return d, nil
}

// answer returns the body of the dataset, and what it says as JSON.
func (d *Dataset) answer() (body []byte, v any, err error) {
	d.once.Do(func() {
		switch {
		case d.raw != nil:
			d.body = []byte(*d.raw)
		case d.rows != nil:
			d.body = d.rows.generate()
		}
		d.read, d.err = parse(d.body)
	})
	return d.body, d.read, d.err
}

// Payload returns what the dataset answers, or nil if it is no JSON.
func (d *Dataset) Payload() json.RawMessage {
	body, _, err := d.answer()
	if err != nil {
		return nil
	}
	return body
}

// Covers reports whether the dataset has every field that the definition declares.
func (d *Dataset) Covers(def *Definition) bool {
	return len(missing(declaredFields(def.document()), d.Fields)) == 0
}

// missing returns the elements of want that are not in have.
func missing(want, have []string) []string {
	return slices.DeleteFunc(slices.Clone(want), func(s string) bool { return slices.Contains(have, s) })
}

// Choose returns the dataset that answers for a widget: of those that cover its fields (and,
// if paths are pinned, have its path), the one made for its id, else the one with the fewest
// surplus fields, else the first by name. Nil if there is none.
func (rt *Runtime) Choose(def *Definition) *Dataset {
	var best *Dataset
	for _, d := range rt.Datasets {
		if d.Covers(def) && rt.onPath(d, def) && (best == nil || better(d, best, def)) {
			best = d
		}
	}
	return best
}

// onPath reports whether the widget's endpoint may be that of the dataset.
func (rt *Runtime) onPath(d *Dataset, def *Definition) bool {
	return !rt.Pinned || d.Path == "" || endpointPath(d.Path) == endpointPath(def.Endpoint)
}

func better(a, b *Dataset, def *Definition) bool {
	if mine := a.WidgetID == def.ID; mine != (b.WidgetID == def.ID) {
		return mine
	}
	want := declaredFields(def.document())
	if x, y := len(missing(a.Fields, want)), len(missing(b.Fields, want)); x != y {
		return x < y
	}
	return a.Name < b.Name
}

// endpointPath is the path of an endpoint, without host and query, with one slash in front.
func endpointPath(endpoint string) string {
	u, err := url.Parse(strings.TrimSpace(endpoint))
	if err != nil {
		return endpoint
	}
	return "/" + strings.Trim(u.Path, "/")
}

// Bind returns the backend with the datasets as its data; nil takes them away. Each widget is
// checked against the response contract when it is first asked for.
func (b *Backend) Bind(rt *Runtime) *Backend {
	c := *b
	c.runtime, c.bound = rt, nil
	if rt != nil {
		c.bound = make(map[string]*binding, len(b.Widgets))
		for _, d := range b.Widgets {
			c.bound[d.ID] = &binding{def: d, runtime: rt}
		}
	}
	return &c
}

// A binding is a widget and what its datasets make of it, computed once.
type binding struct {
	def     *Definition
	runtime *Runtime
	once    sync.Once
	body    json.RawMessage
	failure *Failure
}

func (b *binding) data() (json.RawMessage, *Failure) {
	b.once.Do(func() {
		body, text := b.runtime.respond(b.def)
		if b.body = body; text != "" {
			b.body, b.failure = nil, &Failure{Code: ResponseInvalid, Message: text}
		}
	})
	return b.body, b.failure
}

// respond is the answer to get_widget_data, or what is wrong with it.
func (rt *Runtime) respond(def *Definition) (json.RawMessage, string) {
	d := rt.Choose(def)
	if d == nil {
		i := slices.IndexFunc(rt.Datasets, func(d *Dataset) bool { return d.WidgetID == def.ID && rt.onPath(d, def) })
		switch {
		case i >= 0:
			d = rt.Datasets[i]
		case rt.Pinned && slices.ContainsFunc(rt.Datasets, func(d *Dataset) bool { return d.WidgetID == def.ID || d.Covers(def) }):
			return nil, fmt.Sprintf("The configured endpoint '%s' was not found.", shown(def.Endpoint))
		default:
			return nil, "The backend returned no data for this widget."
		}
	}
	if !formMatches(def, d) {
		return nil, fmt.Sprintf("The form submission route does not match the backend contract; expected '%s'.", shown(d.FormEndpoint))
	}
	if d.Status < 200 || d.Status > 299 {
		return nil, fmt.Sprintf("The backend endpoint returned HTTP %d.", d.Status)
	}
	body, v, err := d.answer()
	if err != nil {
		return nil, "The backend response was not valid JSON."
	}
	if m := missing(declaredFields(def.document()), d.Fields); len(m) > 0 {
		return nil, fmt.Sprintf("The backend response is missing declared fields: %s.", names(m))
	}
	if reason := def.mismatch(v); reason != "" {
		return nil, "The backend response does not match the widget definition: " + reason
	}
	if placeholder(v) {
		return nil, "The backend response contains placeholder data."
	}
	return body, ""
}

// formMatches reports whether one of the widget's forms is submitted where the dataset wants
// it. A dataset that wants nothing is content with every widget.
func formMatches(def *Definition, d *Dataset) bool {
	if d.FormEndpoint == "" {
		return true
	}
	return slices.ContainsFunc(def.Params, func(p Param) bool {
		return p.Type == "form" && (p.Method == "POST" || p.Method == "PUT") && endpointPath(p.Endpoint) == endpointPath(d.FormEndpoint)
	})
}
