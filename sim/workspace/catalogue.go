package workspace

import (
	"encoding/json"
	"slices"
	"strings"

	"benchwright/sim"
)

// The tools, in the order of all listings.
const (
	GetSnapshot         = "get_workspace_snapshot"
	ManageDashboard     = "manage_dashboard"
	ManageNavigationBar = "manage_navigation_bar"
	Navigate            = "navigate_workspace"
	ListWidgets         = "list_available_widgets"
	GetWidgetSchema     = "get_widget_schema"
	GetParamsOptions    = "get_params_options"
	GetWidgetData       = "get_widget_data"
	CreateWidget        = "create_widget"
	UpdateWidget        = "update_widget"
	UpdateWidgetLayout  = "update_widget_layout"
	DeleteWidget        = "delete_widget"
	AddGenerativeWidget = "add_generative_widget"
	ReadWidget          = "read_widget"
	ManageBackends      = "manage_backends"
	ManageApps          = "manage_apps"
	GetSkillContent     = "get_skill_content"
	ReadResource        = "read_workspace_resource"
	GetPrompt           = "get_workspace_prompt"
	AssignTasks         = "assign_tasks_to_agents"
)

// ToolNames returns the names of all tools in the order of listings.
func ToolNames() []string {
	names := make([]string, len(catalogue))
	for i, t := range catalogue {
		names[i] = t.name
	}
	return names
}

// Wrapper reports whether a tool exists for benchmarks alone: a server of the product offers
// resources and prompts by the protocol, not as tools.
func Wrapper(name string) bool { return name == ReadResource || name == GetPrompt }

// A tool is one entry of the catalogue.
type tool struct {
	name   string
	about  string
	params []param
	run    func(*call) *failure
	public sim.Tool
}

// A param is one argument of a tool.
type param struct {
	name     string
	shape    shape
	about    string
	required bool
	enum     []string
	schema   string // instead of what the shape gives
}

func req(p param) param { p.required = true; return p }

func text(name, about string) param { return param{name: name, shape: isText, about: about} }
func flag(name, about string) param { return param{name: name, shape: isFlag, about: about} }
func num(name, about string) param  { return param{name: name, shape: isNumber, about: about} }
func obj(name, about string) param  { return param{name: name, shape: isObject, about: about} }

func oneOf(name, about string, values ...string) param {
	return param{name: name, shape: isText, about: about, enum: values, required: true}
}

func shaped(name string, s shape, about, schema string) param {
	return param{name: name, shape: s, about: about, schema: schema}
}

var (
	dashboardParam = text("dashboard_id", "Id of the dashboard. Leave it out for the open one; never send a placeholder such as current_dashboard or null.")
	uuidParam      = text("widget_uuid", "Id of the widget instance, from a snapshot or an earlier result. Prefer it to widget_id.")
	widgetParam    = text("widget_id", "Catalog id of the widget; it works only while one instance of it is on the dashboard.")
	originParam    = req(text("origin", "The origin exactly as list_available_widgets gives it."))
	catalogParam   = req(text("widget_id", "The widget_id exactly as list_available_widgets gives it."))
	dataParam      = obj("data_args", "Parameter values by parameter name, as the widget's schema declares them.")
	dryParam       = flag("dry_run", "Only report what the call would come to; nothing changes.")
)

const (
	tabsSchema    = `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","minLength":1}},"required":["name"],"additionalProperties":false}}`
	namesSchema   = `{"type":"object","additionalProperties":{"type":"string"}}`
	payloadSchema = `{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"object"}}]}`
	chartSchema   = `{"type":"object","properties":{"chartType":{"type":"string"},"xKey":{"type":"string"},"yKey":{"type":"array","items":{"type":"string"},"minItems":1},"angleKey":{"type":"string"},"calloutLabelKey":{"type":"string"}},"required":["chartType","xKey","yKey"],"additionalProperties":false}`
	headersSchema = `{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"string"},"location":{"type":"string","enum":["headers","query"]}},"required":["key","value"],"additionalProperties":false}}`
	requestSchema = `{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"description":{"type":"string"},"assigned_holder_url":{"type":"string"},"assigned_agent_id":{"type":"string"}},"required":["id","description","assigned_holder_url","assigned_agent_id"],"additionalProperties":false}}`
)

// schema is the JSON Schema of the tool's arguments. The simulator itself ignores arguments that
// are not in it.
func (t *tool) schema() json.RawMessage {
	properties := map[string]any{}
	required := []string{}
	for _, p := range t.params {
		s := map[string]any{"type": [...]string{isText: "string", isFlag: "boolean", isNumber: "number", isObject: "object", isList: "array", isAny: ""}[p.shape]}
		if p.schema != "" {
			v, err := sim.ParseJSON([]byte(p.schema))
			if err != nil {
				panic("workspace: schema of " + t.name + ": " + err.Error())
			}
			s = v.(map[string]any)
		}
		if p.enum != nil {
			s["enum"] = p.enum
		}
		s["description"] = p.about
		properties[p.name] = s
		if p.required {
			required = append(required, p.name)
		}
	}
	return sim.MustCanonical(map[string]any{
		"type": "object", "properties": properties, "required": required, "additionalProperties": false,
	})
}

var catalogue, byName = index([]*tool{
	{
		name: GetSnapshot, run: getSnapshot,
		about: "Shows where the user is: all dashboards by name, the open dashboard with its tabs, widgets and layout, and the skills on offer. Start here; ids come from here and are never invented. Widgets of other dashboards show only after navigating there or reading them.",
	},
	{
		name: ManageDashboard, run: manageDashboard,
		about: "Creates, reads or renames a dashboard. Dashboards are addressed by id, not by name, and cannot be deleted. Renaming needs dashboard_id and name; there is no default.",
		params: []param{
			oneOf("operation", "What to do.", "create", "read", "update"), dashboardParam,
			text("name", "Name of the dashboard: required to create and to update."),
			flag("activate", "Whether a new dashboard is opened at once. Default true."),
		},
	},
	{
		name: ManageNavigationBar, run: manageNavigationBar,
		about: "Creates the navigation bar of a dashboard, or adds, removes or renames its tabs. The bar takes rows 0 and 1 of the grid, so content starts at y=2. create discards the tabs that are there. A tab's id is the slug of its first name (Risk View becomes risk-view) and stays when the tab is renamed. To fill a new tab: add it, navigate to its id, then create widgets.",
		params: []param{
			oneOf("operation", "What to do.", "create", "add_tabs", "remove_tabs", "rename_tabs"), dashboardParam,
			shaped("tabs", isList, "Tabs as objects with the single key name; for create, add_tabs and remove_tabs.", tabsSchema),
			shaped("rename_map", isObject, "New names by tab id; for rename_tabs.", namesSchema),
		},
	},
	{
		name: Navigate, run: navigate,
		about: "Opens a dashboard, a tab of it, or a tab of the open dashboard, and returns the snapshot seen from there. New widgets go to the open tab.",
		params: []param{
			oneOf("operation", "Whether to open a dashboard or a tab.", "dashboard", "tab"),
			text("dashboard_id", "Id of the dashboard; required for operation dashboard."),
			text("tab_id", "Id of the tab; required for operation tab."),
		},
	},
	{
		name: ListWidgets, run: listWidgets,
		about: "Lists the widgets that the connected backends offer, with the origin and widget_id that the other tools ask for. Without a filter the list may be long.",
		params: []param{
			text("origin", "Only widgets of this origin, spelled as in the listing."),
			text("backend_id", "Only widgets of this backend."),
		},
	},
	{
		name: GetWidgetSchema, run: getSchema,
		about:  "Shows the definition of a widget: parameters with types, defaults and options, data fields, default size. Read it before creating the widget. A parameter marked requires_options_lookup gets its options from get_params_options; others need no look-up.",
		params: []param{originParam, catalogParam},
	},
	{
		name: GetParamsOptions, run: getOptions,
		about: "Lists the values that a parameter may take. Ask only for parameters whose schema says that a look-up is needed, and send the values of the parameters they depend on.",
		params: []param{
			originParam, catalogParam, req(text("param_name", "Name of the parameter.")),
			obj("data_args", "Values of other parameters that the options depend on."),
		},
	},
	{
		name: GetWidgetData, run: getData,
		about: "Fetches the data behind a widget for given parameters, without placing it. Chart widgets give rows instead of a figure when data_args has raw=true.",
		params: []param{
			originParam, catalogParam, dataParam,
			text("widget_uuid", "The placed instance that the data is for, if there is one."),
			obj("ssm_request", "Paging, sorting and filters of a server-side table."),
		},
	},
	{
		name: CreateWidget, run: createWidget,
		about: "Places a catalog widget on a dashboard, on the open tab, below what is there. Read its schema first: parameters that the widget does not declare are dropped, missing ones take their defaults. Position and size are set afterwards with update_widget_layout. Notes are made with add_generative_widget, not with rich_note.",
		params: []param{
			originParam, catalogParam, dashboardParam, dataParam,
			obj("ui_args", "View settings of the instance."), dryParam,
		},
	},
	{
		name: UpdateWidget, run: updateWidget,
		about: "Changes parameters or view settings of a placed widget; what is not mentioned stays. Values outside a parameter's options are dropped, so check the widget that comes back. Layout is changed with update_widget_layout alone, and the text of a note cannot be changed.",
		params: []param{
			uuidParam, widgetParam, dashboardParam, dataParam,
			obj("ui_args", "View settings to change."), dryParam,
		},
	},
	{
		name: UpdateWidgetLayout, run: updateLayout,
		about: "Moves or resizes a placed widget. The grid has 40 columns; x, y, w and h are in cells and all four are required. A navigation bar takes y 0 and 1. Widgets rise into free space above them and make way for each other, and the one that was there first keeps its corner. Limits that are left out are cleared.",
		params: []param{
			uuidParam, widgetParam, dashboardParam,
			text("tab_id", "Id of the tab to move to. Leave it out to stay."),
			req(num("x", "Column of the left edge, from 0.")), req(num("y", "Row of the upper edge, from 0.")),
			req(num("w", "Width in columns.")), req(num("h", "Height in rows.")),
			num("min_w", "Least width."), num("min_h", "Least height."), num("max_w", "Greatest width."), num("max_h", "Greatest height."),
		},
	},
	{
		name: DeleteWidget, run: deleteWidget,
		about:  "Removes a widget from a dashboard. What lies below it moves up.",
		params: []param{uuidParam, widgetParam, dashboardParam},
	},
	{
		name: AddGenerativeWidget, run: addGenerative,
		about: "Adds a note, table, chart or HTML widget with content of your own. Notes and HTML take text; tables and charts take a list of row objects. Charts of every type need chart_params in camelCase with chartType, xKey and yKey. inner_tab names a tab that exists; none is created.",
		params: []param{
			oneOf("widget_type", "What to add.", generatedTypes...), dashboardParam,
			shaped("data", isAny, "The content: text for note and html, row objects for table and chart.", payloadSchema),
			text("name", "Title of the widget."), text("description", "What the widget is for."),
			shaped("chart_params", isObject, "How the rows are charted; required for charts.", chartSchema),
			text("inner_tab", "Id of the tab to add to. Leave it out for the open tab."),
		},
	},
	{
		name: ReadWidget, run: readWidget,
		about:  "Shows one placed widget: where it comes from, its parameters, its layout and, for a generated widget, its content.",
		params: []param{uuidParam, widgetParam, dashboardParam},
	},
	{
		name: ManageBackends, run: manageBackends,
		about: "Lists the connected backends, or adds, updates, refreshes or removes one. A known backend is added by name; one of your own by name, url and the manifests that it serves. Its widgets can be used when validation reports no errors; warnings do not stop it.",
		params: []param{
			oneOf("operation", "What to do.", "list", "add", "update", "refresh", "remove"),
			text("backend_id", "Id of the backend: required for update, refresh and remove."),
			text("name", "Display name; it becomes the origin of the widgets."), text("url", "Where the backend is served."),
			shaped("endpoint_headers", isList, "What is sent along with every request.", headersSchema),
			flag("validate_widgets", "Whether doubts about the manifests are reported. Default true."),
			flag("is_openbb_platform", "Whether the backend is a data platform of its own kind."),
			shaped("widgets_json", isAny, "The widgets.json that the backend serves: definitions by widget id.", `{"type":"object"}`),
			shaped("apps_json", isAny, "The apps.json that the backend serves: a list of apps.", `{"type":"array","items":{"type":"object"}}`),
		},
	},
	{
		name: ManageApps, run: manageApps,
		about: "Lists the app templates of a backend, shows one, or opens one as a new dashboard with all its tabs and widgets. Take backend_id from manage_backends list.",
		params: []param{
			oneOf("operation", "What to do.", "list", "read", "instantiate"),
			req(text("backend_id", "Id of the backend that serves the app.")),
			text("app_name", "Name of the app."), text("template_id", "Template id of the app; either of the two will do."),
			text("dashboard_name", "Name of the new dashboard. Default: the app's name."),
			flag("activate", "Whether the new dashboard is opened at once. Default true."),
		},
	},
	{
		name: GetSkillContent, run: getSkill,
		about:  "Fetches the full text of a skill that the snapshot lists. Follow what it says.",
		params: []param{req(text("slug", "Slug of the skill.")), text("reason", "Why it is needed.")},
	},
	{
		name: ReadResource, run: readResource,
		about:  "Reads a document about the workspace by its URI; " + indexURI + " lists the apps of all backends and the URIs of all documents.",
		params: []param{req(text("uri", "URI of the document."))},
	},
	{
		name: GetPrompt, run: getPrompt,
		about:  "Fetches operating guidance by its name: " + toolUsage + " or " + sessionContext + ".",
		params: []param{req(text("name", "Name of the prompt.")), obj("arguments", "Arguments of the prompt; there are none so far.")},
	},
	{
		name: AssignTasks, run: assignTasks,
		about:  "Hands tasks to other agents. The requests come back as they were sent; nothing else changes.",
		params: []param{req(shaped("task_requests", isList, "The tasks, each with the agent that is to do it.", requestSchema))},
	},
})

// index returns the tools in their order and by name, and fills in what agents are told.
func index(all []*tool) ([]*tool, map[string]*tool) {
	names := make(map[string]*tool, len(all))
	for _, t := range all {
		t.public = sim.Tool{Name: t.name, Description: t.about, Schema: t.schema()}
		names[t.name] = t
	}
	return all, names
}

// scope returns the tools that a task may use, in the order of listings.
func scope(names []string) ([]*tool, error) {
	if len(names) == 1 && names[0] == AllTools {
		return catalogue, nil
	}
	for i, name := range names {
		switch {
		case byName[name] == nil:
			return nil, errorf("unknown tool %q in scope; there are %s, or the one word %s for all of them", name, strings.Join(ToolNames(), ", "), AllTools)
		case slices.Contains(names[:i], name):
			return nil, errorf("tool %q is in scope twice", name)
		}
	}
	in := []*tool{}
	for _, t := range catalogue {
		if slices.Contains(names, t.name) {
			in = append(in, t)
		}
	}
	return in, nil
}
