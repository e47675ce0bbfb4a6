package workspace_test

import (
	"strings"
	"testing"
)

// Every text that an agent can be refused with, by tool, in the order in which the tool checks.
// Each case is a whole call: it must give exactly this code and text, and leave the state as it
// was.
func TestErrorTexts(t *testing.T) {
	const (
		notLayout = "invalid_request: update_widget only supports widget-instance config changes. Use update_widget_layout for x, y, w, h, gridData, or tab_id."
		noPublish = "invalid_request: manage_apps does not publish apps or widgets. Your backend serves them: use manage_backends operation='add' (new custom backend) or operation='refresh' (existing backend_id) with widgets_json and/or apps_json, then manage_apps can list/read/instantiate them."
		badChart  = "invalid_request: add_generative_widget with widget_type='chart' requires chart_params with chartType, xKey, and non-empty yKey."
		badTask   = "invalid_request: task_requests must be objects with only the strings id, description, assigned_holder_url, and assigned_agent_id."
		badHeader = "invalid_request: endpoint_headers must be objects with key, value, and location from {headers, query}."
		badTabs   = "invalid_request: tabs must be objects with only the key name."
	)
	mine := `{"operation":"add","name":"Mine","url":"http://x/","widgets_json":{"t":{"name":"T","description":"d","endpoint":"t"}},"apps_json":[{"name":"Lost","tabs":{"":{"id":"","name":"","layout":[{"i":"zz","x":0,"y":0,"w":5,"h":5},{"i":"aa","x":9,"y":0,"w":5,"h":5}]}}}]}`
	tests := []struct{ name, tool, args, want, before string }{
		{"unknown-tool", "no_such_tool", `{}`, "invalid_request: Unknown tool 'no_such_tool'", ""},
		{"arguments-are-a-list", "read_widget", `[]`, "invalid_request: read_widget arguments must be a JSON object.", ""},
		{"arguments-are-no-json", "read_widget", `{`, "invalid_request: read_widget arguments must be a JSON object.", ""},
		{"arguments-name-a-key-twice", "read_widget", `{"a":1,"a":1}`, "invalid_request: read_widget arguments must be a JSON object.", ""},
		{"arguments-nest-too-deep", "read_widget", `{"a":` + strings.Repeat("[", 160) + strings.Repeat("]", 160) + `}`, "invalid_request: read_widget arguments are nested deeper than 160.", ""},

		{"dashboard-create-without-name", "manage_dashboard", `{"operation":"create"}`, "invalid_request: manage_dashboard operation='create' requires name.", ""},
		{"dashboard-create-with-empty-name", "manage_dashboard", `{"operation":"create","name":""}`, "invalid_request: manage_dashboard operation='create' requires name.", ""},
		{"dashboard-create-with-null-name", "manage_dashboard", `{"operation":"create","name":null}`, "invalid_request: manage_dashboard operation='create' requires name.", ""},
		{"dashboard-create-with-number-for-name", "manage_dashboard", `{"operation":"create","name":7}`, "invalid_request: manage_dashboard operation='create' requires name.", ""},
		{"dashboard-create-with-word-for-activate", "manage_dashboard", `{"operation":"create","name":"X","activate":"no"}`, "invalid_request: activate must be a boolean.", ""},
		{"dashboard-create-with-id-that-is-taken", "manage_dashboard", `{"operation":"create","name":"X","dashboard_id":"dash_002"}`, "command_failed: Dashboard id 'dash_002' already exists.", ""},
		{"dashboard-read-unknown", "manage_dashboard", `{"operation":"read","dashboard_id":"dash_9"}`, "command_failed: Unknown dashboard_id 'dash_9'", ""},
		{"dashboard-read-placeholder", "manage_dashboard", `{"operation":"read","dashboard_id":"current_dashboard"}`, "command_failed: Unknown dashboard_id 'current_dashboard'", ""},
		{"dashboard-read-number-for-id", "manage_dashboard", `{"operation":"read","dashboard_id":1}`, "invalid_request: dashboard_id must be a string.", ""},
		{"dashboard-update-without-id", "manage_dashboard", `{"operation":"update","name":"X"}`, "invalid_request: manage_dashboard operation='update' requires dashboard_id and name.", ""},
		{"dashboard-update-without-name", "manage_dashboard", `{"operation":"update","dashboard_id":"dash_001"}`, "invalid_request: manage_dashboard operation='update' requires dashboard_id and name.", ""},
		{"dashboard-update-unknown", "manage_dashboard", `{"operation":"update","dashboard_id":"x'y","name":"X"}`, `command_failed: Unknown dashboard_id "x'y"`, ""},
		{"dashboard-delete", "manage_dashboard", `{"operation":"delete","dashboard_id":"dash_001"}`, "invalid_request: manage_dashboard requires operation from {create, read, update}.", ""},
		{"dashboard-without-operation", "manage_dashboard", `{}`, "invalid_request: manage_dashboard requires operation from {create, read, update}.", ""},

		{"bar-unknown-dashboard-before-operation", "manage_navigation_bar", `{"operation":"paint","dashboard_id":"x"}`, "command_failed: Unknown dashboard_id 'x'", ""},
		{"bar-unknown-operation", "manage_navigation_bar", `{"operation":"delete"}`, "invalid_request: manage_navigation_bar requires operation from {create, add_tabs, remove_tabs, rename_tabs}.", ""},
		{"bar-create-without-tabs", "manage_navigation_bar", `{"operation":"create"}`, "invalid_request: manage_navigation_bar operation='create' requires tabs.", ""},
		{"bar-create-with-no-tabs", "manage_navigation_bar", `{"operation":"create","tabs":[]}`, "invalid_request: manage_navigation_bar operation='create' requires tabs.", ""},
		{"bar-add-without-tabs", "manage_navigation_bar", `{"operation":"add_tabs","tabs":null}`, "invalid_request: manage_navigation_bar operation='add_tabs' requires tabs.", ""},
		{"bar-remove-without-tabs", "manage_navigation_bar", `{"operation":"remove_tabs","tabs":"Main"}`, "invalid_request: manage_navigation_bar operation='remove_tabs' requires tabs.", ""},
		{"bar-rename-without-map", "manage_navigation_bar", `{"operation":"rename_tabs"}`, "invalid_request: manage_navigation_bar operation='rename_tabs' requires rename_map.", ""},
		{"bar-rename-with-empty-map", "manage_navigation_bar", `{"operation":"rename_tabs","rename_map":{}}`, "invalid_request: manage_navigation_bar operation='rename_tabs' requires rename_map.", ""},
		{"bar-rename-to-a-number", "manage_navigation_bar", `{"operation":"rename_tabs","rename_map":{"main":1}}`, "invalid_request: rename_map must map tab ids to names.", ""},
		{"bar-tabs-as-strings", "manage_navigation_bar", `{"operation":"add_tabs","tabs":["X"]}`, badTabs, ""},
		{"bar-tabs-with-id", "manage_navigation_bar", `{"operation":"add_tabs","tabs":[{"name":"X","tab_id":"x"}]}`, badTabs, ""},
		{"bar-tabs-with-tab_name", "manage_navigation_bar", `{"operation":"add_tabs","tabs":[{"tab_name":"X"}]}`, badTabs, ""},
		{"bar-tabs-blank", "manage_navigation_bar", `{"operation":"create","tabs":[{"name":"X"},{"name":"  "}]}`, badTabs, ""},
		{"bar-dashboard-id-a-list", "manage_navigation_bar", `{"operation":"create","dashboard_id":[],"tabs":[{"name":"X"}]}`, "invalid_request: dashboard_id must be a string.", ""},

		{"navigate-without-operation", "navigate_workspace", `{"dashboard_id":"dash_001"}`, "invalid_request: navigate_workspace requires operation from {dashboard, tab}.", ""},
		{"navigate-dashboard-without-id", "navigate_workspace", `{"operation":"dashboard"}`, "invalid_request: navigate_workspace operation='dashboard' requires dashboard_id.", ""},
		{"navigate-tab-without-id", "navigate_workspace", `{"operation":"tab","dashboard_id":"dash_001"}`, "invalid_request: navigate_workspace operation='tab' requires tab_id.", ""},
		{"navigate-dashboard-unknown", "navigate_workspace", `{"operation":"dashboard","dashboard_id":"Review"}`, "invalid_request: Unknown dashboard_id.", ""},
		{"navigate-tab-of-unknown-dashboard", "navigate_workspace", `{"operation":"tab","dashboard_id":"x","tab_id":"main"}`, "command_failed: Unknown dashboard_id 'x'", ""},
		{"navigate-tab-unknown", "navigate_workspace", `{"operation":"tab","tab_id":"Main"}`, "invalid_request: Unknown tab_id.", ""},
		{"navigate-tab-a-number", "navigate_workspace", `{"operation":"dashboard","dashboard_id":"dash_002","tab_id":3}`, "invalid_request: tab_id must be a string.", ""},

		{"list-unknown-backend", "list_available_widgets", `{"backend_id":"backend_9"}`, "command_failed: Unknown backend_id 'backend_9'", ""},
		{"list-origin-a-number", "list_available_widgets", `{"origin":1}`, "invalid_request: origin must be a string.", ""},

		{"schema-without-origin", "get_widget_schema", `{"widget_id":"breach_log"}`, "invalid_request: get_widget_schema requires origin from list_available_widgets and widget_id.", ""},
		{"schema-without-widget", "get_widget_schema", `{"origin":"Desk Mini"}`, "invalid_request: get_widget_schema requires origin from list_available_widgets and widget_id.", ""},
		{"schema-unknown-origin", "get_widget_schema", `{"origin":"desk-mini","widget_id":"breach_log"}`, "command_failed: Unknown backend origin 'desk-mini'", ""},
		{"schema-unknown-widget", "get_widget_schema", `{"origin":"Desk Mini","widget_id":"x"}`, "command_failed: Unknown widget_id 'x' for backend Desk Mini", ""},

		{"options-without-param", "get_params_options", `{"origin":"Desk Mini","widget_id":"breach_log"}`, "invalid_request: get_params_options requires origin, widget_id, and param_name.", ""},
		{"options-with-list-for-args", "get_params_options", `{"origin":"Desk Mini","widget_id":"breach_log","param_name":"status","data_args":[]}`, "invalid_request: data_args must be an object.", ""},
		{"options-unknown-origin", "get_params_options", `{"origin":"x","widget_id":"breach_log","param_name":"status"}`, "command_failed: Unknown backend origin 'x'", ""},
		{"options-unknown-widget", "get_params_options", `{"origin":"Desk Mini","widget_id":"x","param_name":"status"}`, "command_failed: Unknown widget_id 'x' for backend Desk Mini", ""},

		{"data-without-widget", "get_widget_data", `{"origin":"Desk Mini"}`, "invalid_request: get_widget_data requires origin and widget_id.", ""},
		{"data-with-text-for-args", "get_widget_data", `{"origin":"Desk Mini","widget_id":"breach_log","data_args":"x"}`, "invalid_request: data_args must be an object.", ""},
		{"data-unknown-origin", "get_widget_data", `{"origin":"x","widget_id":"breach_log"}`, "command_failed: Unknown backend origin 'x'", ""},
		{"data-unknown-widget", "get_widget_data", `{"origin":"Desk Mini","widget_id":"x"}`, "command_failed: Unknown widget data endpoint for 'x'", ""},

		{"create-without-origin", "create_widget", `{"widget_id":"breach_log"}`, "invalid_request: create_widget requires origin from list_available_widgets and widget_id.", ""},
		{"create-without-widget", "create_widget", `{"origin":"Desk Mini"}`, "invalid_request: create_widget requires origin from list_available_widgets and widget_id.", ""},
		{"create-rich-note", "create_widget", `{"origin":"Desk Mini","widget_id":"rich_note"}`, "invalid_request: create_widget does not support 'rich_note'. Use add_generative_widget with widget_type='note' instead.", ""},
		{"create-with-list-for-data_args", "create_widget", `{"origin":"Desk Mini","widget_id":"breach_log","data_args":[]}`, "invalid_request: data_args and ui_args must be objects.", ""},
		{"create-with-text-for-ui_args", "create_widget", `{"origin":"Desk Mini","widget_id":"breach_log","ui_args":"x"}`, "invalid_request: data_args and ui_args must be objects.", ""},
		{"create-with-bad-config", "create_widget", `{"origin":"Desk Mini","widget_id":"breach_log","config":{"data_args":1}}`, "invalid_request: data_args and ui_args must be objects.", ""},
		{"create-unknown-dashboard-first", "create_widget", `{"origin":"x","widget_id":"y","dashboard_id":"z"}`, "command_failed: Unknown dashboard_id 'z'", ""},
		{"create-unknown-origin-next", "create_widget", `{"origin":"x","widget_id":"y"}`, "command_failed: Unknown backend origin 'x'", ""},
		{"create-unknown-widget-last", "create_widget", `{"origin":"Desk Mini","widget_id":"y"}`, "command_failed: Unknown widget_id 'y' for backend Desk Mini", ""},

		{"update-x", "update_widget", `{"widget_uuid":"w_a","x":0}`, notLayout, ""},
		{"update-gridData", "update_widget", `{"widget_uuid":"w_a","gridData":{"w":1}}`, notLayout, ""},
		{"update-tab_id", "update_widget", `{"widget_uuid":"w_a","tab_id":"main"}`, notLayout, ""},
		{"update-ui-minW", "update_widget", `{"widget_uuid":"w_a","ui_args":{"minW":3}}`, notLayout, ""},
		{"update-ui-inner_tab", "update_widget", `{"widget_uuid":"w_a","ui_args":{"inner_tab":"main"}}`, notLayout, ""},
		{"update-layout-before-look-up", "update_widget", `{"widget_uuid":"nobody","h":4}`, notLayout, ""},
		{"update-unknown-uuid", "update_widget", `{"widget_uuid":"w_1"}`, "command_failed: Unknown widget_uuid 'w_1'", ""},
		{"update-no-widget-of-that-id", "update_widget", `{"widget_id":"x"}`, "command_failed: widget_id 'x' matched 0 widgets; use widget_uuid", ""},
		{"update-twins", "update_widget", `{"widget_id":"breach_log"}`, "command_failed: widget_id 'breach_log' matched 2 widgets; use widget_uuid", ""},
		{"update-nobody", "update_widget", `{}`, "command_failed: widget_id None matched 0 widgets; use widget_uuid", ""},
		{"update-with-list-for-data_args", "update_widget", `{"widget_uuid":"w_a","data_args":[1]}`, "invalid_request: data_args and ui_args must be objects.", ""},
		{"update-on-unknown-dashboard", "update_widget", `{"widget_uuid":"w_a","dashboard_id":"x"}`, "command_failed: Unknown dashboard_id 'x'", ""},
		{"update-on-another-dashboard", "update_widget", `{"widget_uuid":"w_a","dashboard_id":"dash_002"}`, "command_failed: Unknown widget_uuid 'w_a'", ""},

		{"layout-look-up-first", "update_widget_layout", `{"widget_uuid":"x"}`, "command_failed: Unknown widget_uuid 'x'", ""},
		{"layout-without-h", "update_widget_layout", `{"widget_uuid":"w_a","x":0,"y":0,"w":4}`, "invalid_request: update_widget_layout requires x, y, w, and h.", ""},
		{"layout-with-text-for-x", "update_widget_layout", `{"widget_uuid":"w_a","x":"0","y":0,"w":4,"h":4}`, "invalid_request: update_widget_layout requires x, y, w, and h.", ""},
		{"layout-with-boolean-for-x", "update_widget_layout", `{"widget_uuid":"w_a","x":true,"y":0,"w":4,"h":4}`, "invalid_request: update_widget_layout requires x, y, w, and h.", ""},
		{"layout-out-of-reach", "update_widget_layout", `{"widget_uuid":"w_a","x":0,"y":1e10,"w":4,"h":4}`, "invalid_request: update_widget_layout requires x, y, w, and h.", ""},
		{"layout-beyond-a-float", "update_widget_layout", `{"widget_uuid":"w_a","x":0,"y":1e999,"w":4,"h":4}`, "invalid_request: update_widget_layout requires x, y, w, and h.", ""},
		{"layout-with-text-for-min_w", "update_widget_layout", `{"widget_uuid":"w_a","x":0,"y":0,"w":4,"h":4,"min_w":"2"}`, "invalid_request: min_w must be a number.", ""},
		{"layout-on-unknown-tab", "update_widget_layout", `{"widget_uuid":"w_a","x":0,"y":0,"w":4,"h":4,"tab_id":"x"}`, "invalid_request: Unknown tab_id.", ""},
		{"layout-twins", "update_widget_layout", `{"widget_id":"breach_log","x":0,"y":0,"w":4,"h":4}`, "command_failed: widget_id 'breach_log' matched 2 widgets; use widget_uuid", ""},
		{"layout-tab-a-number", "update_widget_layout", `{"widget_uuid":"w_a","x":0,"y":0,"w":4,"h":4,"tab_id":1}`, "invalid_request: tab_id must be a string.", ""},

		{"delete-unknown", "delete_widget", `{"widget_uuid":"x"}`, "command_failed: Unknown widget_uuid 'x'", ""},
		{"delete-twins", "delete_widget", `{"widget_id":"breach_log"}`, "command_failed: widget_id 'breach_log' matched 2 widgets; use widget_uuid", ""},
		{"delete-nobody", "delete_widget", `{}`, "command_failed: widget_id None matched 0 widgets; use widget_uuid", ""},
		{"delete-twice", "delete_widget", `{"widget_uuid":"w_a"}`, "command_failed: Unknown widget_uuid 'w_a'", `delete_widget {"widget_uuid":"w_a"}`},

		{"generate-without-type", "add_generative_widget", `{"data":"x"}`, "invalid_request: add_generative_widget requires widget_type from {note, table, chart, html}.", ""},
		{"generate-markdown", "add_generative_widget", `{"widget_type":"markdown","data":"x"}`, "invalid_request: add_generative_widget requires widget_type from {note, table, chart, html}.", ""},
		{"generate-note-without-data", "add_generative_widget", `{"widget_type":"note"}`, "invalid_request: add_generative_widget with widget_type='note' requires string data.", ""},
		{"generate-html-of-rows", "add_generative_widget", `{"widget_type":"html","data":[{}]}`, "invalid_request: add_generative_widget with widget_type='html' requires string data.", ""},
		{"generate-table-of-text", "add_generative_widget", `{"widget_type":"table","data":"x"}`, "invalid_request: add_generative_widget with widget_type='table' requires data as list[dict].", ""},
		{"generate-chart-of-numbers", "add_generative_widget", `{"widget_type":"chart","data":[1]}`, "invalid_request: add_generative_widget with widget_type='chart' requires data as list[dict].", ""},
		{"generate-chart-without-params", "add_generative_widget", `{"widget_type":"chart","data":[]}`, badChart, ""},
		{"generate-chart-without-yKey", "add_generative_widget", `{"widget_type":"chart","data":[],"chart_params":{"chartType":"bar","xKey":"x","yKey":[]}}`, badChart, ""},
		{"generate-chart-with-text-for-yKey", "add_generative_widget", `{"widget_type":"chart","data":[],"chart_params":{"chartType":"bar","xKey":"x","yKey":"y"}}`, badChart, ""},
		{"generate-chart-with-number-in-yKey", "add_generative_widget", `{"widget_type":"chart","data":[],"chart_params":{"chartType":"bar","xKey":"x","yKey":[1]}}`, badChart, ""},
		{"generate-pie-with-its-own-keys", "add_generative_widget", `{"widget_type":"chart","data":[],"chart_params":{"chartType":"pie","angleKey":"x","calloutLabelKey":"y"}}`, badChart, ""},
		{"generate-on-unknown-dashboard", "add_generative_widget", `{"widget_type":"note","data":"x","dashboard_id":"y"}`, "command_failed: Unknown dashboard_id 'y'", ""},
		{"generate-on-unknown-tab", "add_generative_widget", `{"widget_type":"note","data":"x","inner_tab":"y"}`, "invalid_request: Unknown tab_id.", ""},
		{"generate-with-number-for-name", "add_generative_widget", `{"widget_type":"note","data":"x","name":1}`, "invalid_request: name must be a string.", ""},

		{"read-unknown", "read_widget", `{"widget_uuid":"x"}`, "command_failed: Unknown widget_uuid 'x'", ""},
		{"read-twins", "read_widget", `{"widget_id":"breach_log"}`, "command_failed: widget_id 'breach_log' matched 2 widgets; use widget_uuid", ""},
		{"read-number-for-uuid", "read_widget", `{"widget_uuid":1}`, "invalid_request: widget_uuid must be a string.", ""},

		{"backends-without-operation", "manage_backends", `{}`, "invalid_request: manage_backends requires operation from {list, add, update, refresh, remove}.", ""},
		{"backends-delete", "manage_backends", `{"operation":"delete"}`, "invalid_request: manage_backends requires operation from {list, add, update, refresh, remove}.", ""},
		{"backends-add-without-name", "manage_backends", `{"operation":"add"}`, "invalid_request: manage_backends operation='add' requires name.", ""},
		{"backends-add-payload-without-url", "manage_backends", `{"operation":"add","name":"X","widgets_json":{}}`, "invalid_request: manage_backends operation='add' requires name and url.", ""},
		{"backends-add-payload-without-name", "manage_backends", `{"operation":"add","url":"http://x","widgets_json":{}}`, "invalid_request: manage_backends operation='add' requires name and url.", ""},
		{"backends-add-name-that-is-taken", "manage_backends", `{"operation":"add","name":"Desk Mini","url":"http://x","widgets_json":{}}`, `invalid_request: A backend with the name "Desk Mini" already exists.`, ""},
		{"backends-add-apps-alone", "manage_backends", `{"operation":"add","name":"X","url":"http://x","apps_json":[]}`, "invalid_request: manage_backends operation='add' with apps_json also requires widgets_json (the widgets.json content your backend serves).", ""},
		{"backends-add-id-that-is-taken", "manage_backends", `{"operation":"add","name":"X","url":"http://x","widgets_json":{},"backend_id":"backend_001"}`, "command_failed: Backend id 'backend_001' already exists.", ""},
		{"backends-add-invalid-widgets", "manage_backends", `{"operation":"add","name":"X","url":"http://x","widgets_json":[]}`, `command_failed: Widget validation failed: [widgets.json]: Invalid format. Expected an object map of widget_id -> definition, e.g. {"table_data": {"name": "Table data", ...}}; received an array.`, ""},
		{"backends-add-four-errors", "manage_backends", `{"operation":"add","name":"X","url":"http://x","widgets_json":{"a":{},"b":1}}`, `command_failed: Widget validation failed: [widgets.json] widget 'a': 'name' is required and must be a string. | [widgets.json] widget 'a': 'description' is required and must be a string. | [widgets.json] widget 'a': 'endpoint' is required and must be a string. (+1 more)`, ""},
		{"backends-add-invalid-apps", "manage_backends", `{"operation":"add","name":"X","url":"http://x","widgets_json":{"t":{"name":"T","description":"d","endpoint":"t"}},"apps_json":{}}`, `command_failed: App validation failed: [apps.json]: Invalid format. Expected an array of app objects.`, ""},
		{"backends-add-unknown-fixture", "manage_backends", `{"operation":"add","name":"nowhere"}`, "command_failed: Unknown fixture backend 'nowhere'", ""},
		{"backends-add-bad-header", "manage_backends", `{"operation":"add","name":"desk-mini","endpoint_headers":[{"key":"a","value":"b","location":"body"}]}`, badHeader, ""},
		{"backends-add-header-without-value", "manage_backends", `{"operation":"add","name":"desk-mini","endpoint_headers":[{"key":"a"}]}`, badHeader, ""},
		{"backends-add-word-for-validate", "manage_backends", `{"operation":"add","name":"desk-mini","validate_widgets":"no"}`, "invalid_request: validate_widgets must be a boolean.", ""},
		{"backends-refresh-without-id", "manage_backends", `{"operation":"refresh"}`, "invalid_request: manage_backends operation='refresh' requires backend_id.", ""},
		{"backends-update-without-id", "manage_backends", `{"operation":"update","name":"X"}`, "invalid_request: manage_backends operation='update' requires backend_id.", ""},
		{"backends-remove-without-id", "manage_backends", `{"operation":"remove"}`, "invalid_request: manage_backends operation='remove' requires backend_id.", ""},
		{"backends-update-nothing", "manage_backends", `{"operation":"update","backend_id":"backend_001"}`, "invalid_request: manage_backends operation='update' requires at least one of name, url, endpoint_headers, or is_openbb_platform.", ""},
		{"backends-refresh-unknown", "manage_backends", `{"operation":"refresh","backend_id":"x"}`, "invalid_request: Unknown backend_id.", ""},
		{"backends-refresh-fixture-with-payload", "manage_backends", `{"operation":"refresh","backend_id":"backend_001","widgets_json":{}}`, "invalid_request: refresh with widgets_json/apps_json is only supported for custom backends added with widgets_json.", ""},
		{"backends-refresh-invalid", "manage_backends", `{"operation":"refresh","backend_id":"backend_002","widgets_json":{"a":1}}`, "command_failed: Backend refresh failed: [widgets.json] widget 'a': definition must be an object.", "manage_backends " + mine},
		{"backends-refresh-invalid-apps", "manage_backends", `{"operation":"refresh","backend_id":"backend_002","apps_json":[1]}`, "command_failed: Backend refresh failed: [apps.json] app[0]: each app must be an object.", "manage_backends " + mine},
		{"backends-update-fixture", "manage_backends", `{"operation":"update","backend_id":"backend_001","name":"X"}`, "invalid_request: update is only supported for custom backends added with widgets_json.", ""},
		{"backends-update-name-that-is-taken", "manage_backends", `{"operation":"update","backend_id":"backend_002","name":"Desk Mini"}`, `invalid_request: A backend with the name "Desk Mini" already exists.`, "manage_backends " + mine},
		{"backends-update-unknown", "manage_backends", `{"operation":"update","backend_id":"x","name":"X"}`, "invalid_request: Unknown backend_id.", ""},
		{"backends-remove-unknown", "manage_backends", `{"operation":"remove","backend_id":"x"}`, "invalid_request: Unknown backend_id.", ""},
		{"backends-remove-of-the-setup", "manage_backends", `{"operation":"remove","backend_id":"backend_001"}`, "invalid_request: remove is only supported for backends added during the session.", ""},

		{"apps-unknown-operation", "manage_apps", `{"operation":"publish","backend_id":"backend_001"}`, "invalid_request: manage_apps requires operation from {list, read, instantiate}.", ""},
		{"apps-publish", "manage_apps", `{"operation":"list","backend_id":"backend_001","apps_json":[]}`, noPublish, ""},
		{"apps-publish-widgets", "manage_apps", `{"operation":"instantiate","widgets_json":{}}`, noPublish, ""},
		{"apps-without-backend", "manage_apps", `{"operation":"list"}`, "invalid_request: manage_apps requires backend_id.", ""},
		{"apps-read-nothing", "manage_apps", `{"operation":"read","backend_id":"backend_001"}`, "invalid_request: manage_apps operation='read' requires app_name or template_id.", ""},
		{"apps-instantiate-nothing", "manage_apps", `{"operation":"instantiate","backend_id":"backend_001"}`, "invalid_request: manage_apps operation='instantiate' requires app_name or template_id.", ""},
		{"apps-unknown-backend", "manage_apps", `{"operation":"list","backend_id":"x"}`, "command_failed: Unknown backend_id 'x'", ""},
		{"apps-unknown-app", "manage_apps", `{"operation":"read","backend_id":"backend_001","app_name":"Desk"}`, "command_failed: App 'Desk' not found. Apps served by this backend: Morning Desk (template_id morning-desk), Issuer Watch (template_id issuer-watch). Pass the app's name as app_name (or its template_id), and the new dashboard's name as dashboard_name.", ""},
		{"apps-unknown-app-of-none", "manage_apps", `{"operation":"instantiate","backend_id":"backend_002","template_id":"x"}`, "command_failed: App 'x' not found. Apps served by this backend: none. Pass the app's name as app_name (or its template_id), and the new dashboard's name as dashboard_name.", `manage_backends {"operation":"add","name":"Bare","url":"http://x","widgets_json":{}}`},
		{"apps-widgets-unavailable", "manage_apps", `{"operation":"instantiate","backend_id":"backend_002","app_name":"Lost"}`, "command_failed: Unable to create app because these widgets are unavailable: aa, zz", "manage_backends " + mine},

		{"skill-without-slug", "get_skill_content", `{}`, "invalid_request: get_skill_content requires slug.", ""},
		{"skill-unknown", "get_skill_content", `{"slug":"x"}`, "invalid_request: Unknown skill slug 'x'.", ""},
		{"resource-without-uri", "read_workspace_resource", `{}`, "invalid_request: read_workspace_resource requires uri.", ""},
		{"resource-unknown", "read_workspace_resource", `{"uri":"openbb://x"}`, "invalid_request: Unknown workspace resource URI 'openbb://x'. Valid URIs: openbb://workspace/app-builder/index, openbb://workspace/contract/backend, openbb://workspace/examples/generic-http/minimal, openbb://workspace/examples/python-fastapi/minimal, openbb://workspace/guides/build-an-app, openbb://workspace/guides/convert-endpoint-to-widget, openbb://workspace/guides/debug-app, openbb://workspace/guides/review-app, openbb://workspace/overview/ai-agent-contract, openbb://workspace/overview/what-is-workspace, openbb://workspace/specs/apps-json, openbb://workspace/specs/layout-grid, openbb://workspace/specs/widget-parameters, openbb://workspace/specs/widget-types, openbb://workspace/specs/widgets-json, openbb://workspace/validation/common-errors, openbb://workspace/skills/breach-review, openbb://workspace/skills/desk-handover.", ""},
		{"prompt-without-name", "get_workspace_prompt", `{}`, "invalid_request: get_workspace_prompt requires name.", ""},
		{"prompt-unknown", "get_workspace_prompt", `{"name":"x"}`, "invalid_request: Unknown workspace prompt 'x'. Valid prompts: workspace_session_context, workspace_tool_usage.", ""},

		{"assign-nothing", "assign_tasks_to_agents", `{}`, "invalid_request: assign_tasks_to_agents requires task_requests.", ""},
		{"assign-with-a-key-missing", "assign_tasks_to_agents", `{"task_requests":[{"id":"1","description":"d","assigned_holder_url":"u"}]}`, badTask, ""},
		{"assign-with-a-key-more", "assign_tasks_to_agents", `{"task_requests":[{"id":"1","description":"d","assigned_holder_url":"u","assigned_agent_id":"a","x":"y"}]}`, badTask, ""},
		{"assign-in-camel-case", "assign_tasks_to_agents", `{"task_requests":[{"id":"1","description":"d","assignedHolderUrl":"u","assigned_agent_id":"a"}]}`, badTask, ""},
		{"assign-with-number-for-id", "assign_tasks_to_agents", `{"task_requests":[{"id":1,"description":"d","assigned_holder_url":"u","assigned_agent_id":"a"}]}`, badTask, ""},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		if seen[test.name] {
			t.Fatalf("two cases are named %s", test.name)
		}
		seen[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			d := open(t, reviewSetup)
			if tool, args, ok := strings.Cut(test.before, " "); ok {
				d.ok(tool, args)
			}
			equal(t, "refused with", d.refused(test.tool, test.args), test.want)
		})
	}
}

// With nothing open, tools that work on the open dashboard have none.
func TestNoActiveDashboard(t *testing.T) {
	const setup = `{"backends":["desk-mini"],"state":{"dashboards":[{"name":"A","activate":false}]}}`
	for tool, args := range map[string]string{
		"manage_dashboard":      `{"operation":"read"}`,
		"manage_navigation_bar": `{"operation":"create","tabs":[{"name":"X"}]}`,
		"navigate_workspace":    `{"operation":"tab","tab_id":""}`,
		"create_widget":         `{"origin":"Desk Mini","widget_id":"cash_level"}`,
		"update_widget":         `{"widget_uuid":"x"}`,
		"update_widget_layout":  `{"widget_uuid":"x"}`,
		"delete_widget":         `{"widget_uuid":"x"}`,
		"add_generative_widget": `{"widget_type":"note","data":"x"}`,
		"read_widget":           `{"widget_uuid":"x"}`,
	} {
		t.Run(tool, func(t *testing.T) {
			equal(t, "refused with", open(t, setup).refused(tool, args), "command_failed: No active dashboard")
		})
	}
	d := open(t, setup)
	d.ok("get_workspace_snapshot", `{}`).want("session_context", `{"current_dashboard_uuid":null,"current_tab_id":null}`)
	d.ok("get_workspace_prompt", `{"name":"workspace_session_context"}`)
}

func TestToolOutOfScope(t *testing.T) {
	d := scoped(t, reviewSetup, "read_widget", "get_workspace_snapshot")
	equal(t, "refused with", d.refused("delete_widget", `{"widget_uuid":"w_a"}`), "invalid_request: Tool 'delete_widget' is not allowed.")
	equal(t, "refused with", d.refused("x", `{}`), "invalid_request: Unknown tool 'x'")
	d.ok("read_widget", `{"widget_uuid":"w_a"}`)
}
