@suite:smoke @world:workspace @category:read
Feature: list_available_widgets
  Two backends are connected, and the widgets of the small one are asked for.

  Background:
    Given the backends getting-started and stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool list_available_widgets
    When the agent is asked, with 1 turn:
      """
      Use list_available_widgets to list the widgets of origin 'Getting Started'.
      """
    Then these calls are made:
      | call                   | arguments               |
      | list_available_widgets | origin: Getting Started |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments               |
      | list_available_widgets | origin: Getting Started |
      | done                   |                         |
    And these near misses fail:
      | near miss         | differs by                                | fails with        |
      | the other backend | call 1 with origin Bench Stark Enterprise | missing_tool_call |
      | of all backends   | call 1 without origin                     | missing_tool_call |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use list_available_widgets to list the widgets of origin 'Getting Started'.
      """
    Then these calls are made:
      | call                   | arguments               |
      | list_available_widgets | origin: Getting Started |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments               |
      | list_available_widgets | origin: Getting Started |
    And these near misses fail:
      | near miss              | differs by                                 | fails with        |
      | the other backend      | call 1 with origin Bench Stark Enterprise  | missing_tool_call |
      | of all backends        | call 1 without origin                      | missing_tool_call |
      | a look at the backends | call 1 is manage_backends: operation: list | missing_tool_call |
      | something else touched | <touched>                                  | <code>            |

    @level:1
    Examples:
      | level | start            | touched                                                 | code                         |
      | 1     | a bare workspace | then manage_dashboard: operation: create, name: Scratch | unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                                                                                                  | code                     |
      | 2     | the workspace "stark-onboard-a" | then delete_widget: dashboard_id: dash_003, widget_id: equity_research_workbench_ideas_analyst_scorecard | collateral_widget_change |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 4 turns:
      """
      Which widgets does Getting Started offer? Have the workspace name them, and leave the other
      source out of it.
      """
    Then these calls are made:
      | call                   | arguments               |
      | list_available_widgets | origin: Getting Started |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments               |
      | list_available_widgets | origin: Getting Started |
    And these near misses fail:
      | near miss            | differs by                                                        | fails with        |
      | the other backend    | call 1 with origin Bench Stark Enterprise                         | missing_tool_call |
      | its apps             | call 1 is manage_apps: operation: list, backend_id: backend_001   | missing_tool_call |
      | listed and tried out | then create_widget: origin: Getting Started, widget_id: live_grid | unexpected_widget |
