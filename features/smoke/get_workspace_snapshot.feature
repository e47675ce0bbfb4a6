@suite:smoke @world:workspace @category:read
Feature: get_workspace_snapshot
  The tool that every session begins with. What it returned is not graded: that it was called, and that looking changed
  nothing, is all of it.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool get_workspace_snapshot
    When the agent is asked, with 1 turn:
      """
      Use get_workspace_snapshot to read the current state of the workspace.
      """
    Then these calls are made:
      | call                   |
      | get_workspace_snapshot |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments |
      | get_workspace_snapshot |           |
      | done                   |           |
    And the near miss "never looked" fails with missing_tool_call:
      | call | arguments |
      | done |           |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use get_workspace_snapshot to read the current state of the workspace.
      """
    Then these calls are made:
      | call                   |
      | get_workspace_snapshot |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments |
      | get_workspace_snapshot |           |
    And these near misses fail:
      | near miss               | differs by                                  | fails with        |
      | one dashboard read      | call 1 is manage_dashboard: operation: read | missing_tool_call |
      | backends listed instead | call 1 is manage_backends: operation: list  | missing_tool_call |
      | something else touched  | <touched>                                   | <code>            |

    @level:1
    Examples:
      | level | start            | touched                                                 | code                         |
      | 1     | a bare workspace | then manage_dashboard: operation: create, name: Scratch | unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                                                                         | code                        |
      | 2     | the workspace "stark-onboard-a" | then manage_dashboard: operation: update, dashboard_id: dash_006, name: Scratch | collateral_dashboard_change |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 4 turns:
      """
      Before anything else is done, find out how the workspace stands now: which dashboards there
      are, and what is on the one that is open.
      """
    Then these calls are made:
      | call                   |
      | get_workspace_snapshot |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments |
      | get_workspace_snapshot |           |
    And these near misses fail:
      | near miss             | differs by                                                                                               | fails with               |
      | one dashboard read    | call 1 is manage_dashboard: operation: read                                                              | missing_tool_call        |
      | apps listed instead   | call 1 is manage_apps: operation: list, backend_id: backend_001                                          | missing_tool_call        |
      | looked, and tidied up | then delete_widget: dashboard_id: dash_003, widget_id: equity_research_workbench_ideas_analyst_scorecard | collateral_widget_change |
