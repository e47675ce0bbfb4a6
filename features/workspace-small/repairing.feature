@suite:workspace-small @world:workspace @persona:risk_officer
Feature: Dashboards that went stale

  The risk officer finds dashboards as others left them. What is wrong is repaired, and what is
  right is not touched.

  Background:
    Given the workspace "desk-mini-a"
    And the backend desk-mini
    And the skills "breach-review", "desk-handover"
    And every tool

  @kind:repair @level:3
  Scenario: Restore the stale view and leave evidence
    Given the open dashboard "Breach Review" with tab "Review":
      | uuid  | widget      | from      | severity | status    | period | at         |
      | w_b2b | Breach Log  | Desk Mini | High     | Closed    | YTD    | 0,0 20x14  |
      | w_7b8 | Breach Log  | Desk Mini | Low      | In Review | MTD    | 20,0 20x14 |
      | w_a00 | Risk Limits | Desk Mini |          |           |        | 0,14 20x10 |
    And on its tab "Review" a note "Prior Review Note" at 20,14 20x8:
      """
      Prior review: keep the closed sample BR-1987 for the audit file.
      """
    And the planted value "QM-58"
    When the agent is asked, with 8 turns:
      """
      On the open Breach Review dashboard, repair the breach log that shows severity High, status
      Closed and period YTD: set it back to severity High, status Open and period QTD. The other
      breach log is right as it is, and so is every other view and record. Then read the Breach
      Review skill and leave a Breach Evidence Note that records what its workflow names last.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget      | from      | severity | status    | period | at         |
      | w_b2b | Breach Log  | Desk Mini | High     | Open      | QTD    | 0,0 20x14  |
      | w_7b8 | Breach Log  | Desk Mini | Low      | In Review | MTD    | 20,0 20x14 |
      | w_a00 | Risk Limits | Desk Mini |          |           |        | 0,14 20x10 |
    And a note "Breach Evidence Note" says "evidence gaps" and "QM-58"
    And the skill "breach-review" is read
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                                                                                                |
      | get_workspace_snapshot |                                                                                                                          |
      | get_skill_content      | slug: breach-review                                                                                                      |
      | update_widget          | widget_uuid: w_b2b, data_args: {severity: High, status: Open, period: QTD}                                               |
      | add_generative_widget  | widget_type: note, name: Breach Evidence Note, data: "Last, record the evidence gaps and the review code QM-58."         |
    And these near misses fail:
      | near miss                    | differs by                                                | fails with                                |
      | the healthy twin             | call 3 with widget_uuid w_7b8                             | misconfigured_widget                      |
      | the skill was never opened   | without call 2                                            | missing_tool_call                         |
      | a note from memory           | call 4 with data "Evidence was recorded as the rules say" | missing_generated_widget                  |
      | the old note thrown away     | then delete_widget: widget_uuid: widget_011               | collateral_widget_change                  |
      | built anew instead           | call 3 is delete_widget: widget_uuid: w_b2b               | missing_widget                            |

  @kind:tabs @level:2
  Scenario: Give the treasury a tab of its own
    Given the dashboard "Desk Overview" is open
    When the agent is asked, with 10 turns:
      """
      The open dashboard needs a further tab, Treasury, with the Cash Level of Desk Mini on it. The
      tab Market Context is to be called Macro Backdrop from now on. Everything else stays.
      """
    Then the dashboard has the tab "Treasury"
    And the tab "Market Context" is called "Macro Backdrop"
    And the dashboard holds these widgets:
      | widget         | from      | tab            |
      | Cash Level     | Desk Mini | Treasury       |
      | Desk Positions | Desk Mini | Positions      |
      | P&L Trend      | Desk Mini | Positions      |
      | Curve Points   | Desk Mini | Market Context |
      | Market News    | Desk Mini | Market Context |
    And nothing else has changed
    And widgets are listed before they are used
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                                                    |
      | get_workspace_snapshot |                                                                              |
      | list_available_widgets | origin: Desk Mini                                                            |
      | manage_navigation_bar  | operation: add_tabs, tabs: [{name: Treasury}]                                |
      | manage_navigation_bar  | operation: rename_tabs, rename_map: {market_context: Macro Backdrop}         |
      | navigate_workspace     | operation: tab, tab_id: treasury                                             |
      | create_widget          | origin: Desk Mini, widget_id: cash_level                                     |
    And these near misses fail:
      | near miss              | differs by                                                                          | fails with                  |
      | on the tab before      | without call 5                                                                      | misconfigured_widget        |
      | tabs made anew         | call 3 with operation create                                                        | missing_tab_name |
      | the old tabs are gone  | call 3 is manage_navigation_bar: operation: create, tabs: [{name: Treasury}, {name: Macro Backdrop}]; without call 4 | misconfigured_widget |
      | the wrong tab renamed  | call 4 with rename_map {positions: Macro Backdrop}                                  | missing_tab_name, collateral_dashboard_change |
      | called more than that  | call 4 with rename_map {market_context: Macro Backdrop and News}                    | missing_tab_name, collateral_dashboard_change |
      | another tab renamed    | call 4 is manage_navigation_bar: operation: rename_tabs, rename_map: {market_context: Macro Backdrop, positions: Ruined} | collateral_dashboard_change |
      | the dashboard renamed  | call 4 is manage_navigation_bar: operation: rename_tabs, rename_map: {market_context: Macro Backdrop}; call 1 is manage_dashboard: operation: update, dashboard_id: dash_002, name: Hacked | collateral_dashboard_change |
      | two tabs added         | call 4 is manage_navigation_bar: operation: add_tabs, tabs: [{name: Macro View}]    | missing_tab_name            |

  @kind:arrange @level:3
  Scenario: Bring the profile to the front
    Given the dashboard "Credit Watch" is open
    When the agent is asked, with 7 turns:
      """
      On the open dashboard, make the issuer profile as wide as the grid, 40 columns, and 8 rows
      high, at the very top. Directly below it, from row 8 on, the breach log stands at the left
      edge and the Watch Note beside it, from column 20 on, both of the size that they have now.
      Nothing changes but places.
      """
    Then these widgets sit:
      | uuid       | widget         | from      | at        |
      |            | Issuer Profile | Desk Mini | 0,0 40x8  |
      |            | Breach Log     | Desk Mini | 0,8 20x14 |
      | widget_007 |                |           | 20,8 20x6 |
    And nothing else has changed
    And at most 2 calls fail
    And a reference solution is:
      | call                   | arguments                                          |
      | get_workspace_snapshot |                                                    |
      | update_widget_layout   | widget_id: issuer_profile, x: 0, y: 0, w: 40, h: 8 |
      | update_widget_layout   | widget_uuid: widget_007, x: 20, y: 8, w: 20, h: 6  |
      | update_widget_layout   | widget_id: breach_log, x: 0, y: 8, w: 20, h: 14    |
    And these near misses fail:
      | near miss               | differs by                                                                                | fails with        |
      | the note was there first | without call 3                                                                           | layout_mismatch   |
      | one row too few         | call 2 with h 7                                                                           | layout_mismatch   |
      | it may have no width    | call 2 with max_w 0                                                                       | layout_mismatch   |
      | one more than asked for | then create_widget: origin: Desk Mini, widget_id: cash_level                              | unexpected_widget |
