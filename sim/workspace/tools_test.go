package workspace_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// What the tools do beyond what surprises: one case a rule.
func TestTools(t *testing.T) {
	tests := []struct {
		name string
		play func(t *testing.T, d *desk)
	}{
		{"create-opens-the-dashboard", func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"create","name":"New"}`).want("session_context", `{"current_dashboard_uuid":"dash_003","current_tab_id":""}`)
		}},
		{"create-in-the-background", func(t *testing.T, d *desk) {
			r := d.ok("manage_dashboard", `{"operation":"create","name":"New","activate":false}`)
			r.want("dashboard_composition", `{"dashboard_id":"dash_003","name":"New","navigation_bar":false,"tabs":[{"id":"","layout":[],"name":""}],"widgets":[]}`)
			r.want("session_context", `{"current_dashboard_uuid":"dash_001","current_tab_id":"main"}`)
		}},
		{"two-dashboards-of-one-name", func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"create","name":"Review"}`).want("dashboard_id", `"dash_003"`)
		}},
		{"rename-to-nothing", func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"update","dashboard_id":"dash_002","name":""}`).want("name", `""`)
		}},
		{"rename-does-not-open", func(t *testing.T, d *desk) {
			d.ok("manage_dashboard", `{"operation":"update","dashboard_id":"dash_002","name":"X","activate":true}`).want("session_context.current_dashboard_uuid", `"dash_001"`)
		}},

		{"add_tabs-keeps-what-is-there", func(t *testing.T, d *desk) {
			r := d.ok("manage_navigation_bar", `{"operation":"add_tabs","tabs":[{"name":"MAIN!"},{"name":"Risk & Limits"},{"name":"risk limits"},{"name":"***"}]}`)
			r.want("dashboard_composition.tabs.0.name", `"Main"`)
			r.want("dashboard_composition.tabs.2", `{"id":"risk-limits","layout":[],"name":"Risk & Limits"}`)
			r.want("dashboard_composition.tabs.3.id", `"tab"`)
			r.want("session_context.current_tab_id", `"main"`)
			equal(t, "number of tabs", canonical(len(d.snapshot().Composition.Tabs)), "4")
		}},
		{"the-default-tab-stays", func(t *testing.T, d *desk) {
			d.ok("manage_navigation_bar", `{"operation":"add_tabs","dashboard_id":"dash_002","tabs":[{"name":"One"}]}`).want("dashboard_composition.tabs", `[{"id":"","layout":[],"name":""},{"id":"one","layout":[],"name":"One"}]`)
		}},
		{"removing-the-open-tab", func(t *testing.T, d *desk) {
			r := d.ok("manage_navigation_bar", `{"operation":"remove_tabs","tabs":[{"name":"main"}]}`)
			r.want("session_context.current_tab_id", `"side_board"`)
			equal(t, "orphan", d.at("w_a"), "main 0,0 20x14")
			if n := len(d.snapshot().Composition.Widgets); n != 4 {
				t.Errorf("%d widgets", n)
			}
		}},
		{"removing-all-tabs", func(t *testing.T, d *desk) {
			d.ok("manage_navigation_bar", `{"operation":"create","tabs":[{"name":"One"}]}`)
			r := d.ok("manage_navigation_bar", `{"operation":"remove_tabs","tabs":[{"name":"One"}]}`)
			r.want("dashboard_composition.tabs", `[]`)
			r.want("session_context.current_tab_id", `""`)
			d.ok("create_widget", breachArgs(`{}`)).want("widget.layout.tab_id", `""`)
			d.ok("manage_dashboard", `{"operation":"read"}`).want("dashboard_composition.tabs.0.id", `""`)
		}},
		{"the-first-tab-of-a-dashboard-without-tabs-is-opened", func(t *testing.T, d *desk) {
			d.ok("manage_navigation_bar", `{"operation":"create","tabs":[{"name":"One"}]}`)
			d.ok("manage_navigation_bar", `{"operation":"remove_tabs","tabs":[{"name":"One"}]}`)
			d.ok("manage_navigation_bar", `{"operation":"add_tabs","tabs":[{"name":"Two"},{"name":"Three"}]}`).want("session_context.current_tab_id", `"two"`)
		}},
		{"tabs-of-another-dashboard-leave-the-open-tab-alone", func(t *testing.T, d *desk) {
			d.ok("manage_navigation_bar", `{"operation":"create","dashboard_id":"dash_002","tabs":[{"name":"One"}]}`).want("session_context", `{"current_dashboard_uuid":"dash_001","current_tab_id":"main"}`)
		}},
		{"content-starts-below-the-bar", func(t *testing.T, d *desk) {
			d.ok("manage_navigation_bar", `{"operation":"create","dashboard_id":"dash_002","tabs":[{"name":"One"}]}`)
			d.ok("navigate_workspace", `{"operation":"dashboard","dashboard_id":"dash_002"}`)
			w := d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"cash_level"}`)
			w.want("widget.layout", `{"h":5,"tab_id":"one","w":10,"x":0,"y":2}`)
			d.ok("update_widget_layout", `{"widget_id":"cash_level","x":9,"y":300,"w":10,"h":5}`).want("widget.layout.y", `2`)
		}},

		{"navigating-opens-the-first-tab", func(t *testing.T, d *desk) {
			d.ok("navigate_workspace", `{"operation":"tab","tab_id":"side_board"}`).want("session_context.current_tab_id", `"side_board"`)
			d.ok("navigate_workspace", `{"operation":"dashboard","dashboard_id":"dash_002"}`).want("session_context", `{"current_dashboard_uuid":"dash_002","current_tab_id":""}`)
			r := d.ok("navigate_workspace", `{"operation":"dashboard","dashboard_id":"dash_001","tab_id":"side_board"}`)
			r.want("session_context", `{"current_dashboard_uuid":"dash_001","current_tab_id":"side_board"}`)
			r.want("dashboard_composition.dashboard_id", `"dash_001"`)
			d.ok("navigate_workspace", `{"operation":"tab","dashboard_id":"dash_002","tab_id":""}`).want("session_context.current_dashboard_uuid", `"dash_002"`)
		}},
		{"navigating-shows-no-more-than-a-snapshot", func(t *testing.T, d *desk) {
			nav := d.ok("navigate_workspace", `{"operation":"tab","tab_id":"main"}`)
			snap := d.ok("get_workspace_snapshot", `{}`)
			delete(nav.m, "generated_at")
			delete(snap.m, "generated_at")
			equal(t, "seen", canonical(nav.m), canonical(snap.m))
		}},
		{"a-dashboard-opens-although-its-tab-is-unknown", func(t *testing.T, d *desk) {
			equal(t, "refused with", d.refused("navigate_workspace", `{"operation":"dashboard","dashboard_id":"dash_002","tab_id":"x"}`), "invalid_request: Unknown tab_id.")
			d.ok("manage_dashboard", `{"operation":"read"}`).want("dashboard_id", `"dash_002"`)
		}},

		{"a-schema-marks-what-must-be-looked-up", func(t *testing.T, d *desk) {
			s := d.ok("get_widget_schema", `{"origin":"Desk Mini","widget_id":"issuer_profile"}`)
			s.want("schema.params.1.requires_options_lookup", `true`)
			s.want("schema.params.1.options_lookup_params", `["sector"]`)
			s.want("schema.origin", `"Desk Mini"`)
			s.want("schema.grid_data", `{"h":10,"w":20}`)
			if strings.Contains(s.get("schema.params.0"), "lookup") || strings.Contains(s.get("schema"), "norvale") {
				t.Error("a parameter without an endpoint is marked, or rows are shown")
			}
		}},
		{"options-of-an-endpoint-depend-on-other-arguments", func(t *testing.T, d *desk) {
			const args = `{"origin":"Desk Mini","widget_id":"issuer_profile","param_name":"issuer"`
			d.ok("get_params_options", args+`,"data_args":{"sector":"Transport"}}`).want("options", `[{"label":"Sable Rail","value":"sable-rail"}]`)
			d.ok("get_params_options", args+`}`).want("options.0.value", `"norvale"`)
		}},

		{"create-takes-other-spellings", func(t *testing.T, d *desk) {
			w := d.ok("create_widget", `{"backend_name":"Desk Mini","widget_id":"breach_log","config":{"data_args":{"severity":"Low"},"ui_args":{"zoom":2}}}`)
			w.want("widget.data_args.severity", `"Low"`)
			w.want("widget.ui_args", `{"zoom":2}`)
		}},
		{"create-lands-on-the-open-tab", func(t *testing.T, d *desk) {
			d.ok("navigate_workspace", `{"operation":"tab","tab_id":"side_board"}`)
			d.ok("create_widget", breachArgs(`{}`)).want("widget.layout", `{"h":14,"tab_id":"side_board","w":20,"x":0,"y":0}`)
			d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"cash_level","dashboard_id":"dash_002"}`).want("widget.layout.tab_id", `""`)
		}},
		{"create-lands-on-the-first-tab-of-another-dashboard", func(t *testing.T, d *desk) {
			d.ok("navigate_workspace", `{"operation":"dashboard","dashboard_id":"dash_002"}`)
			d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"rate_sheet","dashboard_id":"dash_001"}`).want("widget.layout", `{"h":10,"tab_id":"main","w":20,"x":0,"y":19}`)
		}},
		{"create-tells-everything-about-the-widget", func(t *testing.T, d *desk) {
			d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"cash_level"}`).want("widget", `{"chart_params":null,"data_args":{},"description":"Cash at hand today and the change since yesterday.","generated":false,"generated_data":null,"layout":{"h":5,"tab_id":"main","w":10,"x":0,"y":19},"name":"Cash Level","origin":"Desk Mini","type":"metric","ui_args":{},"widget_id":"cash_level","widget_uuid":"widget_005"}`)
		}},
		{"a-value-of-null-is-a-value", func(t *testing.T, d *desk) {
			d.ok("create_widget", breachArgs(`{"severity":null}`)).want("widget.data_args.severity", `null`)
			d.ok("update_widget", `{"widget_uuid":"w_a","data_args":{"severity":null}}`).want("widget.data_args.severity", `"High"`)
		}},
		{"several-values-of-a-multi-select", func(t *testing.T, d *desk) {
			uuid := d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"market_news","data_args":{"topics":["rates","moon"]}}`).get("widget.widget_uuid")
			set := func(v string) string {
				return d.ok("update_widget", `{"widget_uuid":`+uuid+`,"data_args":{"topics":`+v+`}}`).get("widget.data_args.topics")
			}
			equal(t, "as created", d.ok("read_widget", `{"widget_uuid":`+uuid+`}`).get("widget.data_args.topics"), `["rates","moon"]`)
			equal(t, "list of options", set(`["fx","credit"]`), `["fx","credit"]`)
			equal(t, "list with another", set(`["fx","moon"]`), `["fx","credit"]`)
			equal(t, "text", set(`"rates,fx"`), `"rates,fx"`)
			equal(t, "text with another", set(`"rates,moon"`), `"rates,fx"`)
		}},
		{"a-macro-is-kept-as-it-is", func(t *testing.T, d *desk) {
			d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"curve_points","data_args":{"date":"$currentDate-3M"}}`).want("widget.data_args.date", `"$currentDate-3M"`)
		}},
		{"numbers-are-kept-as-they-are-spelled", func(t *testing.T, d *desk) {
			d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"curve_points","data_args":{"tenor_max":10.50}}`).want("widget.data_args.tenor_max", `10.50`)
		}},
		{"dry-runs-change-nothing", func(t *testing.T, d *desk) {
			before := d.state()
			r := d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"breach_log","data_args":{"severity":"Purple","colour":1},"dry_run":true}`)
			r.want("valid", `true`)
			r.want("effective_params", `{"period":"QTD","severity":"Purple","status":"Open"}`)
			r.want("warnings", `["data_args 'colour' is not declared and would be dropped.","data_args 'severity' is none of the options and would be kept."]`)
			r = d.ok("update_widget", `{"widget_uuid":"w_a","data_args":{"severity":"Purple","status":"Open"},"dry_run":true}`)
			r.want("effective_params", `{"period":"YTD","severity":"High","status":"Open"}`)
			r.want("warnings", `["data_args 'severity' is none of the options and would be dropped."]`)
			r = d.ok("update_widget", `{"widget_uuid":"nobody","dry_run":true}`)
			r.want("valid", `false`)
			r.want("warnings", `["Unknown widget_uuid 'nobody'"]`)
			d.ok("create_widget", `{"origin":"x","widget_id":"y","dry_run":true}`).want("valid", `false`)
			d.refused("create_widget", `{"origin":"x","dry_run":true}`)
			equal(t, "state", d.state(), before)
		}},

		{"update-merges", func(t *testing.T, d *desk) {
			d.ok("update_widget", `{"widget_uuid":"w_a","data_args":{"status":"Open"},"ui_args":{"a":1}}`).want("widget.data_args", `{"period":"YTD","severity":"High","status":"Open"}`)
			d.ok("update_widget", `{"widget_uuid":"w_a","ui_args":{"b":[2]}}`).want("widget.ui_args", `{"a":1,"b":[2]}`)
		}},
		{"update-of-nothing-is-ok", func(t *testing.T, d *desk) {
			before := d.state()
			d.ok("update_widget", `{"widget_uuid":"w_a","data_args":{}}`).want("widget.widget_uuid", `"w_a"`)
			equal(t, "state", d.state(), before)
		}},
		{"update-of-a-generated-widget-is-unchecked", func(t *testing.T, d *desk) {
			d.ok("update_widget", `{"widget_uuid":"w_n","data_args":{"anything":{"at":"all"}}}`).want("widget.data_args", `{"anything":{"at":"all"}}`)
		}},
		{"a-uuid-wins-over-a-widget-id", func(t *testing.T, d *desk) {
			d.ok("read_widget", `{"widget_uuid":"w_a","widget_id":"cash_level"}`).want("widget.widget_id", `"breach_log"`)
		}},
		{"widgets-are-found-on-all-tabs", func(t *testing.T, d *desk) {
			d.ok("navigate_workspace", `{"operation":"tab","tab_id":"side_board"}`)
			d.ok("read_widget", `{"widget_id":"cash_level"}`).want("widget.layout.tab_id", `"main"`)
		}},

		{"moving-to-another-tab-settles-both", func(t *testing.T, d *desk) {
			d.ok("update_widget_layout", `{"widget_uuid":"w_a","tab_id":"side_board","x":5,"y":70,"w":20,"h":14}`).want("widget.layout", `{"h":14,"tab_id":"side_board","w":20,"x":5,"y":0}`)
			equal(t, "left behind", d.at("w_c"), "main 0,0 10x5")
			equal(t, "beside it", d.at("w_b"), "main 20,0 20x14")
		}},
		{"moving-onto-others-pushes-them", func(t *testing.T, d *desk) {
			d.ok("update_widget_layout", `{"widget_uuid":"w_c","x":0,"y":0,"w":40,"h":4}`).want("widget.layout.y", `14`)
			d.ok("update_widget_layout", `{"widget_uuid":"w_c","x":0,"y":-1,"w":40,"h":4}`).want("widget.layout.y", `-1`)
			equal(t, "pushed", d.at("w_a"), "main 0,3 20x14")
		}},
		{"an-orphan-can-be-brought-home", func(t *testing.T, d *desk) {
			d.ok("manage_navigation_bar", `{"operation":"create","tabs":[{"name":"Home"}]}`)
			d.ok("update_widget_layout", `{"widget_uuid":"w_a","tab_id":"home","x":0,"y":2,"w":20,"h":14}`)
			equal(t, "home", d.at("w_a"), "home 0,2 20x14")
			d.ok("update_widget_layout", `{"widget_uuid":"w_b","x":0,"y":9,"w":20,"h":14}`).want("widget.layout.tab_id", `"main"`)
		}},
		{"a-layout-in-fractions", func(t *testing.T, d *desk) {
			d.ok("update_widget_layout", `{"widget_uuid":"w_c","x":0.0,"y":14.0,"w":10.0,"h":1e1}`).want("widget.layout", `{"h":10,"tab_id":"main","w":10,"x":0,"y":14}`)
			d.ok("update_widget_layout", `{"widget_uuid":"w_c","x":-0.0,"y":14,"w":10.25,"h":5}`).want("widget.layout", `{"h":5,"tab_id":"main","w":10.25,"x":0,"y":14}`)
		}},

		{"delete-tells-which", func(t *testing.T, d *desk) {
			d.ok("delete_widget", `{"widget_id":"cash_level"}`).want("deleted_widget_uuid", `"w_c"`)
		}},

		{"generated-widgets-have-sizes-of-their-own", func(t *testing.T, d *desk) {
			d.ok("navigate_workspace", `{"operation":"tab","tab_id":"side_board"}`)
			note := d.ok("add_generative_widget", `{"widget_type":"html","data":"<b>x</b>","description":"why"}`)
			note.want("widget", `{"chart_params":null,"data_args":{},"description":"why","generated":true,"generated_data":"<b>x</b>","layout":{"h":8,"tab_id":"side_board","w":20,"x":0,"y":0},"name":"Html","origin":"generated","type":"html","ui_args":{},"widget_id":"generated_html","widget_uuid":"widget_005"}`)
			chart := d.ok("add_generative_widget", `{"widget_type":"chart","name":"Mine","data":[{"b":1,"a":"x"}],"chart_params":{"chart_type":"bar","x_key":"a","yKey":["b"],"y_key":["ignored"]}}`)
			chart.want("widget.chart_params", `{"chartType":"bar","xKey":"a","yKey":["b"]}`)
			chart.want("widget.layout", `{"h":12,"tab_id":"side_board","w":24,"x":0,"y":8}`)
			chart.want("widget.name", `"Mine"`)
			d.ok("add_generative_widget", `{"widget_type":"table","data":[],"chart_params":{"x":1}}`).want("widget.chart_params", `null`)
		}},
		{"inner_tab-names-a-tab", func(t *testing.T, d *desk) {
			d.ok("add_generative_widget", `{"widget_type":"note","data":"x","inner_tab":"side_board"}`).want("widget.layout", `{"h":8,"tab_id":"side_board","w":20,"x":0,"y":0}`)
			d.ok("add_generative_widget", `{"widget_type":"note","data":"","dashboard_id":"dash_002","inner_tab":""}`).want("widget.layout.tab_id", `""`)
		}},

		{"instantiating-keeps-places-and-sanitises-arguments", func(t *testing.T, d *desk) {
			r := d.ok("manage_apps", `{"operation":"instantiate","backend_id":"backend_001","app_name":"Morning Desk","dashboard_name":"Mine"}`)
			r.want("name", `"Mine"`)
			r.want("dashboard_composition.navigation_bar", `true`)
			r.want("dashboard_composition.tabs.0.layout.1", `{"h":12,"origin":"Desk Mini","tab_id":"morning_overview","w":20,"widget_id":"pnl_trend","widget_uuid":"widget_006","x":20,"y":2}`)
			r.want("dashboard_composition.widgets.0.data_args", `{"desk":"Rates","include_hedges":false,"period":"QTD"}`)
			r.want("dashboard_composition.widgets.4.widget_id", `"breach_log"`)
		}},
		{"instantiating-in-the-background", func(t *testing.T, d *desk) {
			d.ok("manage_apps", `{"operation":"instantiate","backend_id":"backend_001","template_id":"issuer-watch","activate":false}`).want("session_context", `{"current_dashboard_uuid":"dash_001","current_tab_id":"main"}`)
		}},
		{"apps-are-listed-and-read", func(t *testing.T, d *desk) {
			d.ok("manage_apps", `{"operation":"list","backend_id":"backend_001"}`).want("apps.0", `{"allow_customization":true,"description":"What the desk looks at before nine.","name":"Morning Desk","prompt_count":2,"tab_count":2,"template_id":"morning-desk"}`)
			d.ok("manage_apps", `{"operation":"read","backend_id":"backend_001","template_id":"morning-desk"}`).want("app.groups.0.name", `"Group 1"`)
		}},
		{"the-index-lists-all-apps", func(t *testing.T, d *desk) {
			r := d.ok("read_workspace_resource", `{"uri":"openbb://workspace/app-builder/index"}`)
			r.want("text", `"Workspace app builder index\nDesk Mini | Morning Desk | morning-desk | What the desk looks at before nine. | tabs=morning_overview,risk\nDesk Mini | Issuer Watch | issuer-watch | One issuer, its profile and the news. | tabs="`)
			r.want("apps.1", `{"backend_id":"backend_001","backend_name":"Desk Mini","backend_slug":"desk-mini","description":"One issuer, its profile and the news.","name":"Issuer Watch","tab_ids":[""],"template_id":"issuer-watch"}`)
			r.want("mime_type", `"application/json"`)
		}},
		{"documents-and-skills-are-resources", func(t *testing.T, d *desk) {
			r := d.ok("read_workspace_resource", `{"uri":"openbb://workspace/contract/backend"}`)
			r.want("mime_type", `"text/markdown"`)
			if !strings.Contains(r.get("text"), "limewick") {
				t.Errorf("text %s", r.get("text"))
			}
			r = d.ok("read_workspace_resource", `{"uri":"openbb://workspace/skills/desk-handover"}`)
			if !strings.HasPrefix(r.get("text"), `"Desk Handover: Hand a desk over to the next shift in one note. 1. Read`) {
				t.Errorf("text %s", r.get("text"))
			}
		}},
		{"prompts-say-where-the-user-is", func(t *testing.T, d *desk) {
			r := d.ok("get_workspace_prompt", `{"name":"workspace_session_context"}`)
			if !strings.HasPrefix(r.get("text"), `"Current Workspace browser session context: current_dashboard_id=dash_001; current_tab_id=main. `) {
				t.Errorf("text %s", r.get("text"))
			}
			d.ok("navigate_workspace", `{"operation":"dashboard","dashboard_id":"dash_002"}`)
			r = d.ok("get_workspace_prompt", `{"name":"workspace_tool_usage","arguments":{}}`)
			r.want("messages.1", `{"content":"Current Workspace browser session context: current_dashboard_id=dash_002; current_tab_id=none.","role":"user"}`)
		}},
		{"hostile-text-stays-text", func(t *testing.T, d *desk) {
			equal(t, "escaped", d.refused("read_widget", `{"widget_uuid":"\u001b[2J\u202e'\\"}`), `command_failed: Unknown widget_uuid "\x1b[2J\u202e'\\"`)
			if long := d.refused("read_widget", `{"widget_uuid":"`+strings.Repeat("é", 5000)+`"}`); len(long) > 400 || !strings.HasSuffix(long, "…'") {
				t.Errorf("%d bytes: %.80s", len(long), long)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.play(t, open(t, reviewSetup)) })
	}
}

const authored = `{"operation":"add","name":"Mine","url":"http://127.0.0.1:9000/","widgets_json":{"zeta":{"name":"Zeta","description":"d","endpoint":"zeta","params":[{"paramName":"p","value":"v"}]},"alpha":{"name":"Alpha","description":"d","endpoint":"alpha"}},"apps_json":[{"name":"My App","tabs":{"":{"id":"","name":"","layout":[{"i":"zeta","x":0,"y":3,"w":9,"h":9}]}}}]}`

func TestAuthoredBackends(t *testing.T) {
	d := open(t, reviewSetup)
	d.ok("manage_backends", authored)
	d.ok("list_available_widgets", `{"origin":"Mine"}`).want("widgets.0.widget_id", `"zeta"`) // in the order of the manifest
	d.ok("manage_apps", `{"operation":"instantiate","backend_id":"backend_002","template_id":"my-app"}`).want("dashboard_composition.widgets.0.layout.y", `3`)
	d.ok("get_widget_data", `{"origin":"Mine","widget_id":"zeta"}`).want("data.0.p", `"v"`)

	before := d.ok("manage_backends", `{"operation":"list"}`).get("backends")
	d.ok("manage_backends", `{"operation":"refresh","backend_id":"backend_002"}`).want("backend_id", `"backend_002"`)
	equal(t, "backends", d.ok("manage_backends", `{"operation":"list"}`).get("backends"), before)

	r := d.ok("manage_backends", `{"operation":"refresh","backend_id":"backend_002","name":"Other","url":"http://other","widgets_json":{"alpha":{"name":"Alpha 2","description":"d","endpoint":"alpha"}}}`)
	r.want("message", `"Backend refreshed."`)
	r.want("backend", `{"app_count":1,"id":"backend_002","name":"Mine","url":"http://127.0.0.1:9000","widget_count":1}`)
	r.want("validation_warnings.0", `"[apps.json] app 'My App' (tab: ): [widgets.json]: Missing widgets used in tab `+"`zeta`"+`."`)
	equal(t, "a widget that is served no more", d.refused("update_widget", `{"widget_id":"zeta","data_args":{"p":1}}`), "command_failed: Unknown widget_id 'zeta' for backend Mine")
	d.ok("update_widget", `{"widget_id":"zeta","ui_args":{"a":1}}`)

	r = d.ok("manage_backends", `{"operation":"update","backend_id":"backend_002","name":"Yours","url":"http://b/"}`)
	r.want("backend", `{"app_count":1,"id":"backend_002","name":"Yours","status":"connected","url":"http://b","widget_count":1}`)
	d.ok("list_available_widgets", `{"origin":"Mine"}`).want("widgets", `[]`)
	d.ok("list_available_widgets", `{"origin":"Yours"}`).want("widgets.0.origin", `"Yours"`)
	d.ok("get_widget_schema", `{"origin":"Yours","widget_id":"alpha"}`).want("schema.origin", `"Yours"`)
	d.ok("manage_backends", `{"operation":"update","backend_id":"backend_002","endpoint_headers":[{"key":"k","value":"v","location":"query"},{"key":"k","value":"v"}]}`).want("backend.name", `"Yours"`)

	d.ok("manage_backends", `{"operation":"remove","backend_id":"backend_002"}`).want("message", `"Backend deleted."`)
	d.ok("read_widget", `{"widget_id":"zeta"}`).want("widget.origin", `"Mine"`)
	equal(t, "a widget without its backend", d.refused("update_widget", `{"widget_id":"zeta","data_args":{"p":1}}`), "command_failed: Unknown backend origin 'Mine'")
	if n := len(d.snapshot().CustomBackends); n != 0 {
		t.Errorf("%d custom backends", n)
	}
}

func TestBackendsThatTheAgentConnectedAreCustom(t *testing.T) {
	d := open(t, reviewSetup)
	d.ok("manage_backends", `{"operation":"add","name":"desk-mini","url":"http://there"}`)
	b := d.snapshot().CustomBackends["backend_002"]
	if b == nil || b.URL != "http://there" || len(b.Widgets) != 12 || len(b.Apps) != 2 {
		t.Fatalf("backend %+v", b)
	}
	if strings.Contains(string(b.Widgets["issuer_profile"]), "norvale") {
		t.Error("the definition has rows in it")
	}
}

func TestDatasetsOfTheTask(t *testing.T) {
	runtime := `"runtime":{"datasets":[{"name":"main","widget_id":"zeta","fields":["a","b"],"payload":[{"a":1,"b":2}]}]}`
	setup := `{"backends":["desk-mini"],` + runtime + `}`
	d := open(t, setup)
	table := func(name, field string) string {
		return `"` + name + `":{"name":"` + name + `","description":"d","endpoint":"` + name + `","data":{"table":{"columnsDefs":[{"field":"` + field + `","headerName":"F"}]}}}`
	}
	d.ok("manage_backends", `{"operation":"add","name":"Mine","url":"http://x","widgets_json":{`+table("zeta", "a")+`,`+table("beta", "missing")+`}}`)
	d.ok("get_widget_data", `{"origin":"Mine","widget_id":"zeta"}`).want("data", `[{"a":1,"b":2}]`)
	equal(t, "unknown widget", d.refused("get_widget_data", `{"origin":"Mine","widget_id":"gamma"}`), "invalid_request: Unknown widget_id 'gamma'.")
	if code := d.refused("get_widget_data", `{"origin":"Mine","widget_id":"beta"}`); !strings.HasPrefix(code, "backend_response_invalid: ") {
		t.Errorf("refused with %s", code)
	}
	d.ok("create_widget", `{"origin":"Mine","widget_id":"zeta"}`)
	d.ok("read_widget", `{"widget_id":"zeta"}`).want("data_preview", `[{"a":1,"b":2}]`)
	d.ok("create_widget", `{"origin":"Mine","widget_id":"beta"}`)
	r := d.ok("read_widget", `{"widget_id":"beta"}`)
	if r.m["data_error"] == nil || r.m["data_preview"] != nil || r.m["widget"] == nil {
		t.Errorf("data %s", canonical(r.m))
	}
	d.ok("create_widget", `{"origin":"Desk Mini","widget_id":"cash_level"}`)
	if r := d.ok("read_widget", `{"widget_id":"cash_level"}`); r.m["data_preview"] != nil {
		t.Error("a fixture has a preview")
	}
	d.ok("manage_backends", `{"operation":"refresh","backend_id":"backend_002","widgets_json":{`+table("zeta", "b")+`}}`)
	d.ok("get_widget_data", `{"origin":"Mine","widget_id":"zeta"}`).want("data.0.a", `1`)
	d.ok("manage_backends", `{"operation":"update","backend_id":"backend_002","name":"Yours"}`)
	d.ok("get_widget_data", `{"origin":"Yours","widget_id":"zeta"}`).want("data.0.b", `2`)

	seeded := open(t, `{`+runtime+`,"state":{"custom_backends":[{"name":"Mine","widgets_json":{`+table("zeta", "a")+`}}]}}`)
	seeded.ok("get_widget_data", `{"origin":"Mine","widget_id":"zeta"}`).want("data", `[{"a":1,"b":2}]`)
}

// The order of the keys of a manifest is that of the listing, whatever stands around it.
func TestManifestOrder(t *testing.T) {
	d := open(t, `{}`)
	var b strings.Builder
	for _, id := range []string{"m", "c", "z", "a", "q"} {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + id + `":{"name":"` + id + `","description":"d","endpoint":"` + id + `"}`)
	}
	d.ok("manage_backends", `{"widgets_json":{`+b.String()+`},"url":"http://x","name":"Mine","operation":"add"}`)
	var order []string
	for _, w := range d.ok("list_available_widgets", `{}`).m["widgets"].([]any) {
		order = append(order, w.(map[string]any)["widget_id"].(string))
	}
	raw, _ := json.Marshal(order)
	equal(t, "order", string(raw), `["m","c","z","a","q"]`)
}
