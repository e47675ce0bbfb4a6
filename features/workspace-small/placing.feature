@suite:workspace-small @world:workspace @persona:desk_lead
Feature: Views for the morning

  The desk lead puts views in front of the desk before it opens, and wants them set right the
  first time.

  Background:
    Given a bare workspace
    And the backend desk-mini
    And every tool

  @kind:place @level:0
  Scenario: Place the positions of a desk
    Given the open, empty dashboard "Rates Morning"
    When the agent is asked, with 6 turns:
      """
      On the open dashboard, place the Desk Positions view of Desk Mini for desk Rates and
      period QTD.
      """
    Then the dashboard holds exactly these widgets:
      | widget         | from      | desk  | period |
      | Desk Positions | Desk Mini | Rates | QTD    |
    And nothing else has changed
    And widgets are listed before they are used
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                                                             |
      | list_available_widgets | origin: Desk Mini                                                                     |
      | get_widget_schema      | origin: Desk Mini, widget_id: desk_positions                                          |
      | create_widget          | origin: Desk Mini, widget_id: desk_positions, data_args: {desk: Rates, period: QTD}   |
    And these near misses fail:
      | near miss                  | differs by                                      | fails with                        |
      | the period is left alone   | call 3 without data_args.period                 | misconfigured_widget              |
      | the neighbour in the list  | call 3 with widget_id pnl_trend                 | missing_widget, unexpected_widget |
      | placed twice               | call 3 again                                    | unexpected_widget                 |
      | placed and hidden          | call 3 with ui_args {hidden: true}              | collateral_widget_change          |
      | on another dashboard       | first manage_dashboard: operation: create, name: Rates Morning | missing_widget, unexpected_dashboard_created |
      | an id from nowhere         | without call 1; without call 2                  | widget_list_not_called_before_use |

  @kind:layout @level:1
  Scenario: Put two views side by side
    Given the open, empty dashboard "Market Wall"
    When the agent is asked, with 9 turns:
      """
      Fill the open dashboard from Desk Mini: the quotes that update while they are watched take
      the left half, 12 rows high, and the points of the government curve, up to a longest tenor
      of 10, take the right half beside them, as high as the quotes.
      """
    And "20" is said as "half"
    Then every widget lies within the grid
    And no widgets overlap
    And the dashboard holds exactly these widgets:
      | widget       | from      | tenor_max | at         |
      | Live Quotes  | Desk Mini |           | 0,0 20x12  |
      | Curve Points | Desk Mini | 10        | 20,0 20x12 |
    And nothing else has changed
    And widgets are listed before they are used
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                                              |
      | list_available_widgets | origin: Desk Mini                                                      |
      | get_widget_schema      | origin: Desk Mini, widget_id: curve_points                             |
      | create_widget          | origin: Desk Mini, widget_id: live_quotes                              |
      | create_widget          | origin: Desk Mini, widget_id: curve_points, data_args: {tenor_max: 10} |
      | update_widget_layout   | widget_uuid: widget_001, x: 0, y: 0, w: 20, h: 12                      |
      | update_widget_layout   | widget_uuid: widget_002, x: 20, y: 0, w: 20, h: 12                     |
    And these near misses fail:
      | near miss           | differs by               | fails with                               |
      | one below the other | without call 6           | misconfigured_widget                     |
      | over the edge       | call 6 with x 28         | misconfigured_widget, layout_out_of_grid |
      | every tenor         | call 4 without data_args | misconfigured_widget                     |

  @kind:tidy @level:2
  Scenario: Remove the view that nobody owns
    Given the open dashboard "Desk Wall":
      | uuid  | widget      | from      | severity | status    | period | at         |
      | w_5c1 | Breach Log  | Desk Mini | High     | Open      | QTD    | 0,0 20x14  |
      | w_9e4 | Breach Log  | Desk Mini | Low      | In Review | MTD    | 20,0 20x14 |
      | w_3f0 | Risk Limits | Desk Mini |          |           |        | 20,14 20x10 |
    When the agent is asked, with 5 turns:
      """
      One of the two breach logs on the open dashboard is still set for the cases in review,
      which another desk has taken over. Take that one off the dashboard and leave everything
      else as it is; whatever stood below it may move up.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget      | from      | severity | status | period |
      | w_5c1 | Breach Log  | Desk Mini | High     | Open   | QTD    |
      | w_3f0 | Risk Limits | Desk Mini |          |        |        |
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments          |
      | get_workspace_snapshot |                    |
      | delete_widget          | widget_uuid: w_9e4 |
    And these near misses fail:
      | near miss           | differs by                                                                  | fails with           |
      | the wrong twin      | call 2 with widget_uuid w_5c1                                               | missing_widget, unexpected_widget |
      | the right one moved | then update_widget_layout: widget_uuid: w_3f0, x: 0, y: 40, w: 20, h: 10    | collateral_widget_change |
      | both of them        | then delete_widget: widget_uuid: w_5c1                                      | missing_widget       |
      | repaired, not removed | call 2 is update_widget: widget_uuid: w_9e4, data_args: {severity: High, status: Open, period: QTD} | unexpected_widget |
