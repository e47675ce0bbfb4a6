package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"benchwright/sim"
)

// maxBody is the size of a request.
const maxBody = 1 << 20

// Handler serves a backend as its own server would: both manifests, every endpoint with its
// parameters in the query or the body, options, form submissions (accepted, and without
// effect: a backend is immutable), blocks of server-side tables, and the questions that a UDF
// chart asks. Any origin may ask (CORS). What the agent would see as a failure is an HTTP error
// with the text as detail.
func Handler(b *Backend) http.Handler {
	h := &handler{b: b, routes: map[string][]route{}}
	h.add("/", func(w http.ResponseWriter, _ *http.Request, _ map[string]any) {
		writeJSON(w, map[string]string{"name": b.Name})
	})
	widgets, apps := b.WidgetsJSON(), b.AppsJSON()
	h.add("/widgets.json", func(w http.ResponseWriter, _ *http.Request, _ map[string]any) { writeRaw(w, widgets) })
	h.add("/apps.json", func(w http.ResponseWriter, _ *http.Request, _ map[string]any) { writeRaw(w, apps) })
	for _, d := range b.Widgets {
		h.widget(d)
	}
	return h
}

type handler struct {
	b      *Backend
	routes map[string][]route
}

// A route is what answers at a path, if the request has the static query of the endpoint.
type route struct {
	def    *Definition
	static map[string]string
	serve  serve
}

type serve func(w http.ResponseWriter, r *http.Request, args map[string]any)

func (h *handler) add(path string, s serve) { h.routes[path] = append(h.routes[path], route{serve: s}) }

func (h *handler) at(d *Definition, endpoint string, s serve) {
	if endpoint != "" && !absolute(endpoint) {
		path := endpointPath(endpoint)
		h.routes[path] = append(h.routes[path], route{d, staticQuery(endpoint), s})
	}
}

func (h *handler) widget(d *Definition) {
	switch d.Type {
	case "iframe":
	case "advanced_charting":
		h.udf(d)
	default:
		h.at(d, d.Endpoint, func(w http.ResponseWriter, r *http.Request, args map[string]any) { h.data(w, r, d, args) })
	}
	for i := range d.Params {
		p := &d.Params[i]
		h.at(d, p.OptionsEndpoint, func(w http.ResponseWriter, _ *http.Request, args map[string]any) {
			writeRaw(w, h.b.Options(d.ID, p.Name, referred(p, args)))
		})
		if p.Type == "form" {
			h.at(d, p.Endpoint, func(w http.ResponseWriter, r *http.Request, _ map[string]any) {
				if r.Method != p.Method {
					writeError(w, http.StatusMethodNotAllowed, "Method Not Allowed")
					return
				}
				writeJSON(w, map[string]bool{"success": true})
			})
		}
	}
}

// referred turns the query of an options endpoint back into the parameters it refers to.
func referred(p *Param, query map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range p.OptionsParams {
		if name, ok := reference(v); ok && query[k] != nil {
			out[name] = query[k]
		}
	}
	return out
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Access-Control-Allow-Origin", "*")
	head.Set("Access-Control-Allow-Methods", "GET, POST, PUT, OPTIONS")
	head.Set("Access-Control-Allow-Headers", "*")
	head.Set("Access-Control-Allow-Private-Network", "true")
	head.Set("X-Content-Type-Options", "nosniff")
	switch r.Method {
	case http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut:
	default:
		writeError(w, http.StatusMethodNotAllowed, "Method Not Allowed")
		return
	}
	routes := h.routes[endpointPath(r.URL.Path)]
	if len(routes) == 0 {
		writeError(w, http.StatusNotFound, "Not Found")
		return
	}
	query := map[string]string{}
	for k, v := range r.URL.Query() {
		if s := strings.Join(v, ","); s != "" {
			query[k] = s
		}
	}
	body, err := readBody(w, r)
	if err != nil {
		status := http.StatusUnprocessableEntity
		if _, big := errors.AsType[*http.MaxBytesError](err); big {
			status = http.StatusRequestEntityTooLarge
		}
		writeError(w, status, err.Error())
		return
	}
	best := routes[0]
	for _, c := range routes[1:] {
		if within(c.static, query) && (len(c.static) > len(best.static) || !within(best.static, query)) {
			best = c
		}
	}
	args := body
	for k, v := range query {
		if _, ok := best.static[k]; !ok {
			args[k] = typed(best.def, k, v)
		}
	}
	best.serve(w, r, args)
}

// typed gives text of a query the type of its parameter, as far as answers depend on it.
func typed(d *Definition, name, text string) any {
	if d != nil {
		if p := d.Param(name); p != nil && p.Type == "boolean" {
			switch strings.ToLower(text) {
			case "true":
				return true
			case "false":
				return false
			}
		}
	}
	return text
}

// readBody returns the object in a body; none is an empty one.
func readBody(w http.ResponseWriter, r *http.Request) (map[string]any, error) {
	if r.Body == nil {
		return map[string]any{}, nil
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 || !strings.Contains(r.Header.Get("Content-Type"), "json") {
		return map[string]any{}, nil
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("the body is not valid JSON: %w", err)
	}
	if o, ok := v.(map[string]any); ok {
		return o, nil
	}
	return map[string]any{}, nil
}

// data answers for a widget.
func (h *handler) data(w http.ResponseWriter, r *http.Request, d *Definition, args map[string]any) {
	data, failure := h.b.Data(d.ID, args)
	if failure != nil {
		writeError(w, failure.http(), failure.Message)
		return
	}
	if ServerSide(d.Type) && r.Method == http.MethodPost {
		writeRaw(w, d.rowBlock(data, args))
		return
	}
	var s string
	if (d.Type == "html" || d.Type == "youtube") && json.Unmarshal(data, &s) == nil {
		media := map[string]string{"html": "text/html; charset=utf-8", "youtube": "text/plain; charset=utf-8"}[d.Type]
		w.Header().Set("Content-Type", media)
		_, _ = io.WriteString(w, s)
		return
	}
	writeRaw(w, data)
}

// http is the status by which a failure travels.
func (f *Failure) http() int {
	switch {
	case f.status != 0:
		return f.status
	case f.Code == ResponseInvalid:
		return http.StatusBadGateway
	}
	return http.StatusNotFound
}

func writeRaw(w http.ResponseWriter, raw json.RawMessage) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(raw)
}

func writeJSON(w http.ResponseWriter, v any) { writeRaw(w, sim.MustCanonical(v)) }

func writeError(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(sim.MustCanonical(map[string]string{"detail": detail}))
}
