@suite:smoke @world:workspace @category:dashboard
Feature: manage_navigation_bar
  The dashboard that is open, which has no tabs yet, gets two.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool manage_navigation_bar
    When the agent is asked, with 1 turn:
      """
      Use manage_navigation_bar with operation 'create' to give the current dashboard the tabs
      'Overview' and 'Details'.
      """
    Then the dashboard has the tabs "Overview" and "Details"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                  | arguments                                                    |
      | manage_navigation_bar | operation: create, tabs: [{name: Overview}, {name: Details}] |
      | done                  |                                                              |
    And these near misses fail:
      | near miss      | differs by                                                          | fails with                  |
      | one of the two | call 1 with tabs [{name: Overview}]                                 | missing_tab_name            |
      | a third one    | call 1 with tabs [{name: Overview}, {name: Details}, {name: Notes}] | collateral_dashboard_change |
      | a longer name  | call 1 with tabs [{name: Overview}, {name: More Details}]           | missing_tab_name            |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use manage_navigation_bar with operation 'create' to give the current dashboard the tabs
      'Overview' and 'Details'.
      """
    Then the dashboard has the tabs "Overview" and "Details"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                  | arguments                                                    |
      | manage_navigation_bar | operation: create, tabs: [{name: Overview}, {name: Details}] |
    And these near misses fail:
      | near miss              | differs by                                                          | fails with                  |
      | one of the two         | call 1 with tabs [{name: Overview}]                                 | missing_tab_name            |
      | a third one            | call 1 with tabs [{name: Overview}, {name: Details}, {name: Notes}] | collateral_dashboard_change |
      | something else touched | <touched>                                                           | <code>                      |

    @level:1
    Examples:
      | level | start            | touched                                                 | code                         |
      | 1     | a bare workspace | then manage_dashboard: operation: create, name: Scratch | unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                           | code                                          |
      | 2     | the workspace "stark-onboard-a" | call 1 with dashboard_id dash_005 | missing_tab_name, collateral_dashboard_change |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 4 turns:
      """
      The dashboard that is open shall be divided in two, Overview and Details, so that one can
      switch between them.
      """
    Then the dashboard has the tabs "Overview" and "Details"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                    |
      | get_workspace_snapshot |                                                              |
      | manage_navigation_bar  | operation: create, tabs: [{name: Overview}, {name: Details}] |
    And these near misses fail:
      | near miss            | differs by                                                                                                             | fails with                                     |
      | one of the two       | call 2 with tabs [{name: Details}]                                                                                     | missing_tab_name                               |
      | on one of the boards | call 2 with dashboard_id dash_007                                                                                      | missing_tab_name, collateral_dashboard_change  |
      | dashboards, not tabs | call 2 is manage_dashboard: operation: create, name: Overview; then manage_dashboard: operation: create, name: Details | missing_tab_name, unexpected_dashboard_created |
      | renamed afterwards   | then manage_navigation_bar: operation: rename_tabs, rename_map: {details: Detail}                                      | missing_tab_name                               |
