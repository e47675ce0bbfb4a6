package workspace

import (
	"slices"
	"strings"

	"benchwright/sim"
)

// A Resource is a document that an agent may read.
type Resource struct{ URI, Name, Description string }

const (
	resourcePrefix = "openbb://workspace/"
	indexURI       = resourcePrefix + "app-builder/index"
	skillPrefix    = resourcePrefix + "skills/"
)

var resources = []Resource{
	{indexURI, "App Builder Index", "Every app that the connected backends serve, with its template id and tabs, and what else there is to read."},
	{resourcePrefix + "overview/what-is-workspace", "What Workspace Is", "Dashboards, tabs, widgets and backends in a few words."},
	{resourcePrefix + "overview/ai-agent-contract", "AI Agent Contract", "What an agent may rely on, and what it must not do."},
	{resourcePrefix + "contract/backend", "Backend Contract", "What a backend serves and how its endpoints answer."},
	{resourcePrefix + "specs/widgets-json", "widgets.json Spec", "The fields of a widget definition."},
	{resourcePrefix + "specs/apps-json", "apps.json Spec", "The fields of an app template."},
	{resourcePrefix + "specs/widget-types", "Widget Types", "The types of widgets and what each expects as data."},
	{resourcePrefix + "specs/widget-parameters", "Widget Parameters", "The types of parameters and how their options are found."},
	{resourcePrefix + "specs/layout-grid", "Layout Grid and Groups", "Columns, rows, gravity, and parameters that widgets share."},
	{resourcePrefix + "guides/build-an-app", "Build an App", "From manifests to an open dashboard, step by step."},
	{resourcePrefix + "guides/review-app", "Review an App", "What to look at before an app is handed over."},
	{resourcePrefix + "guides/debug-app", "Debug an App", "Symptoms and where to look for their causes."},
	{resourcePrefix + "guides/convert-endpoint-to-widget", "Convert an Existing Endpoint to a Widget", "How a plain endpoint becomes a widget."},
	{resourcePrefix + "examples/generic-http/minimal", "Minimal Backend (Generic HTTP)", "The least that any HTTP server must do to be a backend."},
	{resourcePrefix + "examples/python-fastapi/minimal", "Minimal Backend (Python + FastAPI)", "The same in Python."},
	{resourcePrefix + "validation/common-errors", "Common Errors", "Messages of validation and what they ask for."},
}

// Resources lists the documents in the order in which the product lists them.
func Resources() []Resource { return slices.Clone(resources) }

// A Prompt is a text that a host may put before a model.
type Prompt struct{ Name, Description string }

const (
	toolUsage      = "workspace_tool_usage"
	sessionContext = "workspace_session_context"
)

var prompts = []Prompt{
	{toolUsage, "How to work with the workspace through its tools."},
	{sessionContext, "Where the user is in the workspace right now."},
}

// Prompts lists the prompts.
func Prompts() []Prompt { return slices.Clone(prompts) }

func getSkill(c *call) *failure {
	name := c.args.text("slug")
	if name == "" {
		return invalid("get_skill_content requires slug.")
	}
	k := c.state.skill(name)
	if k == nil {
		return invalid("Unknown skill slug %s.", quoted(name))
	}
	return c.answer(func(b []byte) []byte {
		b = appendText(append(b, `{"content":`...), k.Content)
		return k.append(b)
	})
}

// append appends the members of a skill but for its content.
func (k *Skill) append(b []byte) []byte {
	b = appendText(append(b, `,"description":`...), k.Description)
	b = appendText(append(b, `,"name":`...), k.Name)
	return appendText(append(b, `,"slug":`...), k.Slug)
}

// skill returns a declared skill, or nil.
func (s *state) skill(slug string) *Skill {
	if i := slices.IndexFunc(s.skills, func(k *Skill) bool { return k.Slug == slug }); i >= 0 {
		return s.skills[i]
	}
	return nil
}

func readResource(c *call) *failure {
	uri := c.args.text("uri")
	if uri == "" {
		return invalid("read_workspace_resource requires uri.")
	}
	if uri == indexURI {
		return c.indexAnswer()
	}
	if text, ok := c.state.library.texts[uri]; ok {
		return c.answer(func(b []byte) []byte {
			b = appendText(append(b, `{"mime_type":"text/markdown","text":`...), text)
			return appendText(append(b, `,"uri":`...), uri)
		})
	}
	if name, ok := strings.CutPrefix(uri, skillPrefix); ok {
		if k := c.state.skill(name); k != nil {
			return c.answer(func(b []byte) []byte {
				b = appendText(append(b, `{"content":`...), k.Content)
				b = append(k.append(b), `,"mime_type":"application/json"`...)
				b = appendText(append(b, `,"text":`...), k.Name+": "+k.Description+" "+k.Content)
				return appendText(append(b, `,"uri":`...), uri)
			})
		}
	}
	return invalid("Unknown workspace resource URI %s. Valid URIs: %s.", quoted(uri), strings.Join(c.state.uris(), ", "))
}

// uris lists what can be read: the index, the documents and the declared skills, sorted.
func (s *state) uris() []string {
	var documents, skills []string
	for _, r := range resources[1:] {
		documents = append(documents, r.URI)
	}
	for _, k := range s.skills {
		skills = append(skills, skillPrefix+k.Slug)
	}
	slices.Sort(documents)
	slices.Sort(skills)
	return slices.Concat([]string{indexURI}, documents, skills)
}

// indexAnswer answers with every app that is served, and with what else can be read: whoever cannot list
// resources finds them here.
func (c *call) indexAnswer() *failure {
	type entry struct {
		BackendID   string   `json:"backend_id"`
		BackendName string   `json:"backend_name"`
		BackendSlug string   `json:"backend_slug"`
		Name        string   `json:"name"`
		TemplateID  string   `json:"template_id"`
		Description string   `json:"description"`
		TabIDs      []string `json:"tab_ids"`
	}
	apps := []entry{}
	lines := []string{"Workspace app builder index"}
	for _, conn := range c.state.backends {
		for _, a := range conn.source.Apps {
			tabs := []string{}
			for _, t := range a.Tabs {
				tabs = append(tabs, t.Key)
			}
			slices.Sort(tabs)
			apps = append(apps, entry{conn.id, conn.name, conn.source.Slug, a.Name, a.TemplateID, a.Description, tabs})
			lines = append(lines, strings.Join([]string{conn.name, a.Name, a.TemplateID, a.Description, "tabs=" + strings.Join(tabs, ",")}, " | "))
		}
	}
	return c.answer(func(b []byte) []byte {
		b = append(append(b, `{"apps":`...), sim.MustCanonical(apps)...)
		b = append(append(b, `,"documents":`...), sim.MustCanonical(c.state.uris()[1:])...)
		b = appendText(append(b, `,"mime_type":"application/json","text":`...), strings.Join(lines, "\n"))
		return appendText(append(b, `,"uri":`...), indexURI)
	})
}

func getPrompt(c *call) *failure {
	name := c.args.text("name")
	if name == "" {
		return invalid("get_workspace_prompt requires name.")
	}
	i := slices.IndexFunc(prompts, func(p Prompt) bool { return p.Name == name })
	if i < 0 {
		return invalid("Unknown workspace prompt %s. Valid prompts: %s, %s.", quoted(name), sessionContext, toolUsage)
	}
	messages := []string{c.state.where() + " " + c.state.library.prompts[sessionContext]}
	if name == toolUsage {
		messages = []string{c.state.library.prompts[toolUsage], c.state.where()}
	}
	return c.answer(func(b []byte) []byte {
		b = appendText(append(b, `{"description":`...), prompts[i].Description)
		b = append(b, `,"messages":[`...)
		for i, m := range messages {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendText(append(b, `{"content":`...), m)
			b = append(b, `,"role":"user"}`...)
		}
		b = appendText(append(b, `],"name":`...), name)
		return appendText(append(b, `,"text":`...), strings.Join(messages, "\n\n"))
	})
}

// where is the line of the product that says where the user is.
func (s *state) where() string {
	id, tab := "none", "none"
	if d := s.current(); d != nil {
		id = d.id
		if s.tab != "" {
			tab = s.tab
		}
	}
	return "Current Workspace browser session context: current_dashboard_id=" + id + "; current_tab_id=" + tab + "."
}

func assignTasks(c *call) *failure {
	requests, ok := c.args["task_requests"].([]any)
	if !ok {
		return invalid("assign_tasks_to_agents requires task_requests.")
	}
	for _, r := range requests {
		if !texts(r, "id", "description", "assigned_holder_url", "assigned_agent_id") {
			return invalid("task_requests must be objects with only the strings id, description, assigned_holder_url, and assigned_agent_id.")
		}
	}
	return c.answer(func(b []byte) []byte { return sim.AppendCanonical(append(b, `{"task_requests":`...), requests) })
}
