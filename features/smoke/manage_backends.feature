@suite:smoke @world:workspace @category:platform
Feature: manage_backends
  The backends that are connected are listed, and stay as they are.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool manage_backends
    When the agent is asked, with 1 turn:
      """
      Use manage_backends with operation 'list' to list the connected backends.
      """
    Then these calls are made:
      | call            | arguments       |
      | manage_backends | operation: list |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call            | arguments       |
      | manage_backends | operation: list |
      | done            |                 |
    And these near misses fail:
      | near miss             | differs by                                                             | fails with                                    |
      | refreshed, not listed | call 1 is manage_backends: operation: refresh, backend_id: backend_001 | missing_tool_call                             |
      | connected once more   | call 1 is manage_backends: operation: add, name: desk-mini             | missing_tool_call, unexpected_backend_created |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use manage_backends with operation 'list' to list the connected backends.
      """
    Then these calls are made:
      | call            | arguments       |
      | manage_backends | operation: list |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call            | arguments       |
      | manage_backends | operation: list |
    And these near misses fail:
      | near miss              | differs by                                                             | fails with                 |
      | refreshed, not listed  | call 1 is manage_backends: operation: refresh, backend_id: backend_001 | missing_tool_call          |
      | one connected as well  | then manage_backends: operation: add, name: desk-mini                  | unexpected_backend_created |
      | the apps instead       | call 1 is manage_apps: operation: list, backend_id: backend_001        | missing_tool_call          |
      | something else touched | <touched>                                                              | <code>                     |

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
      Where does the workspace get its widgets from? Look up what is connected to it at present.
      """
    Then these calls are made:
      | call            | arguments       |
      | manage_backends | operation: list |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call            | arguments       |
      | manage_backends | operation: list |
    And these near misses fail:
      | near miss               | differs by                                                                                                         | fails with                 |
      | the widgets instead     | call 1 is list_available_widgets                                                                                   | missing_tool_call          |
      | one connected as well   | then manage_backends: operation: add, name: desk-mini                                                              | unexpected_backend_created |
      | written down on a board | then add_generative_widget: dashboard_id: dash_006, widget_type: note, name: Sources, data: Bench Stark Enterprise | unexpected_widget          |
