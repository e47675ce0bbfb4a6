package backend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"benchwright/sim"
)

// Codes of probes.
const (
	Unreachable    = "endpoint_unreachable"
	ParamsInvalid  = "endpoint_params_invalid"
	BadStatus      = "endpoint_bad_status"
	Malformed      = "endpoint_response_malformed"
	Incompatible   = "endpoint_response_incompatible"
	Placeholder    = "endpoint_response_placeholder"
	FormMismatched = "form_submission_incompatible"
)

// A Probe is what came of asking the endpoint of one widget.
type Probe struct {
	BackendID string `json:"backend_id"` // slug of the backend, which a grader sets to its id
	WidgetID  string `json:"widget_id"`
	URL       string `json:"url,omitempty"` // what the endpoint resolves to, without parameters
	Method    string `json:"method,omitempty"`
	Dataset   string `json:"dataset,omitempty"` // name of the dataset that answered
	Code      string `json:"code,omitempty"`    // "" if all is well
	Message   string `json:"message,omitempty"`
}

// OK reports whether the endpoint answers as declared.
func (p Probe) OK() bool { return p.Code == "" }

// A Receipt is the evaluator's account of what has been deployed.
type Receipt struct {
	Backends   []Deployed `json:"backends"`
	AppIDs     []string   `json:"app_ids"`    // template ids of all backends, in order
	Dashboards []string   `json:"dashboards"` // ids of those made from apps; the grader knows them
	Probes     []Probe    `json:"probes"`
	Probed     int        `json:"probed"`
	Passed     int        `json:"passed"`
}

// A Deployed is one backend of a receipt.
type Deployed struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	URL     string `json:"url"`
	Widgets int    `json:"widget_count"`
	Apps    int    `json:"app_count"`
}

// Deploy probes every widget of every backend. That there is no backend at all is one probe
// that failed.
func (rt *Runtime) Deploy(backends []*Backend) Receipt {
	r := Receipt{Backends: []Deployed{}, AppIDs: []string{}, Dashboards: []string{}, Probes: []Probe{}}
	for _, b := range backends {
		r.Backends = append(r.Backends, Deployed{b.Slug, b.Name, b.URL, len(b.Widgets), len(b.Apps)})
		for _, a := range b.Apps {
			r.AppIDs = append(r.AppIDs, a.TemplateID)
		}
		r.Probes = append(r.Probes, rt.Probe(b)...)
	}
	if len(backends) == 0 {
		r.Probes = append(r.Probes, Probe{Code: Unreachable, Message: "There is no custom backend to probe."})
	}
	for _, p := range r.Probes {
		r.Probed++
		if p.OK() {
			r.Passed++
		}
	}
	return r
}

// Probe asks the endpoint of every widget with representative parameters, and says for each what
// is wrong first. The published system binds each dataset to a server on the loopback interface
// and really asks it; here the same request goes to the same handler without a network, so that
// grading needs no port and has no timeout. An iframe is only resolved: it has no answer.
func (rt *Runtime) Probe(b *Backend) []Probe {
	probes := make([]Probe, len(b.Widgets))
	for i, d := range b.Widgets {
		probes[i] = rt.probe(b, d)
	}
	return probes
}

func (rt *Runtime) probe(b *Backend, d *Definition) Probe {
	p := Probe{BackendID: b.Slug, WidgetID: d.ID}
	fail := func(code, format string, args ...any) Probe {
		p.Code, p.Message = code, "Widget '"+shown(d.ID)+"': "+fmt.Sprintf(format, args...)
		return p
	}
	u := resolve(b.URL, d.Endpoint)
	if u == nil {
		return fail(Unreachable, "endpoint '%s' does not resolve to an http(s) URL.", shown(d.Endpoint))
	}
	p.URL = u.String()
	params, problem := representative(d)
	if problem != "" {
		return fail(ParamsInvalid, "%s", problem)
	}
	ds := rt.Choose(d)
	if ds == nil && d.Type == "iframe" {
		return p
	}
	if ds == nil {
		return fail(Incompatible, "no dataset has its declared fields %s%s.", names(declaredFields(d.document())), map[bool]string{true: " at the path of its endpoint"}[rt.Pinned])
	}
	p.Dataset = ds.Name
	if !formMatches(d, ds) {
		return fail(FormMismatched, "no form is submitted to '%s'.", shown(ds.FormEndpoint))
	}
	req, err := request(d, u, params)
	if err != nil {
		return fail(Unreachable, "endpoint '%s' cannot be requested.", shown(d.Endpoint))
	}
	p.Method = req.Method
	path := ds.Path
	if !rt.Pinned || path == "" {
		path = u.Path
	}
	w := &reply{header: http.Header{}, status: http.StatusOK}
	ds.serve(endpointPath(path)).ServeHTTP(w, req)
	switch {
	case w.status == http.StatusNotFound:
		return fail(Unreachable, "endpoint '%s' answered HTTP 404.", shown(d.Endpoint))
	case w.status < 200 || w.status > 299:
		return fail(BadStatus, "endpoint '%s' answered HTTP %d.", shown(d.Endpoint), w.status)
	}
	_, v, err := ds.answer()
	if err != nil {
		return fail(Malformed, "the response of '%s' is not valid JSON.", shown(d.Endpoint))
	}
	if reason := d.mismatch(v); reason != "" && d.Type != "iframe" {
		return fail(Incompatible, "%s", reason)
	}
	if placeholder(v) {
		return fail(Placeholder, "the response contains placeholder data.")
	}
	return p
}

// resolve joins an endpoint to the URL of its backend; nil unless the result is http or https.
func resolve(base, endpoint string) *url.URL {
	endpoint = strings.TrimSpace(endpoint)
	if endpoint == "" {
		return nil
	}
	u, err := url.Parse(endpoint)
	if err == nil && !u.IsAbs() && u.Host == "" {
		u, err = url.Parse(cleanURL(base) + "/" + strings.TrimLeft(endpoint, "/"))
	}
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u
}

// representative makes one value for every parameter, those of forms included: its default,
// else its first option, else a fixed value for its type. A parameter without a name, or without
// a known type, is a problem.
func representative(d *Definition) (map[string]any, string) {
	out := map[string]any{}
	var walk func(list []any) string
	walk = func(list []any) string {
		for _, v := range rows(list) {
			p, ok := v.(*object)
			if !ok {
				return "a parameter is no object."
			}
			name := p.str("paramName")
			switch t := p.get("type"); {
			case name == "":
				return "a parameter has no paramName."
			case t == nil || t == "":
				return fmt.Sprintf("parameter '%s' has no type.", shown(name))
			case !oneOf(t, paramTypes):
				return fmt.Sprintf("parameter '%s' has the unknown type '%s'.", shown(name), shown(Str(t)))
			}
			if problem := walk(p.list("inputParams")); problem != "" {
				return problem
			}
			if _, dup := out[name]; !dup && p.str("type") != "form" && p.str("type") != "button" {
				out[name] = sample(p, name)
			}
		}
		return ""
	}
	problem := walk(d.document().list("params"))
	return out, problem
}

// fixedDate stands for every date macro and every date without a default.
const fixedDate = "2026-01-15"

func sample(p *object, name string) any {
	for _, k := range []string{"value", "default"} {
		if v := plain(p.get(k)); v != nil {
			if s, ok := v.(string); ok && strings.HasPrefix(s, "$currentDate") {
				return fixedDate
			}
			return v
		}
	}
	if o, _ := first(p.list("options")).(*object); o != nil {
		v := plain(o.get("value"))
		if p.get("multiSelect") == true {
			return []any{v}
		}
		return v
	}
	lower := strings.ToLower(name)
	switch t := p.str("type"); {
	case t == "date":
		return fixedDate
	case t == "number":
		return json.Number("10")
	case t == "boolean":
		return false
	case t == "ticker" || strings.Contains(lower, "symbol") || strings.Contains(lower, "ticker"):
		return "AAPL"
	}
	return "sample"
}

func first(list []any) any {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// posts reports whether a widget's data is asked for with POST.
func (d *Definition) posts() bool {
	if ServerSide(d.Type) || d.Type == "omni" || d.Type == "multi_file_viewer" {
		return true
	}
	for _, p := range d.Params {
		if p.Type != "form" && p.Method == http.MethodPost {
			return true
		}
	}
	return false
}

// block is the part of a server-side table that is asked for.
const block = 1000

// request makes the request for a widget's data.
func request(d *Definition, u *url.URL, params map[string]any) (*http.Request, error) {
	if d.posts() {
		body := map[string]any{}
		for k, v := range params {
			body[k] = v
		}
		if ServerSide(d.Type) {
			body["startRow"], body["endRow"] = 0, block
			body["sortModel"], body["filterModel"] = []any{}, map[string]any{}
		}
		raw, err := sim.Canonical(body)
		if err != nil {
			return nil, err
		}
		req, err := http.NewRequest(http.MethodPost, u.String(), bytes.NewReader(raw))
		if err == nil {
			req.Header.Set("Content-Type", "application/json")
		}
		return req, err
	}
	at := *u
	q := at.Query()
	for k, v := range params {
		if !q.Has(k) {
			q.Set(k, wire(v))
		}
	}
	at.RawQuery = q.Encode()
	return http.NewRequest(http.MethodGet, at.String(), nil)
}

// wire spells a value in a query: lists joined with commas, words as in JSON.
func wire(v any) string {
	switch v := v.(type) {
	case bool:
		if v {
			return "true"
		}
		return "false"
	case nil:
		return ""
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = wire(e)
		}
		return strings.Join(parts, ",")
	}
	return Str(v)
}

// serve is the endpoint of a dataset.
func (d *Dataset) serve(path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if endpointPath(r.URL.Path) != path {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(d.Status)
		body, _, _ := d.answer()
		_, _ = w.Write(body)
	})
}

// A reply is the response to a request that goes to a handler directly.
type reply struct {
	header http.Header
	status int
	wrote  bool
}

func (r *reply) Header() http.Header { return r.header }

func (r *reply) WriteHeader(status int) {
	if !r.wrote {
		r.status, r.wrote = status, true
	}
}

func (r *reply) Write(b []byte) (int, error) {
	r.wrote = true
	return len(b), nil
}
