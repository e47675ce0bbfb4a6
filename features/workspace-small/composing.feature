@suite:workspace-small @world:workspace @persona:desk_developer
Feature: Apps for the desk

  The desk's developer has apps opened, and services of the desk's own brought into the workspace.

  @kind:app @level:3
  Scenario: Open the issuer app, then write down what it shows
    Given the workspace "desk-mini-a"
    And the backend desk-mini
    And every tool
    When the agent is asked, with 5 turns:
      """
      Open the app Issuer Watch of Desk Mini as a dashboard called Norvale Watch.
      """
    Then the dashboard "Norvale Watch" holds exactly these widgets:
      | widget         | from      | issuer  | topics |
      | Issuer Profile | Desk Mini | norvale |        |
      | Market News    | Desk Mini |         | credit |
    And the dashboard "Norvale Watch" is opened from the app "Issuer Watch" of "Desk Mini"
    And the next ask depends on this
    And a reference solution is:
      | call            | arguments                                                                                  |
      | manage_backends | operation: list                                                                            |
      | manage_apps     | operation: list, backend_id: backend_001                                                   |
      | manage_apps     | operation: instantiate, backend_id: backend_001, app_name: Issuer Watch, dashboard_name: Norvale Watch |
    When the agent is asked, with 5 turns:
      """
      Leave a note Norvale View on that dashboard, with the outlook and the exposure that its issuer
      profile states for norvale.
      """
    Then a note "Norvale View" says "Negative" and "410000"
    And the data of "Issuer Profile" from "Desk Mini" is read with issuer: norvale
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                  | arguments                                                                                            |
      | get_widget_data       | origin: Desk Mini, widget_id: issuer_profile, data_args: {issuer: norvale}                           |
      | add_generative_widget | widget_type: note, name: Norvale View, data: "By its profile, norvale has the outlook Negative and an exposure of 410000." |
    And these near misses fail:
      | near miss             | differs by                                                                     | fails with               |
      | the neighbour's data  | call 4 with data_args.issuer estwater                                          | missing_tool_call        |
      | another issuer's note | call 5 with data "Estwater: outlook Stable, exposure 265000."                  | missing_generated_widget |
      | the other app         | call 3 with app_name Morning Desk                                              | missing_widget, app_not_opened |
      | fewer news            | then update_widget: widget_id: market_news, data_args: {limit: 1}              | collateral_widget_change |
      | a decoy behind it     | then manage_dashboard: operation: create, name: Norvale Watch, activate: false | unexpected_dashboard_created |
      | on another dashboard  | call 5 with dashboard_id dash_003                                              | missing_generated_widget, unexpected_widget |

  @kind:compose @level:4
  Scenario: Bring the desk's own service into the workspace
    Given the workspace "desk-mini-a"
    And the backend desk-mini
    And every tool
    When the agent is asked, with 9 turns:
      """
      The desk keeps its tickets in a service of its own at http://127.0.0.1:7790, and wants them in the
      workspace as the backend Ticket Feed. It serves one widget of the type table, ticket_register,
      which is called Ticket Register, described as Open tickets of the desk, with the endpoint
      tickets/open and no parameters. It also serves one app, Ticket Desk, whose single tab tickets,
      shown as Tickets, holds the register at the upper left corner, 40 columns wide and 12 rows high,
      and nothing else. The documents
      openbb://workspace/specs/widgets-json and openbb://workspace/specs/apps-json say how such things
      are written. Connect the service and open its app as the dashboard Ticket Room.
      """
    Then the backend "Ticket Feed" is at "http://127.0.0.1:7790"
    And the backend "Ticket Feed" serves these widgets:
      | widget          | name            | description              | type  | endpoint     |
      | ticket_register | Ticket Register | Open tickets of the desk | table | tickets/open |
    And the backend "Ticket Feed" serves the app "Ticket Desk" with the tab "tickets"
    And the tab "tickets" of the app "Ticket Desk" of "Ticket Feed" is called "Tickets"
    And the app "Ticket Desk" of "Ticket Feed" holds "ticket_register" on tab "tickets" at 0,0 40x12
    And the dashboard "Ticket Room" holds exactly these widgets:
      | widget          | from        | tab     | at        |
      | ticket_register | Ticket Feed | tickets | 0,0 40x12 |
    And the dashboard "Ticket Room" is opened from the app "Ticket Desk" of "Ticket Feed"
    And the resource "openbb://workspace/specs/apps-json" is read
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                    | arguments                                     |
      | read_workspace_resource | uri: "openbb://workspace/specs/widgets-json"  |
      | read_workspace_resource | uri: "openbb://workspace/specs/apps-json"     |
    And it goes on with manage_backends:
      """
      operation: add,
      name: Ticket Feed,
      url: "http://127.0.0.1:7790",
      widgets_json: {
        ticket_register: {
          name: Ticket Register,
          description: Open tickets of the desk,
          type: table,
          endpoint: tickets/open
        }
      },
      apps_json: [{
        name: Ticket Desk,
        tabs: {
          tickets: {
            id: tickets,
            name: Tickets,
            layout: [{i: ticket_register, x: 0, y: 0, w: 40, h: 12}]
          }
        }
      }]
      """
    And it goes on with manage_apps:
      """
      operation: instantiate, backend_id: backend_002, app_name: Ticket Desk, dashboard_name: Ticket Room
      """
    And these near misses fail:
      | near miss                  | differs by                                                        | fails with                                    |
      | published, never opened    | without call 4                                                    | missing_widget, app_not_opened                |
      | half as wide               | call 3 with apps_json [{name: Ticket Desk, tabs: {tickets: {id: tickets, name: Tickets, layout: [{i: ticket_register, x: 0, y: 0, w: 20, h: 12}]}}}] | app_def_mismatch, misconfigured_widget |
      | the tab shown by its key   | call 3 with apps_json [{name: Ticket Desk, tabs: {tickets: {id: tickets, name: tickets, layout: [{i: ticket_register, x: 0, y: 0, w: 40, h: 12}]}}}] | app_def_mismatch |
      | a spare tab                | call 3 with apps_json [{name: Ticket Desk, tabs: {tickets: {id: tickets, name: Tickets, layout: [{i: ticket_register, x: 0, y: 0, w: 40, h: 12}]}, spare: {id: spare, name: Spare, layout: []}}}] | unexpected_app_content, collateral_dashboard_change |
      | an app more                | call 3 with apps_json [{name: Ticket Desk, tabs: {tickets: {id: tickets, name: Tickets, layout: [{i: ticket_register, x: 0, y: 0, w: 40, h: 12}]}}}, {name: Ticket Desk II, tabs: {tickets: {id: tickets, name: Tickets, layout: [{i: ticket_register, x: 0, y: 0, w: 40, h: 12}]}}}] | unexpected_app_def |
      | a widget more              | call 3 with widgets_json.ticket_archive {name: Ticket Archive, description: Closed tickets, type: table, endpoint: tickets/closed} | unexpected_widget_def |
      | a parameter more           | call 3 with widgets_json.ticket_register.params [{paramName: owner, type: text, value: nobody, description: Owner, label: Owner}] | unexpected_param |
      | another endpoint           | call 3 with widgets_json.ticket_register.endpoint tickets/closed  | widget_def_mismatch                           |
      | a chart of it              | call 3 with widgets_json.ticket_register.type chart               | widget_def_mismatch                           |
      | moved elsewhere afterwards | then manage_backends: operation: update, backend_id: backend_002, url: "http://127.0.0.1:7791" | backend_url      |
      | a second room              | call 4 again                                                      | unexpected_dashboard_created                  |
      | a room built by hand       | call 4 is manage_dashboard: operation: create, name: Ticket Room; then manage_navigation_bar: operation: create, tabs: [{name: tickets}]; then create_widget: origin: Ticket Feed, widget_id: ticket_register; then update_widget_layout: widget_id: ticket_register, x: 0, y: 0, w: 40, h: 12 | app_not_opened |
      | a note beside it           | then add_generative_widget: widget_type: note, name: Read Me, data: Made by the agent | unexpected_widget         |
      | from a document of old     | without call 2                                                    | missing_resource_read                         |
