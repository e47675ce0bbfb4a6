package features

import (
	"context"
	"testing"
	"testing/fstest"

	"benchwright/grader/gates"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// Ways of looking as if a dashboard, tab or app were as asked for. Each is a near miss of a task whose
// sentences say no more than the user does, and has to fail with its codes.
const boardCheats = `@suite:cheats @world:workspace
Feature: Cheats

  Background:
    Given the workspace "desk-mini-a"
    And the backend desk-mini
    And the skills "breach-review", "desk-handover"
    And every tool

  Scenario: A tab is renamed and another is made
    Given the dashboard "Desk Overview" is open
    When the agent is asked, with 12 turns:
      """
      On the open dashboard, call the tab Market Context from now on Macro, and make a further tab Cash.
      """
    Then the tab "Market Context" is called "Macro"
    And the dashboard has the tab "Cash"
    And nothing else has changed
    And a reference solution is:
      | call                  | arguments                                                    |
      | manage_navigation_bar | operation: rename_tabs, rename_map: {market_context: Macro} |
      | manage_navigation_bar | operation: add_tabs, tabs: [{name: Cash}]                    |
    And these near misses fail:
      | near miss            | differs by | fails with |
      | the wrong tab        | call 1 with rename_map {positions: Macro} | missing_tab_name, collateral_dashboard_change |
      | made instead         | call 1 is manage_navigation_bar: operation: add_tabs, tabs: [{name: Macro}] | missing_tab_name, collateral_dashboard_change |
      | two of that name     | then manage_navigation_bar: operation: add_tabs, tabs: [{name: Spare}]; then manage_navigation_bar: operation: rename_tabs, rename_map: {spare: Cash} | collateral_dashboard_change |
      | called more          | call 2 with tabs [{name: Cash (draft)}] | missing_tab_name, collateral_dashboard_change |
      | in capitals          | call 2 with tabs [{name: CASH}] | missing_tab_name, collateral_dashboard_change |
      | on another dashboard | first navigate_workspace: operation: dashboard, dashboard_id: dash_003 | missing_tab_name, collateral_dashboard_change |
      | on a dashboard made for it | first manage_dashboard: operation: create, name: Desk Overview | missing_tab_name, unexpected_dashboard_created |
      | in another order     | call 2 is manage_navigation_bar: operation: create, tabs: [{name: Cash}, {name: Market context}, {name: Positions}]; then manage_navigation_bar: operation: rename_tabs, rename_map: {market-context: Macro} | missing_tab_name, collateral_dashboard_change |
      | a widget off its tab | then manage_navigation_bar: operation: remove_tabs, tabs: [{name: Positions}] | collateral_dashboard_change |

  Scenario: A dashboard is renamed
    Given the dashboard "Desk Overview" is open
    When the agent is asked, with 9 turns, "Call the open dashboard Overview of the Desk."
    Then the dashboard is called "Overview of the Desk"
    And nothing else has changed
    And a reference solution is:
      | call             | arguments |
      | manage_dashboard | operation: update, dashboard_id: dash_002, name: Overview of the Desk |
    And these near misses fail:
      | near miss | differs by | fails with |
      | a new one of that name | call 1 is manage_dashboard: operation: create, name: Overview of the Desk | dashboard_name, unexpected_dashboard_created |
      | another one | call 1 with dashboard_id dash_003; then navigate_workspace: operation: dashboard, dashboard_id: dash_003 | dashboard_name, collateral_dashboard_change |
      | called more | call 1 with name Not the Overview of the Desk | dashboard_name, collateral_dashboard_change |
      | with a tab  | then manage_navigation_bar: operation: add_tabs, tabs: [{name: Junk}] | collateral_dashboard_change |

  Scenario: An app is opened
    When the agent is asked, with 12 turns, "Open the app Issuer Watch of Desk Mini as the dashboard Watch Room, and leave a note Why on it that says review."
    Then the dashboard "Watch Room" is opened from the app "Issuer Watch" of "Desk Mini"
    And the dashboard "Watch Room" holds exactly these widgets:
      | widget         | from      |
      | Issuer Profile | Desk Mini |
      | Market News    | Desk Mini |
    And a note "Why" says "review"
    And nothing else has changed
    And a reference solution is:
      | call                  | arguments                                                                                                |
      | manage_apps           | operation: instantiate, backend_id: backend_001, app_name: Issuer Watch, dashboard_name: Watch Room |
      | add_generative_widget | widget_type: note, name: Why, data: For review. |
    And these near misses fail:
      | near miss | differs by | fails with |
      | twice     | call 1 again; then navigate_workspace: operation: dashboard, dashboard_id: dash_004 | unexpected_dashboard_created |
      | a second one with junk | then manage_dashboard: operation: create, name: Watch Room, activate: false; then add_generative_widget: widget_type: html, name: Junk, data: x, dashboard_id: dash_005 | unexpected_dashboard_created |
      | a note more | then add_generative_widget: widget_type: note, name: Why else, data: For nothing. | unexpected_widget |
      | the note twice | call 2 again | unexpected_widget |
      | a chart more | then add_generative_widget: widget_type: chart, name: Why, data: [{a: 1, b: 2}], chart_params: {chartType: bar, xKey: a, yKey: [b]} | unexpected_widget |
      | a tab more | then manage_navigation_bar: operation: add_tabs, tabs: [{name: Junk}, {name: More}] | collateral_dashboard_change |
      | hidden | then update_widget: widget_id: issuer_profile, ui_args: {hidden: true} | collateral_widget_change |
      | by its id alone | call 1 is manage_dashboard: operation: create, dashboard_id: Watch Room, name: Junk; then create_widget: origin: Desk Mini, widget_id: issuer_profile; then create_widget: origin: Desk Mini, widget_id: market_news | app_not_opened, missing_widget, unexpected_dashboard_created |
      | by hand | call 1 is manage_dashboard: operation: create, name: Watch Room; then create_widget: origin: Desk Mini, widget_id: issuer_profile; then create_widget: origin: Desk Mini, widget_id: market_news | app_not_opened |
      | then renamed | then manage_dashboard: operation: update, dashboard_id: dash_004, name: Junk; then manage_dashboard: operation: create, name: Watch Room | app_not_opened, missing_widget, missing_generated_widget, unexpected_dashboard_created |
      | another of its backend | call 1 with app_name Morning Desk | app_not_opened, missing_widget, unexpected_widget |

  Scenario: A widget goes to the top, and another goes
    Given the open dashboard "Wall":
      | uuid | widget         | from      | severity | at         |
      | w_1  | Breach Log     | Desk Mini | High     | 5,0 15x14  |
      | w_2  | Risk Limits    | Desk Mini |          | 5,14 15x10 |
      | w_3  | Breach Log     | Desk Mini | Low      | 20,0 20x14 |
      | w_4  | Cash Level     | Desk Mini |          | 20,14 20x6 |
      | w_5  | Issuer Profile | Desk Mini |          | 5,24 15x10 |
    When the agent is asked, with 12 turns, "On the open dashboard, remove the breach log for severity High, and place the Curve Points of Desk Mini at 0,0, 40 columns wide and 5 rows high, up to a longest tenor of 10. What is in the way makes room."
    Then the dashboard holds exactly these widgets:
      | uuid | widget         | from      | severity | tenor_max | at       |
      | w_2  | Risk Limits    | Desk Mini |          |           |          |
      | w_3  | Breach Log     | Desk Mini | Low      |           |          |
      | w_4  | Cash Level     | Desk Mini |          |           |          |
      | w_5  | Issuer Profile | Desk Mini |          |           |          |
      |      | Curve Points   | Desk Mini |          | 10        | 0,0 40x5 |
    And nothing else has changed
    And a reference solution is:
      | call                 | arguments                                                             |
      | delete_widget        | widget_uuid: w_1                                                      |
      | create_widget        | origin: Desk Mini, widget_id: curve_points, data_args: {tenor_max: 10} |
      | update_widget_layout | widget_id: curve_points, x: 0, y: 0, w: 40, h: 5                       |
    And these near misses fail:
      | near miss           | differs by | fails with |
      | the others swapped  | then update_widget_layout: widget_uuid: w_2, x: 5, y: 60, w: 15, h: 10 | collateral_widget_change |
      | on the other side   | then update_widget_layout: widget_uuid: w_3, x: 20, y: 60, w: 20, h: 14 | collateral_widget_change |
      | one made wider      | then update_widget_layout: widget_uuid: w_4, x: 20, y: 19, w: 19, h: 6 | collateral_widget_change |
      | it may not be as wide | call 3 with max_w 10 | misconfigured_widget |
      | it may have no height | call 3 with max_h 0 | misconfigured_widget |
      | it must be higher   | call 3 with min_h 30 | misconfigured_widget |
      | another may vanish  | then update_widget_layout: widget_uuid: w_5, x: 5, y: 15, w: 15, h: 10, max_w: 0 | misconfigured_widget, collateral_widget_change |
      | hidden              | call 2 with ui_args {hidden: true} | collateral_widget_change |
      | hidden afterwards   | then update_widget: widget_id: curve_points, ui_args: {collapsed: true} | collateral_widget_change |
      | another one hidden  | then update_widget: widget_uuid: w_4, ui_args: {hidden: true} | collateral_widget_change |
      | configured beside   | then update_widget: widget_uuid: w_3, data_args: {period: MTD} | collateral_widget_change |

  Scenario: One argument is repaired
    Given the open dashboard "Wall":
      | uuid | widget     | from      | severity | status | period | at        |
      | w_1  | Breach Log | Desk Mini | High     | Closed | YTD    | 0,0 20x14 |
    When the agent is asked, with 9 turns, "Set the breach log to status Open, and place the Breach Log of Desk Mini for severity Low as well."
    Then the dashboard holds exactly these widgets:
      | uuid | widget     | from      | severity | status |
      | w_1  | Breach Log | Desk Mini |          | Open   |
      |      | Breach Log | Desk Mini | Low      |        |
    And nothing else has changed
    And a reference solution is:
      | call          | arguments                                                            |
      | update_widget | widget_uuid: w_1, data_args: {status: Open}                          |
      | create_widget | origin: Desk Mini, widget_id: breach_log, data_args: {severity: Low} |
    And these near misses fail:
      | near miss     | differs by                                                    | fails with               |
      | and another   | call 1 with data_args.period MTD                              | collateral_widget_change |
      | made with one | call 2 with data_args.status Closed                           | collateral_widget_change |
      | elsewhere     | then manage_dashboard: operation: create, name: Wall          | unexpected_dashboard_created |
`

// Other good ways than those of the references, which have to pass.
const goodWays = `@suite:ways @world:workspace
Feature: Ways

  Background:
    Given the workspace "desk-mini-a"
    And the backend desk-mini
    And the skills "breach-review", "desk-handover"
    And every tool

  Scenario: Tabs in another order, and a look elsewhere
    Given the dashboard "Desk Overview" is open
    When the agent is asked, with 12 turns, "Tabs."
    Then the tab "Market Context" is called "Macro"
    And the dashboard has the tab "Cash"
    And nothing else has changed
    And a reference solution is:
      | call                  | arguments                                                                          |
      | manage_navigation_bar | operation: add_tabs, dashboard_id: dash_002, tabs: [{name: Cash}]                  |
      | manage_navigation_bar | operation: rename_tabs, rename_map: {market_context: Macro, positions: Positions} |
      | navigate_workspace    | operation: dashboard, dashboard_id: dash_001                                       |

  Scenario: A bare dashboard gets its first tabs
    Given the open, empty dashboard "Bare"
    When the agent is asked, with 12 turns, "Tabs."
    Then the dashboard has the tabs "One" and "Two"
    And the dashboard holds exactly these widgets:
      | widget     | from      | tab |
      | Cash Level | Desk Mini | Two |
    And nothing else has changed
    And a reference solution is:
      | call                  | arguments                                                |
      | manage_navigation_bar | operation: create, tabs: [{name: One}, {name: Two}]      |
      | navigate_workspace    | operation: tab, tab_id: two                              |
      | create_widget         | origin: Desk Mini, widget_id: cash_level                 |

  Scenario: Tabs beside the first one
    Given the open, empty dashboard "Bare"
    When the agent is asked, with 12 turns, "Tabs."
    Then the dashboard has the tabs "One" and "Two"
    And nothing else has changed
    And a reference solution is:
      | call                  | arguments                                             |
      | manage_navigation_bar | operation: add_tabs, tabs: [{name: Two}]              |
      | manage_navigation_bar | operation: add_tabs, tabs: [{name: One}]              |

  Scenario: A service is written down in more words
    When the agent is asked, with 12 turns, "Compose."
    Then the backend "Ticket Feed" is at "http://127.0.0.1:7790"
    And the backend "Ticket Feed" serves these widgets:
      | widget | name    | params.0.paramName |
      | reg    | Tickets | owner              |
    And the backend "Ticket Feed" serves the app "Ticket Desk" with the tab "tickets"
    And the tab "tickets" of the app "Ticket Desk" of "Ticket Feed" is called "Tickets"
    And the app "Ticket Desk" of "Ticket Feed" holds "reg" on tab "tickets" at 0,0 40x12
    And the dashboard "Room" is opened from the app "Ticket Desk" of "Ticket Feed"
    And the dashboard "Room" holds exactly these widgets:
      | widget | from        |
      | reg    | Ticket Feed |
    And a note "Note" says "done"
    And nothing else has changed
    And a reference solution is:
      | call                  | arguments |
      | manage_backends       | operation: add, name: Ticket Feed, url: "http://127.0.0.1:7790/", widgets_json: {reg: {name: Tickets, description: All of them, category: Desk, type: table, endpoint: t, gridData: {w: 40, h: 12}, params: [{paramName: owner, type: text, value: me, label: Owner, description: Whose}]}}, apps_json: [{name: Ticket Desk, description: The desk, template_id: the-desk, tabs: {tickets: {id: tickets, name: Tickets, layout: [{i: reg, x: 0, y: 0, w: 40, h: 12}]}}}] |
      | manage_apps           | operation: instantiate, backend_id: backend_002, template_id: the-desk, dashboard_name: Room |
      | add_generative_widget | widget_type: note, name: Note, data: done |

  Scenario: A service mended in a second go
    When the agent is asked, with 12 turns, "Compose."
    Then the backend "Feed" is at "http://127.0.0.1:7790"
    And the backend "Feed" serves these widgets:
      | widget | name |
      | reg    | Reg  |
    And nothing else has changed
    And a reference solution is:
      | call            | arguments |
      | manage_backends | operation: add, name: Fed, url: "http://127.0.0.1:1", widgets_json: {rag: {name: Rag, description: d, type: table, endpoint: t}} |
      | manage_backends | operation: remove, backend_id: backend_002 |
      | manage_backends | operation: add, name: Feed, url: "http://127.0.0.1:1", widgets_json: {rag: {name: Rag, description: d, type: table, endpoint: t}} |
      | manage_backends | operation: refresh, backend_id: backend_003, widgets_json: {reg: {name: Reg, description: d, type: table, endpoint: t}} |
      | manage_backends | operation: update, backend_id: backend_003, url: "http://127.0.0.1:7790" |

  Scenario: The user's own backend gets one more widget
    Given the user's own backend "Own Feed" serves:
      """
      {"widgets_json": {"w": {"name": "Rows", "description": "d", "endpoint": "rows", "params": [{"paramName": "p", "type": "text", "value": "x", "label": "P", "description": "p"}]}}, "apps_json": [{"name": "Own App", "tabs": {"t": {"id": "t", "name": "T", "layout": [{"i": "w", "x": 0, "y": 0, "w": 10, "h": 5}]}}}]}
      """
    When the agent is asked, with 12 turns, "Add."
    Then the backend "Own Feed" serves these widgets:
      | widget | name |
      | v      | More |
    And a reference solution is:
      | call            | arguments |
      | manage_backends | operation: refresh, backend_id: backend_002, widgets_json: {v: {name: More, description: d, type: table, endpoint: v}, w: {name: Rows, description: d, endpoint: rows, params: [{paramName: p, type: text, value: x, label: P, description: p}]}} |

  Scenario: Places by another order of moves
    Given the dashboard "Credit Watch" is open
    When the agent is asked, with 12 turns, "Arrange."
    Then these widgets sit:
      | uuid       | widget         | from      | at       |
      |            | Issuer Profile | Desk Mini | 0,0 40x8 |
    And nothing else has changed
    And a reference solution is:
      | call                 | arguments                                           |
      | update_widget_layout | widget_id: issuer_profile, x: 0, y: 0, w: 10, h: 30 |
      | update_widget_layout | widget_id: issuer_profile, x: 0, y: 0, w: 40, h: 8  |

  Scenario: A dashboard is gone to and back
    When the agent is asked, with 12 turns, "Go to Credit Watch and say so there."
    Then the dashboard is called "Credit Watch"
    And a note "Here" says "here"
    And nothing else has changed
    And a reference solution is:
      | call                  | arguments                                    |
      | navigate_workspace    | operation: dashboard, dashboard_id: dash_003 |
      | add_generative_widget | widget_type: note, name: Here, data: here    |
`

func TestOtherGoodWaysPass(t *testing.T) {
	certifyCheats(t, goodWays)
}

func TestBoardCheatsFail(t *testing.T) {
	certifyCheats(t, boardCheats)
}

func certifyCheats(t *testing.T, feature string) {
	t.Helper()
	suite := tasks.Suite{Features: fstest.MapFS{"cheats.feature": &fstest.MapFile{Data: []byte(feature)}}, Kits: []tasks.Kit{workspace.Kit()}}
	c, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, cert := range gates.CertifySuite(context.Background(), suite, c.Tasks, gates.Options{}, 2) {
		for _, g := range cert.Gates {
			if g.Gate != "reference" && g.Gate != "near_misses" {
				continue // the references go straight to the point, as an agent could not
			}
			for _, p := range g.Problems {
				t.Errorf("%s: %s: %v", cert.Task, g.Gate, p)
			}
		}
	}
}
