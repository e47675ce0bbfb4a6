@suite:smoke @world:workspace @category:read
Feature: get_skill_content
  One of six skills, whose names resemble each other, is read.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool get_skill_content
    When the agent is asked, with 1 turn:
      """
      Use get_skill_content to read the skill with the slug 'daloopa-tearsheet'.
      """
    Then the skill "daloopa-tearsheet" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call              | arguments               |
      | get_skill_content | slug: daloopa-tearsheet |
      | done              |                         |
    And these near misses fail:
      | near miss                | differs by                          | fails with                                |
      | its neighbour            | call 1 with slug daloopa-inflection | missing_tool_call                         |
      | one that is not declared | call 1 with slug finance-tearsheet  | missing_tool_call, too_many_invalid_calls |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use get_skill_content to read the skill with the slug 'daloopa-tearsheet'.
      """
    Then the skill "daloopa-tearsheet" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call              | arguments               |
      | get_skill_content | slug: daloopa-tearsheet |
    And these near misses fail:
      | near miss               | differs by                        | fails with        |
      | its neighbour           | call 1 with slug daloopa-industry | missing_tool_call |
      | only the list of skills | call 1 is get_workspace_snapshot  | missing_tool_call |
      | something else touched  | <touched>                         | <code>            |

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
      Somebody wants a tearsheet made the Daloopa way. Read the working method that the workspace
      has for it.
      """
    Then the skill "daloopa-tearsheet" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments               |
      | get_workspace_snapshot |                         |
      | get_skill_content      | slug: daloopa-tearsheet |
    And these near misses fail:
      | near miss               | differs by                                                                                                | fails with        |
      | only the list of skills | without call 2                                                                                            | missing_tool_call |
      | the earnings method     | call 2 with slug daloopa-earnings-review                                                                  | missing_tool_call |
      | copied onto a board     | then add_generative_widget: dashboard_id: dash_005, widget_type: note, name: Method, data: See the skill. | unexpected_widget |
