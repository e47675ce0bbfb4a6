@suite:smoke @world:workspace @category:single-widget
Feature: delete_widget
  One of two views goes, and the other stays where it is.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool delete_widget
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget           | from                        | fund                | status | at         |
      | w_9e4 | Close Exceptions | NAV, Fees & Close Dashboard | Income Fund         | Open   | 0,0 20x14  |
      | w_5c1 | Close Exceptions | NAV, Fees & Close Dashboard | Flagship Long/Short | Open   | 20,0 20x14 |
    When the agent is asked, with 1 turn:
      """
      Use delete_widget to remove widget_uuid 'w_9e4' from the current dashboard. The other
      instance of widget_id 'nav_fees_close_dashboard_close_close_exceptions' from origin 'Bench
      Stark Enterprise', for fund 'Flagship Long/Short', stays as it is.
      """
    Then the dashboard holds exactly these widgets:
      | widget           | from                        | fund                |
      | Close Exceptions | NAV, Fees & Close Dashboard | Flagship Long/Short |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call          | arguments          |
      | delete_widget | widget_uuid: w_9e4 |
      | done          |                    |
    And these near misses fail:
      | near miss               | differs by                                                                          | fails with                                     |
      | the twin                | call 1 with widget_uuid w_5c1                                                       | misconfigured_widget, collateral_widget_change |
      | by what both are called | call 1 is delete_widget: widget_id: nav_fees_close_dashboard_close_close_exceptions | unexpected_widget, too_many_invalid_calls      |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget           | from                        | fund                | status | at         |
      | w_9e4 | Close Exceptions | NAV, Fees & Close Dashboard | Income Fund         | Open   | 0,0 20x14  |
      | w_5c1 | Close Exceptions | NAV, Fees & Close Dashboard | Flagship Long/Short | Open   | 20,0 20x14 |
    When the agent is asked, with 2 turns:
      """
      Use delete_widget to remove widget_uuid 'w_9e4' from the current dashboard. The other
      instance of widget_id 'nav_fees_close_dashboard_close_close_exceptions' from origin 'Bench
      Stark Enterprise', for fund 'Flagship Long/Short', stays as it is.
      """
    Then the dashboard holds exactly these widgets:
      | widget           | from                        | fund                |
      | Close Exceptions | NAV, Fees & Close Dashboard | Flagship Long/Short |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call          | arguments          |
      | delete_widget | widget_uuid: w_9e4 |
    And these near misses fail:
      | near miss              | differs by                                                                          | fails with                                     |
      | the twin               | call 1 with widget_uuid w_5c1                                                       | misconfigured_widget, collateral_widget_change |
      | both of them           | then delete_widget: widget_uuid: w_5c1                                              | missing_widget                                 |
      | made the same          | call 1 is update_widget: widget_uuid: w_9e4, data_args: {fund: Flagship Long/Short} | unexpected_widget                              |
      | something else touched | <touched>                                                                           | <code>                                         |

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
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget           | from                        | fund                | status | at         |
      | w_9e4 | Close Exceptions | NAV, Fees & Close Dashboard | Income Fund         | Open   | 0,0 20x14  |
      | w_5c1 | Close Exceptions | NAV, Fees & Close Dashboard | Flagship Long/Short | Open   | 20,0 20x14 |
    When the agent is asked, with 4 turns:
      """
      Take the Close Exceptions of the Income Fund off the dashboard that is open.
      """
    Then the dashboard holds exactly these widgets:
      | widget           | from                        | fund                |
      | Close Exceptions | NAV, Fees & Close Dashboard | Flagship Long/Short |
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments          |
      | get_workspace_snapshot |                    |
      | delete_widget          | widget_uuid: w_9e4 |
    And these near misses fail:
      | near miss             | differs by                                                                                                                                                              | fails with                                     |
      | the twin              | call 2 with widget_uuid w_5c1                                                                                                                                           | misconfigured_widget, collateral_widget_change |
      | set to closed         | call 2 is update_widget: widget_uuid: w_9e4, data_args: {status: Closed}                                                                                                | unexpected_widget                              |
      | onto a tab of its own | call 2 is manage_navigation_bar: operation: add_tabs, tabs: [{name: Archive}]; then update_widget_layout: widget_uuid: w_9e4, tab_id: archive, x: 0, y: 0, w: 20, h: 14 | unexpected_widget, collateral_dashboard_change |
      | a board cleared too   | then delete_widget: dashboard_id: dash_003, widget_id: equity_research_workbench_ideas_analyst_scorecard                                                                | collateral_widget_change                       |
