@suite:smoke @world:workspace @category:read
Feature: read_widget
  One view of the dashboard is looked at as it stands there. By which of its ids it was found does not matter.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool read_widget
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget          | from       | client              | at         |
      | w_6b3 | Client Accounts | Client 360 | Northstar Endowment | 0,0 20x14  |
      | w_1d8 | Client Returns  | Client 360 | Northstar Endowment | 20,0 20x14 |
    When the agent is asked, with 1 turn:
      """
      Use read_widget to read widget_id 'client_360_accounts_client_accounts' of the current
      dashboard.
      """
    Then a result of read_widget says "client_360_accounts_client_accounts"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call        | arguments                                      |
      | read_widget | widget_id: client_360_accounts_client_accounts |
      | done        |                                                |
    And these near misses fail:
      | near miss             | differs by                                                  | fails with                                  |
      | its neighbour         | call 1 with widget_id client_360_performance_client_returns | missing_tool_result                         |
      | one that is not there | call 1 with widget_uuid w_000                               | missing_tool_result, too_many_invalid_calls |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget          | from       | client              | at         |
      | w_6b3 | Client Accounts | Client 360 | Northstar Endowment | 0,0 20x14  |
      | w_1d8 | Client Returns  | Client 360 | Northstar Endowment | 20,0 20x14 |
    When the agent is asked, with 2 turns:
      """
      Use read_widget to read widget_id 'client_360_accounts_client_accounts' of the current
      dashboard.
      """
    Then a result of read_widget says "client_360_accounts_client_accounts"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call        | arguments                                      |
      | read_widget | widget_id: client_360_accounts_client_accounts |
    And these near misses fail:
      | near miss              | differs by                                                                                                | fails with          |
      | its neighbour          | call 1 is read_widget: widget_uuid: w_1d8                                                                 | missing_tool_result |
      | its data               | call 1 is get_widget_data: origin: Bench Stark Enterprise, widget_id: client_360_accounts_client_accounts | missing_tool_result |
      | seen from above        | call 1 is get_workspace_snapshot                                                                          | missing_tool_result |
      | something else touched | <touched>                                                                                                 | <code>              |

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
    And the open dashboard "Smoke Board" with tab "Overview":
      | uuid  | widget          | from       | client              | at         |
      | w_6b3 | Client Accounts | Client 360 | Northstar Endowment | 0,0 20x14  |
      | w_1d8 | Client Returns  | Client 360 | Northstar Endowment | 20,0 20x14 |
    When the agent is asked, with 4 turns:
      """
      How is the view of Client Accounts on the dashboard that is open set up? Have the workspace
      show that one view as it stands there: its definition and its data are not needed.
      """
    Then a result of read_widget says "client_360_accounts_client_accounts"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments          |
      | get_workspace_snapshot |                    |
      | read_widget            | widget_uuid: w_6b3 |
    And these near misses fail:
      | near miss       | differs by                                                                                                  | fails with               |
      | its neighbour   | call 2 with widget_uuid w_1d8                                                                               | missing_tool_result      |
      | seen from above | without call 2                                                                                              | missing_tool_result      |
      | its definition  | call 2 is get_widget_schema: origin: Bench Stark Enterprise, widget_id: client_360_accounts_client_accounts | missing_tool_result      |
      | and thrown away | then delete_widget: widget_uuid: w_6b3                                                                      | collateral_widget_change |
