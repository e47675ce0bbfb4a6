@suite:smoke @world:workspace @category:read
Feature: get_widget_data
  The rows of one chart for one portfolio. The arguments matter: without them it answers for everybody.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool get_widget_data
    When the agent is asked, with 1 turn:
      """
      Use get_widget_data to read widget_id 'risk_exposure_monitor_risk_var_trend' from origin
      'Bench Stark Enterprise' with data_args portfolio 'Global Equity', period 'YTD'.
      """
    Then the data of "VaR Trend" from "Risk & Exposure Monitor" is read with portfolio: Global Equity, period: YTD
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call            | arguments                                                                                                                           |
      | get_widget_data | origin: Bench Stark Enterprise, widget_id: risk_exposure_monitor_risk_var_trend, data_args: {portfolio: Global Equity, period: YTD} |
      | done            |                                                                                                                                     |
    And these near misses fail:
      | near miss         | differs by                                                        | fails with        |
      | another portfolio | call 1 with data_args.portfolio Multi-Asset                       | missing_tool_call |
      | another period    | call 1 with data_args.period QTD                                  | missing_tool_call |
      | the look-alike    | call 1 with widget_id risk_exposure_monitor_risk_volatility_trend | missing_tool_call |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 3 turns:
      """
      Use get_widget_data to read widget_id 'risk_exposure_monitor_risk_var_trend' from origin
      'Bench Stark Enterprise' with data_args portfolio 'Global Equity', period 'YTD'.
      """
    Then the data of "VaR Trend" from "Risk & Exposure Monitor" is read with portfolio: Global Equity, period: YTD
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                                           |
      | list_available_widgets | origin: Bench Stark Enterprise                                                                                                      |
      | get_widget_data        | origin: Bench Stark Enterprise, widget_id: risk_exposure_monitor_risk_var_trend, data_args: {portfolio: Global Equity, period: YTD} |
    And these near misses fail:
      | near miss              | differs by                                        | fails with        |
      | another portfolio      | call 2 with data_args.portfolio Long/Short Equity | missing_tool_call |
      | every portfolio        | call 2 without data_args                          | missing_tool_call |
      | something else touched | <touched>                                         | <code>            |

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
    When the agent is asked, with 6 turns:
      """
      Read how the value at risk of the Global Equity portfolio has moved since the year began,
      from the VaR Trend in the Risk & Exposure Monitor of Bench Stark Enterprise.
      """
    Then the data of "VaR Trend" from "Risk & Exposure Monitor" is read with portfolio: Global Equity, period: YTD
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                                           |
      | list_available_widgets | origin: Bench Stark Enterprise                                                                                                      |
      | get_widget_schema      | origin: Bench Stark Enterprise, widget_id: risk_exposure_monitor_risk_var_trend                                                     |
      | get_widget_data        | origin: Bench Stark Enterprise, widget_id: risk_exposure_monitor_risk_var_trend, data_args: {portfolio: Global Equity, period: YTD} |
    And these near misses fail:
      | near miss                  | differs by                                                                                                                                                   | fails with                           |
      | the look-alike             | call 3 with widget_id risk_exposure_monitor_risk_volatility_trend                                                                                            | missing_tool_call                    |
      | a year, not this one       | call 3 with data_args.period 1Y                                                                                                                              | missing_tool_call                    |
      | the fund for the portfolio | call 3 with data_args.portfolio Global Equity Fund                                                                                                           | missing_tool_call                    |
      | placed, not read           | call 3 is create_widget: origin: Bench Stark Enterprise, widget_id: risk_exposure_monitor_risk_var_trend, data_args: {portfolio: Global Equity, period: YTD} | missing_tool_call, unexpected_widget |
