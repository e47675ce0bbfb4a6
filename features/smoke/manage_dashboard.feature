@suite:smoke @world:workspace @category:dashboard
Feature: manage_dashboard
  The dashboard that is open gets another name: to the letter, and by renaming, not by making one of that name.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool manage_dashboard
    When the agent is asked, with 1 turn:
      """
      Use manage_dashboard with operation 'update' to give dashboard_id 'dash_001' the name 'Smoke
      Renamed Dashboard'.
      """
    Then the dashboard is called "Smoke Renamed Dashboard"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call             | arguments                                                                |
      | manage_dashboard | operation: update, dashboard_id: dash_001, name: Smoke Renamed Dashboard |
      | done             |                                                                          |
    And these near misses fail:
      | near miss         | differs by                                                                   | fails with                                   |
      | made, not renamed | call 1 is manage_dashboard: operation: create, name: Smoke Renamed Dashboard | dashboard_name, unexpected_dashboard_created |
      | half of the name  | call 1 with name Smoke Dashboard                                             | dashboard_name                               |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use manage_dashboard with operation 'update' to give dashboard_id 'dash_001' the name 'Smoke
      Renamed Dashboard'.
      """
    Then the dashboard is called "Smoke Renamed Dashboard"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call             | arguments                                                                |
      | manage_dashboard | operation: update, dashboard_id: dash_001, name: Smoke Renamed Dashboard |
    And these near misses fail:
      | near miss              | differs by                                                                   | fails with                                   |
      | made, not renamed      | call 1 is manage_dashboard: operation: create, name: Smoke Renamed Dashboard | dashboard_name, unexpected_dashboard_created |
      | more than the name     | call 1 with name Smoke Renamed Dashboard (open)                              | dashboard_name                               |
      | something else touched | <touched>                                                                    | <code>                                       |

    @level:1
    Examples:
      | level | start            | touched                                                                  | code              |
      | 1     | a bare workspace | then add_generative_widget: widget_type: note, name: Report, data: Done. | unexpected_widget |

    @level:2
    Examples:
      | level | start                           | touched                           | code                                        |
      | 2     | the workspace "stark-onboard-a" | call 1 with dashboard_id dash_006 | dashboard_name, collateral_dashboard_change |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 4 turns:
      """
      Call the dashboard that is open Smoke Renamed Dashboard from now on. It stays the same
      dashboard.
      """
    Then the dashboard is called "Smoke Renamed Dashboard"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                |
      | get_workspace_snapshot |                                                                          |
      | manage_dashboard       | operation: update, dashboard_id: dash_001, name: Smoke Renamed Dashboard |
    And these near misses fail:
      | near miss               | differs by                                                                                      | fails with                                   |
      | made, not renamed       | call 2 is manage_dashboard: operation: create, name: Smoke Renamed Dashboard                    | dashboard_name, unexpected_dashboard_created |
      | the first board renamed | call 2 with dashboard_id dash_005                                                               | dashboard_name, collateral_dashboard_change  |
      | a board renamed as well | then manage_dashboard: operation: update, dashboard_id: dash_007, name: Smoke Renamed Dashboard | collateral_dashboard_change                  |
