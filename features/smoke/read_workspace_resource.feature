@suite:smoke @world:workspace @category:read
Feature: read_workspace_resource
  One of the workspace's own documents is read.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool read_workspace_resource
    When the agent is asked, with 1 turn:
      """
      Use read_workspace_resource to read the uri 'openbb://workspace/specs/widget-types'.
      """
    Then the resource "openbb://workspace/specs/widget-types" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                    | arguments                                    |
      | read_workspace_resource | uri: "openbb://workspace/specs/widget-types" |
      | done                    |                                              |
    And these near misses fail:
      | near miss             | differs by                                                 | fails with                                    |
      | its neighbour         | call 1 with uri openbb://workspace/specs/widget-parameters | missing_resource_read                         |
      | one that is not there | call 1 with uri openbb://workspace/specs/widgets           | missing_resource_read, too_many_invalid_calls |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use read_workspace_resource to read the uri 'openbb://workspace/specs/widget-types'.
      """
    Then the resource "openbb://workspace/specs/widget-types" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                    | arguments                                    |
      | read_workspace_resource | uri: "openbb://workspace/specs/widget-types" |
    And these near misses fail:
      | near miss               | differs by                                            | fails with            |
      | its neighbour           | call 1 with uri openbb://workspace/specs/widgets-json | missing_resource_read |
      | types seen in a listing | call 1 is list_available_widgets                      | missing_resource_read |
      | something else touched  | <touched>                                             | <code>                |

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
      Which types of widgets does the workspace know? Read its own specification of them.
      """
    Then the resource "openbb://workspace/specs/widget-types" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                    | arguments                                    |
      | read_workspace_resource | uri: "openbb://workspace/app-builder/index"  |
      | read_workspace_resource | uri: "openbb://workspace/specs/widget-types" |
    And these near misses fail:
      | near miss           | differs by                                                                                               | fails with               |
      | only the index      | without call 2                                                                                           | missing_resource_read    |
      | its neighbour       | call 2 with uri openbb://workspace/specs/widgets-json                                                    | missing_resource_read    |
      | and a board cleared | then delete_widget: dashboard_id: dash_003, widget_id: equity_research_workbench_ideas_analyst_scorecard | collateral_widget_change |
