package workspace

import (
	"encoding/json"
	"errors"
	"slices"

	"benchwright/sim"
	"benchwright/sim/workspace/backend"
)

func manageBackends(c *call) *failure {
	op := c.args.text("operation")
	switch op {
	case "list":
		return c.answer(func(b []byte) []byte { return c.state.appendBackends(append(b, `{"backends":`...)) })
	case "add":
		return c.addBackend()
	case "refresh", "update", "remove":
	default:
		return c.requires("list, add, update, refresh, remove")
	}
	id := c.args.text("backend_id")
	if id == "" {
		return c.needs(op, "backend_id")
	}
	if op == "update" && !c.args.has("name") && !c.args.has("url") && !c.args.has("endpoint_headers") && !c.args.has("is_openbb_platform") {
		return c.needs(op, "at least one of name, url, endpoint_headers, or is_openbb_platform")
	}
	if f := c.backendShapes(); f != nil {
		return f
	}
	at := c.state.backend(id)
	if at < 0 {
		return invalid("Unknown backend_id.")
	}
	switch op {
	case "refresh":
		return c.refreshBackend(at)
	case "update":
		return c.updateBackend(at)
	}
	return c.removeBackend(at)
}

// backendShapes checks the shapes of arguments. The manifests have texts of their own.
func (c *call) backendShapes() *failure {
	if f := c.shapes(); f != nil {
		return f
	}
	for _, v := range c.args.list("endpoint_headers") {
		m, _ := v.(map[string]any)
		key, _ := m["key"].(string)
		_, valued := m["value"].(string)
		location, placed := m["location"].(string)
		if key == "" || !valued || placed && location != "headers" && location != "query" || len(m) > 3 || len(m) == 3 && !placed {
			return invalid("endpoint_headers must be objects with key, value, and location from {headers, query}.")
		}
	}
	return nil
}

// manifest returns the text of a manifest among the arguments, in which the order of keys counts.
func (c *call) manifest(name string) json.RawMessage {
	if !c.args.has(name) {
		return nil
	}
	var raw map[string]json.RawMessage
	if json.Unmarshal(c.raw, &raw) != nil { // it has been parsed before
		return nil
	}
	return raw[name]
}

func (c *call) addBackend() *failure {
	name, url := c.args.text("name"), c.args.text("url")
	widgets, apps := c.manifest("widgets_json"), c.manifest("apps_json")
	id := c.args.text("backend_id")
	switch {
	case widgets == nil && apps == nil && name == "":
		return invalid("manage_backends operation='add' requires name.")
	case widgets == nil && apps == nil:
		return c.addFixture(name, url, id)
	case name == "" || url == "":
		return c.needs("add", "name and url")
	}
	if f := c.backendShapes(); f != nil {
		return f
	}
	switch {
	case c.state.origin(name) != nil:
		return invalid(`A backend with the name "%s" already exists.`, shown(name))
	case widgets == nil:
		return invalid("manage_backends operation='add' with apps_json also requires widgets_json (the widgets.json content your backend serves).")
	case id != "" && c.state.backend(id) >= 0:
		return failed("Backend id %s already exists.", quoted(id))
	}
	if f := c.connected(); f != nil {
		return f
	}
	made, err := backend.Author(backend.Source{Slug: backend.Slug(name, "backend"), Name: name, URL: url, Widgets: widgets, Apps: apps})
	if err != nil {
		return failed("%s", err.Error())
	}
	s := c.edit()
	conn := &connection{
		id: s.nextBackend(id), name: made.Name, url: made.URL, source: c.authored(made),
		authored: true, added: true,
	}
	s.connect(conn)
	return c.backendAnswer("Backend added.", conn)
}

// authored returns a source of a backend that was handed in, with the answers of the task's
// datasets and without warnings where none are wanted.
func (c *call) authored(b *backend.Backend) *source {
	if !c.args.flag("validate_widgets", true) && len(b.Warnings) > 0 {
		quiet := *b
		quiet.Warnings = nil
		b = &quiet
	}
	return &source{Backend: bound(b, c.state.runtime)}
}

// backendAnswer answers as add and refresh do when they were given manifests.
func (c *call) backendAnswer(message string, conn *connection) *failure {
	return c.answer(func(b []byte) []byte {
		b = conn.append(append(b, `{"backend":`...), false)
		b = appendText(append(b, `,"backend_id":`...), conn.id)
		b = appendText(append(b, `,"message":`...), message)
		return append(append(b, `,"validation_warnings":`...), sim.MustCanonical(append([]string{}, conn.source.Warnings...))...)
	})
}

// addFixture connects a backend of the library, however often it is connected already.
func (c *call) addFixture(name, url, id string) *failure {
	if f := c.backendShapes(); f != nil {
		return f
	}
	found := c.state.library.find(name)
	if found == nil {
		return failed("Unknown fixture backend %s", quoted(name))
	}
	if id != "" && c.state.backend(id) >= 0 {
		return failed("Backend id %s already exists.", quoted(id))
	}
	if f := c.connected(); f != nil {
		return f
	}
	src, err := found.load()
	if err != nil {
		return &failure{Code: CodeCommandFailed, Message: "The backend cannot be read.", Fault: err}
	}
	if url == "" {
		url = src.URL
	}
	s := c.edit()
	conn := &connection{id: s.nextBackend(id), name: src.Name, url: url, source: src, added: true}
	s.connect(conn)
	return c.answer(func(b []byte) []byte {
		b = appendText(append(b, `{"backend_id":`...), conn.id)
		return s.appendBackends(append(b, `,"backends":`...))
	})
}

func (c *call) refreshBackend(at int) *failure {
	conn := c.state.backends[at]
	widgets, apps := c.manifest("widgets_json"), c.manifest("apps_json")
	if widgets == nil && apps == nil {
		return c.answer(func(b []byte) []byte { return appendText(append(b, `{"backend_id":`...), conn.id) })
	}
	if !conn.authored {
		return invalid("refresh with widgets_json/apps_json is only supported for custom backends added with widgets_json.")
	}
	made, err := conn.source.Refresh(widgets, apps)
	if err != nil {
		var bad *backend.Invalid
		if errors.As(err, &bad) {
			return failed("Backend refresh failed: %s", bad.Summary())
		}
		return failed("Backend refresh failed: %s", shown(err.Error()))
	}
	next := c.replace(at, connection{id: conn.id, name: conn.name, url: conn.url, source: c.authored(made), authored: true, added: true})
	return c.backendAnswer("Backend refreshed.", next)
}

// replace puts a changed backend in the place of another.
func (c *call) replace(at int, conn connection) *connection {
	conn.listing = &cached{}
	s := c.edit()
	s.backends = slices.Clone(s.backends)
	s.backends[at] = &conn
	return &conn
}

func (c *call) updateBackend(at int) *failure {
	conn := *c.state.backends[at]
	if !conn.authored {
		return invalid("update is only supported for custom backends added with widgets_json.")
	}
	name, url := c.args.text("name"), c.args.text("url")
	if other := c.state.origin(name); name != "" && other != nil && other != c.state.backends[at] {
		return invalid(`A backend with the name "%s" already exists.`, shown(name))
	}
	made := conn.source.As(backend.Slug(name, ""), name, url)
	next := c.replace(at, connection{id: conn.id, name: made.Name, url: made.URL, source: &source{Backend: made}, authored: true, added: true})
	return c.answer(func(b []byte) []byte {
		b = next.append(append(b, `{"backend":`...), true)
		return appendText(append(b, `,"backend_id":`...), next.id)
	})
}

func (c *call) removeBackend(at int) *failure {
	conn := c.state.backends[at]
	if !conn.added {
		return invalid("remove is only supported for backends added during the session.")
	}
	s := c.edit()
	s.backends = slices.Delete(slices.Clone(s.backends), at, at+1)
	return c.answer(func(b []byte) []byte {
		b = appendText(append(b, `{"backend_id":`...), conn.id)
		return append(b, `,"message":"Backend deleted."`...)
	})
}
