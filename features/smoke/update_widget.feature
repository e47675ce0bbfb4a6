@suite:smoke @world:workspace @category:single-widget
Feature: update_widget
  One of two views of the same widget is set to another period. Nothing of it is built anew.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool update_widget
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget               | from                    | fund                | period | at         |
      | w_3c1 | Capacity Utilization | Strategy Health Monitor | Flagship Long/Short | YTD    | 0,0 20x14  |
      | w_b70 | Capacity Utilization | Strategy Health Monitor | Multi-Asset Fund    | YTD    | 20,0 20x14 |
    When the agent is asked, with 1 turn:
      """
      Use update_widget to set data_args period 'MTD' on widget_uuid 'w_3c1' of the current
      dashboard. The other instance of widget_id
      'strategy_health_monitor_capacity_capacity_utilization', for fund 'Multi-Asset Fund', stays
      as it is.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget               | from                    | fund             | period |
      | w_3c1 | Capacity Utilization | Strategy Health Monitor |                  | MTD    |
      |       | Capacity Utilization | Strategy Health Monitor | Multi-Asset Fund |        |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call          | arguments                                    |
      | update_widget | widget_uuid: w_3c1, data_args: {period: MTD} |
      | done          |                                              |
    And these near misses fail:
      | near miss        | differs by                             | fails with                                     |
      | the twin         | call 1 with widget_uuid w_b70          | misconfigured_widget, collateral_widget_change |
      | another period   | call 1 with data_args.period QTD       | misconfigured_widget                           |
      | the fund as well | call 1 with data_args.fund Income Fund | collateral_widget_change                       |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget               | from                    | fund                | period | at         |
      | w_3c1 | Capacity Utilization | Strategy Health Monitor | Flagship Long/Short | YTD    | 0,0 20x14  |
      | w_b70 | Capacity Utilization | Strategy Health Monitor | Multi-Asset Fund    | YTD    | 20,0 20x14 |
    When the agent is asked, with 2 turns:
      """
      Use update_widget to set data_args period 'MTD' on widget_uuid 'w_3c1' of the current
      dashboard. The other instance of widget_id
      'strategy_health_monitor_capacity_capacity_utilization', for fund 'Multi-Asset Fund', stays
      as it is.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget               | from                    | fund             | period |
      | w_3c1 | Capacity Utilization | Strategy Health Monitor |                  | MTD    |
      |       | Capacity Utilization | Strategy Health Monitor | Multi-Asset Fund |        |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call          | arguments                                    |
      | update_widget | widget_uuid: w_3c1, data_args: {period: MTD} |
    And these near misses fail:
      | near miss              | differs by                                                                                                                                                                                  | fails with                                     |
      | the twin               | call 1 with widget_uuid w_b70                                                                                                                                                               | misconfigured_widget, collateral_widget_change |
      | built anew             | call 1 is delete_widget: widget_uuid: w_3c1; then create_widget: origin: Bench Stark Enterprise, widget_id: strategy_health_monitor_capacity_capacity_utilization, data_args: {period: MTD} | missing_widget, unexpected_widget              |
      | both of them           | then update_widget: widget_uuid: w_b70, data_args: {period: MTD}                                                                                                                            | collateral_widget_change                       |
      | something else touched | <touched>                                                                                                                                                                                   | <code>                                         |

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
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget               | from                    | fund                | period | at         |
      | w_3c1 | Capacity Utilization | Strategy Health Monitor | Flagship Long/Short | YTD    | 0,0 20x14  |
      | w_b70 | Capacity Utilization | Strategy Health Monitor | Multi-Asset Fund    | YTD    | 20,0 20x14 |
    When the agent is asked, with 4 turns:
      """
      On the dashboard that is open, set the Capacity Utilization of Flagship Long/Short to the
      month to date.
      """
    Then the dashboard holds exactly these widgets:
      | uuid  | widget               | from                    | fund             | period |
      | w_3c1 | Capacity Utilization | Strategy Health Monitor |                  | MTD    |
      |       | Capacity Utilization | Strategy Health Monitor | Multi-Asset Fund |        |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                        |
      | get_workspace_snapshot |                                                                                                  |
      | get_widget_schema      | origin: Bench Stark Enterprise, widget_id: strategy_health_monitor_capacity_capacity_utilization |
      | update_widget          | widget_uuid: w_3c1, data_args: {period: MTD}                                                     |
    And these near misses fail:
      | near miss                   | differs by                                                                                                                                                | fails with                                     |
      | the twin                    | call 3 with widget_uuid w_b70                                                                                                                             | misconfigured_widget, collateral_widget_change |
      | the quarter                 | call 3 with data_args.period QTD                                                                                                                          | misconfigured_widget                           |
      | the day                     | call 3 with data_args.period 1D                                                                                                                           | misconfigured_widget                           |
      | the board that shows it too | then update_widget: dashboard_id: dash_007, widget_id: strategy_health_monitor_capacity_capacity_utilization, data_args: {period: YTD}                    | collateral_widget_change                       |
      | the board's, not this one   | call 3 is update_widget: dashboard_id: dash_007, widget_id: strategy_health_monitor_capacity_capacity_utilization, data_args: {fund: Flagship Long/Short} | misconfigured_widget, collateral_widget_change |
