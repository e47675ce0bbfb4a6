@suite:smoke @world:workspace @category:read
Feature: get_widget_schema
  Two apps have a widget that is called Trade Ideas, with other parameters. Where the listing is there, it comes first:
  every agent is told so.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool get_widget_schema
    When the agent is asked, with 1 turn:
      """
      Use get_widget_schema to read the schema of widget_id
      'portfolio_command_center_ideas_trade_ideas' from origin 'Bench Stark Enterprise'.
      """
    Then these calls are made:
      | call              | arguments                                                                             |
      | get_widget_schema | origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call              | arguments                                                                             |
      | get_widget_schema | origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas |
      | done              |                                                                                       |
    And these near misses fail:
      | near miss     | differs by                                                                 | fails with        |
      | the namesake  | call 1 with widget_id equity_research_workbench_ideas_trade_ideas          | missing_tool_call |
      | its neighbour | call 1 with widget_id portfolio_command_center_ideas_idea_pipeline_summary | missing_tool_call |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 3 turns:
      """
      Use get_widget_schema to read the schema of widget_id
      'portfolio_command_center_ideas_trade_ideas' from origin 'Bench Stark Enterprise'.
      """
    Then these calls are made:
      | call              | arguments                                                                             |
      | get_widget_schema | origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas |
    And widgets are listed before they are used
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                             |
      | list_available_widgets | origin: Bench Stark Enterprise                                                        |
      | get_widget_schema      | origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas |
    And these near misses fail:
      | near miss              | differs by                                                        | fails with                        |
      | the namesake           | call 2 with widget_id equity_research_workbench_ideas_trade_ideas | missing_tool_call                 |
      | straight to the schema | without call 1                                                    | widget_list_not_called_before_use |
      | something else touched | <touched>                                                         | <code>                            |

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
    When the agent is asked, with 6 turns:
      """
      Which parameters can the Trade Ideas view of the Portfolio Command Center, from Bench Stark
      Enterprise, be set by? Read how it is defined.
      """
    Then these calls are made:
      | call              | arguments                                                                             |
      | get_widget_schema | origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas |
    And widgets are listed before they are used
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                             |
      | list_available_widgets | origin: Bench Stark Enterprise                                                        |
      | get_widget_schema      | origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas |
    And these near misses fail:
      | near miss                    | differs by                                                                                                       | fails with                        |
      | the namesake                 | call 2 with widget_id equity_research_workbench_ideas_trade_ideas                                                | missing_tool_call                 |
      | an id from nowhere           | without call 1                                                                                                   | widget_list_not_called_before_use |
      | its data, not its definition | call 2 is get_widget_data: origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas | missing_tool_call                 |
      | placed to look at it         | then create_widget: origin: Bench Stark Enterprise, widget_id: portfolio_command_center_ideas_trade_ideas        | unexpected_widget                 |
