@suite:smoke @world:workspace @category:single-widget
Feature: create_widget
  A chart goes onto the dashboard that is open, for one choice of its three parameters. Their defaults are right but for
  the period. Listing and schema come first where they are there: every agent is told so, and the turns allow it.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool create_widget
    When the agent is asked, with 1 turn:
      """
      Use create_widget to add widget_id 'compliance_surveillance_hub_alerts_alert_trend' from
      origin 'Bench Stark Enterprise' to the current dashboard with data_args severity 'High',
      status 'Open', period 'YTD'.
      """
    Then the dashboard holds exactly these widgets:
      | widget      | from                        | severity | status | period |
      | Alert Trend | Compliance Surveillance Hub | High     | Open   | YTD    |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call          | arguments                                                                                                                                         |
      | create_widget | origin: Bench Stark Enterprise, widget_id: compliance_surveillance_hub_alerts_alert_trend, data_args: {severity: High, status: Open, period: YTD} |
      | done          |                                                                                                                                                   |
    And these near misses fail:
      | near miss                | differs by                                                           | fails with                        |
      | the period is left alone | call 1 without data_args.period                                      | misconfigured_widget              |
      | another status           | call 1 with data_args.status In Review                               | misconfigured_widget              |
      | its neighbour            | call 1 with widget_id compliance_surveillance_hub_alerts_alert_queue | missing_widget, unexpected_widget |
      | hidden                   | call 1 with ui_args {hidden: true}                                   | collateral_widget_change          |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 4 turns:
      """
      Use create_widget to add widget_id 'compliance_surveillance_hub_alerts_alert_trend' from
      origin 'Bench Stark Enterprise' to the current dashboard with data_args severity 'High',
      status 'Open', period 'YTD'.
      """
    Then the dashboard holds exactly these widgets:
      | widget      | from                        | severity | status | period |
      | Alert Trend | Compliance Surveillance Hub | High     | Open   | YTD    |
    And widgets are listed before they are used
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                                                         |
      | list_available_widgets | origin: Bench Stark Enterprise                                                                                                                    |
      | get_widget_schema      | origin: Bench Stark Enterprise, widget_id: compliance_surveillance_hub_alerts_alert_trend                                                         |
      | create_widget          | origin: Bench Stark Enterprise, widget_id: compliance_surveillance_hub_alerts_alert_trend, data_args: {severity: High, status: Open, period: YTD} |
    And these near misses fail:
      | near miss                | differs by                                                              | fails with                        |
      | the period is left alone | call 3 without data_args                                                | misconfigured_widget              |
      | its neighbour            | call 3 with widget_id compliance_surveillance_hub_alerts_alerts_by_type | missing_widget, unexpected_widget |
      | placed twice             | call 3 again                                                            | unexpected_widget                 |
      | never listed             | without call 1; without call 2                                          | widget_list_not_called_before_use |
      | something else touched   | <touched>                                                               | <code>                            |

    @level:1
    Examples:
      | level | start            | touched                                                  | code                                         |
      | 1     | a bare workspace | first manage_dashboard: operation: create, name: Scratch | missing_widget, unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                           | code                              |
      | 2     | the workspace "stark-onboard-a" | call 3 with dashboard_id dash_006 | missing_widget, unexpected_widget |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 8 turns:
      """
      Add the Alert Trend widget from Bench Stark Enterprise to the current dashboard, set up to
      track open high-severity alerts year-to-date.
      """
    Then the dashboard holds exactly these widgets:
      | widget      | from                        | severity | status | period |
      | Alert Trend | Compliance Surveillance Hub | High     | Open   | YTD    |
    And widgets are listed before they are used
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                                                         |
      | list_available_widgets | origin: Bench Stark Enterprise                                                                                                                    |
      | get_widget_schema      | origin: Bench Stark Enterprise, widget_id: compliance_surveillance_hub_alerts_alert_trend                                                         |
      | create_widget          | origin: Bench Stark Enterprise, widget_id: compliance_surveillance_hub_alerts_alert_trend, data_args: {severity: High, status: Open, period: YTD} |
    And these near misses fail:
      | near miss                | differs by                                                                  | fails with                                   |
      | the quarter              | call 3 with data_args.period QTD                                            | misconfigured_widget                         |
      | a year, not this one     | call 3 with data_args.period 1Y                                             | misconfigured_widget                         |
      | the headline number      | call 3 with widget_id compliance_surveillance_hub_alerts_open_alert_metrics | missing_widget, unexpected_widget            |
      | onto the app's dashboard | call 3 with dashboard_id dash_004                                           | missing_widget, unexpected_widget            |
      | a board made for it      | first manage_dashboard: operation: create, name: Alerts                     | missing_widget, unexpected_dashboard_created |
      | never listed             | without call 1; without call 2                                              | widget_list_not_called_before_use            |
