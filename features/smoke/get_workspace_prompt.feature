@suite:smoke @world:workspace @category:read
Feature: get_workspace_prompt
  One of the two prompts that the workspace has is fetched.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool get_workspace_prompt
    When the agent is asked, with 1 turn:
      """
      Use get_workspace_prompt to get the prompt named 'workspace_tool_usage'.
      """
    Then the prompt "workspace_tool_usage" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                 | arguments                  |
      | get_workspace_prompt | name: workspace_tool_usage |
      | done                 |                            |
    And these near misses fail:
      | near miss             | differs by                                 | fails with                                |
      | the other prompt      | call 1 with name workspace_session_context | missing_tool_call                         |
      | one that is not there | call 1 with name tool_usage                | missing_tool_call, too_many_invalid_calls |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use get_workspace_prompt to get the prompt named 'workspace_tool_usage'.
      """
    Then the prompt "workspace_tool_usage" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                 | arguments                  |
      | get_workspace_prompt | name: workspace_tool_usage |
    And these near misses fail:
      | near miss              | differs by                                                                              | fails with        |
      | the other prompt       | call 1 with name workspace_session_context                                              | missing_tool_call |
      | a document instead     | call 1 is read_workspace_resource: uri: "openbb://workspace/overview/ai-agent-contract" | missing_tool_call |
      | something else touched | <touched>                                                                               | <code>            |

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
      The workspace has a prompt of its own that says how its tools are to be used. Fetch that
      one.
      """
    Then the prompt "workspace_tool_usage" is read
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                 | arguments                  |
      | get_workspace_prompt | name: workspace_tool_usage |
    And these near misses fail:
      | near miss               | differs by                                                                                                                         | fails with               |
      | the other prompt        | call 1 with name workspace_session_context                                                                                         | missing_tool_call        |
      | a document instead      | call 1 is read_workspace_resource: uri: "openbb://workspace/overview/ai-agent-contract"                                            | missing_tool_call        |
      | and a board moved about | then update_widget_layout: dashboard_id: dash_005, widget_id: portfolio_command_center_ideas_trade_ideas, x: 0, y: 0, w: 24, h: 14 | collateral_widget_change |
