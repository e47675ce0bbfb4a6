@suite:smoke @world:workspace @category:single-widget
Feature: update_widget_layout
  One of two views becomes lower and stays where it is, on the tab that it is on.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool update_widget_layout
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget       | from                          | severity | status | at         |
      | w_7d2 | Incident Log | Fund Operations Control Tower | High     | Open   | 0,0 20x14  |
      | w_4e5 | Incident Log | Fund Operations Control Tower | Low      | Closed | 20,0 20x14 |
    When the agent is asked, with 1 turn:
      """
      Use update_widget_layout to put widget_uuid 'w_7d2' of the current dashboard on tab_id
      'overview' at x 0, y 0 with w 20, h 10. The other instance of widget_id
      'fund_operations_control_tower_overview_incident_log', for severity 'Low', stays as it is.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget       | from                          | severity | tab      | at        |
      | w_7d2 | Incident Log | Fund Operations Control Tower |          | Overview | 0,0 20x10 |
      |       | Incident Log | Fund Operations Control Tower | Low      |          |           |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                 | arguments                                                      |
      | update_widget_layout | widget_uuid: w_7d2, tab_id: overview, x: 0, y: 0, w: 20, h: 10 |
      | done                 |                                                                |
    And these near misses fail:
      | near miss         | differs by                    | fails with           |
      | the twin          | call 1 with widget_uuid w_4e5 | misconfigured_widget |
      | the full width    | call 1 with w 40              | misconfigured_widget |
      | as high as it was | call 1 with h 14              | misconfigured_widget |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget       | from                          | severity | status | at         |
      | w_7d2 | Incident Log | Fund Operations Control Tower | High     | Open   | 0,0 20x14  |
      | w_4e5 | Incident Log | Fund Operations Control Tower | Low      | Closed | 20,0 20x14 |
    When the agent is asked, with 2 turns:
      """
      Use update_widget_layout to put widget_uuid 'w_7d2' of the current dashboard on tab_id
      'overview' at x 0, y 0 with w 20, h 10. The other instance of widget_id
      'fund_operations_control_tower_overview_incident_log', for severity 'Low', stays as it is.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget       | from                          | severity | tab      | at        |
      | w_7d2 | Incident Log | Fund Operations Control Tower |          | Overview | 0,0 20x10 |
      |       | Incident Log | Fund Operations Control Tower | Low      |          |           |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                 | arguments                                                      |
      | update_widget_layout | widget_uuid: w_7d2, tab_id: overview, x: 0, y: 0, w: 20, h: 10 |
    And these near misses fail:
      | near miss              | differs by                                                                    | fails with               |
      | the twin               | call 1 is update_widget_layout: widget_uuid: w_4e5, x: 20, y: 0, w: 20, h: 10 | misconfigured_widget     |
      | one row too few        | call 1 with h 9                                                               | misconfigured_widget     |
      | both of them           | then update_widget_layout: widget_uuid: w_4e5, x: 20, y: 0, w: 20, h: 10      | collateral_widget_change |
      | it may have no width   | call 1 with max_w 0                                                           | misconfigured_widget     |
      | something else touched | <touched>                                                                     | <code>                   |

    @level:1
    Examples:
      | level | start            | touched                                                 | code                         |
      | 1     | a bare workspace | then manage_dashboard: operation: create, name: Scratch | unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                                                                                                                            | code                     |
      | 2     | the workspace "stark-onboard-a" | then update_widget_layout: dashboard_id: dash_005, widget_id: portfolio_command_center_ideas_trade_ideas, x: 0, y: 0, w: 24, h: 14 | collateral_widget_change |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget       | from                          | severity | status | at         |
      | w_7d2 | Incident Log | Fund Operations Control Tower | High     | Open   | 0,0 20x14  |
      | w_4e5 | Incident Log | Fund Operations Control Tower | Low      | Closed | 20,0 20x14 |
    When the agent is asked, with 4 turns:
      """
      On the dashboard that is open, the Incident Log for the high severity shall be only 10 rows
      high. It keeps its corner and its width.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget       | from                          | severity | tab      | at        |
      | w_7d2 | Incident Log | Fund Operations Control Tower |          | Overview | 0,0 20x10 |
      |       | Incident Log | Fund Operations Control Tower | Low      |          |           |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                      |
      | get_workspace_snapshot |                                                                |
      | update_widget_layout   | widget_uuid: w_7d2, tab_id: overview, x: 0, y: 0, w: 20, h: 10 |
    And these near misses fail:
      | near miss                  | differs by                                                                                                                          | fails with               |
      | the twin                   | call 2 is update_widget_layout: widget_uuid: w_4e5, x: 20, y: 0, w: 20, h: 10                                                       | misconfigured_widget     |
      | half as wide               | call 2 with w 10                                                                                                                    | misconfigured_widget     |
      | the two swapped            | call 2 with x 20; then update_widget_layout: widget_uuid: w_4e5, x: 0, y: 0, w: 20, h: 14                                           | misconfigured_widget     |
      | a board's widget moved too | then update_widget_layout: dashboard_id: dash_005, widget_id: portfolio_command_center_ideas_trade_ideas, x: 0, y: 22, w: 24, h: 10 | collateral_widget_change |
