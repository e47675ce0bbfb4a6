@suite:smoke @world:workspace @category:dashboard
Feature: navigate_workspace
  Another tab of the dashboard that is open comes to the front. Where the user ends up leaves no other trace.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool navigate_workspace
    And the open dashboard "Smoke Board" with tabs "Overview" and "Details":
      | uuid  | widget          | from                        | severity | status | period | tab      | at        |
      | w_2f6 | Alert Queue     | Compliance Surveillance Hub | High     | Open   | MTD    | Overview | 0,0 20x14 |
      | w_8a1 | Policy Breaches | Compliance Surveillance Hub | High     | Open   | MTD    | Details  | 0,0 20x14 |
    When the agent is asked, with 1 turn:
      """
      Use navigate_workspace with operation 'tab' to go to tab_id 'details' of the current
      dashboard.
      """
    Then these calls are made:
      | call               | arguments       |
      | navigate_workspace | tab_id: details |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call               | arguments                       |
      | navigate_workspace | operation: tab, tab_id: details |
      | done               |                                 |
    And these near misses fail:
      | near miss            | differs by                  | fails with                                |
      | the tab that is open | call 1 with tab_id overview | missing_tool_call                         |
      | a name for an id     | call 1 with tab_id Details  | missing_tool_call, too_many_invalid_calls |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    And the open dashboard "Smoke Board" with tabs "Overview" and "Details":
      | uuid  | widget          | from                        | severity | status | period | tab      | at        |
      | w_2f6 | Alert Queue     | Compliance Surveillance Hub | High     | Open   | MTD    | Overview | 0,0 20x14 |
      | w_8a1 | Policy Breaches | Compliance Surveillance Hub | High     | Open   | MTD    | Details  | 0,0 20x14 |
    When the agent is asked, with 2 turns:
      """
      Use navigate_workspace with operation 'tab' to go to tab_id 'details' of the current
      dashboard.
      """
    Then these calls are made:
      | call               | arguments       |
      | navigate_workspace | tab_id: details |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call               | arguments                       |
      | navigate_workspace | operation: tab, tab_id: details |
    And these near misses fail:
      | near miss              | differs by                                                                         | fails with                                     |
      | the tab that is open   | call 1 with tab_id overview                                                        | missing_tool_call                              |
      | a new tab              | call 1 is manage_navigation_bar: operation: add_tabs, tabs: [{name: Details View}] | missing_tool_call, collateral_dashboard_change |
      | something else touched | <touched>                                                                          | <code>                                         |

    @level:1
    Examples:
      | level | start            | touched                                                 | code                         |
      | 1     | a bare workspace | then manage_dashboard: operation: create, name: Scratch | unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                                                                    | code              |
      | 2     | the workspace "stark-onboard-a" | call 1 is navigate_workspace: operation: dashboard, dashboard_id: dash_003 | missing_tool_call |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    And the open dashboard "Smoke Board" with tabs "Overview" and "Details":
      | uuid  | widget          | from                        | severity | status | period | tab      | at        |
      | w_2f6 | Alert Queue     | Compliance Surveillance Hub | High     | Open   | MTD    | Overview | 0,0 20x14 |
      | w_8a1 | Policy Breaches | Compliance Surveillance Hub | High     | Open   | MTD    | Details  | 0,0 20x14 |
    When the agent is asked, with 4 turns:
      """
      Bring the Details of the dashboard that is open to the front.
      """
    Then these calls are made:
      | call               | arguments       |
      | navigate_workspace | tab_id: details |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                       |
      | get_workspace_snapshot |                                 |
      | navigate_workspace     | operation: tab, tab_id: details |
    And these near misses fail:
      | near miss             | differs by                                                                                      | fails with                                  |
      | to another dashboard  | call 2 is navigate_workspace: operation: dashboard, dashboard_id: dash_003                      | missing_tool_call                           |
      | the widget moved here | call 2 is update_widget_layout: widget_uuid: w_8a1, tab_id: overview, x: 20, y: 0, w: 20, h: 14 | missing_tool_call, collateral_widget_change |
      | a board renamed       | then manage_dashboard: operation: update, dashboard_id: dash_006, name: Scratch                 | collateral_dashboard_change                 |
