@suite:smoke @world:workspace @category:read
Feature: get_params_options
  What one parameter of one widget offers. The schema says it too, but it is this look-up that is asked for.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool get_params_options
    When the agent is asked, with 1 turn:
      """
      Use get_params_options to look up the options of param_name 'period' of widget_id
      'earnings_estimates_monitor_calendar_upcoming_earnings' from origin 'Bench Stark
      Enterprise'.
      """
    Then these calls are made:
      | call               | arguments                                                                                                            |
      | get_params_options | origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings, param_name: period |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call               | arguments                                                                                                            |
      | get_params_options | origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings, param_name: period |
      | done               |                                                                                                                      |
    And these near misses fail:
      | near miss         | differs by                                                                 | fails with        |
      | another parameter | call 1 with param_name sector                                              | missing_tool_call |
      | a look-alike      | call 1 with widget_id earnings_estimates_monitor_estimates_consensus_trend | missing_tool_call |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 3 turns:
      """
      Use get_params_options to look up the options of param_name 'period' of widget_id
      'earnings_estimates_monitor_calendar_upcoming_earnings' from origin 'Bench Stark
      Enterprise'.
      """
    Then these calls are made:
      | call               | arguments                                                                                                            |
      | get_params_options | origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings, param_name: period |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                            |
      | list_available_widgets | origin: Bench Stark Enterprise                                                                                       |
      | get_params_options     | origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings, param_name: period |
    And these near misses fail:
      | near miss              | differs by                                                                                                                    | fails with        |
      | another parameter      | call 2 with param_name ticker                                                                                                 | missing_tool_call |
      | the whole schema       | call 2 is get_widget_schema: origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings | missing_tool_call |
      | something else touched | <touched>                                                                                                                     | <code>            |

    @level:1
    Examples:
      | level | start            | touched                                                 | code                         |
      | 1     | a bare workspace | then manage_dashboard: operation: create, name: Scratch | unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                                                                                                                                | code                     |
      | 2     | the workspace "stark-onboard-a" | then update_widget: dashboard_id: dash_007, widget_id: strategy_health_monitor_capacity_capacity_utilization, data_args: {period: YTD} | collateral_widget_change |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 6 turns:
      """
      Ask the workspace which choices the period of Upcoming Earnings has, in the Earnings &
      Estimates Monitor of Bench Stark Enterprise: that one parameter, not the definition of the
      whole view.
      """
    Then these calls are made:
      | call               | arguments                                                                                                            |
      | get_params_options | origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings, param_name: period |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                            |
      | list_available_widgets | origin: Bench Stark Enterprise                                                                                       |
      | get_params_options     | origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings, param_name: period |
    And these near misses fail:
      | near miss            | differs by                                                                                                                             | fails with               |
      | another parameter    | call 2 with param_name sector                                                                                                          | missing_tool_call        |
      | the whole schema     | call 2 is get_widget_schema: origin: Bench Stark Enterprise, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings          | missing_tool_call        |
      | a look-alike         | call 2 with widget_id earnings_estimates_monitor_estimates_revision_breadth                                                            | missing_tool_call        |
      | tried out on a board | then update_widget: dashboard_id: dash_005, widget_id: earnings_estimates_monitor_calendar_upcoming_earnings, data_args: {period: YTD} | collateral_widget_change |
