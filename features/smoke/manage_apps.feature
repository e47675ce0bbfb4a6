@suite:smoke @world:workspace @category:dashboard
Feature: manage_apps
  An app becomes a new dashboard, with a name of the user's, and comes to the front as it is. An app's backend id is looked
  up first: every agent is told so.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool manage_apps
    When the agent is asked, with 1 turn:
      """
      Use manage_apps with operation 'instantiate' to open the app 'Portfolio Command Center',
      template_id 'portfolio-command-center' of backend_id 'backend_001', with dashboard_name
      'Smoke Instantiated App' and activate true.
      """
    Then the dashboard "Smoke Instantiated App" is the app "Portfolio Command Center" of "Bench Stark Enterprise" as it comes
    And the dashboard is called "Smoke Instantiated App"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call        | arguments                                                                                                                                      |
      | manage_apps | operation: instantiate, backend_id: backend_001, template_id: portfolio-command-center, dashboard_name: Smoke Instantiated App, activate: true |
      | done        |                                                                                                                                                |
    And these near misses fail:
      | near miss           | differs by                                    | fails with                     |
      | another app         | call 1 with template_id risk-exposure-monitor | app_not_opened                 |
      | under its own name  | call 1 without dashboard_name                 | app_not_opened, dashboard_name |
      | behind the open one | call 1 with activate false                    | dashboard_name                 |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 3 turns:
      """
      Use manage_apps with operation 'instantiate' to open the app 'Portfolio Command Center',
      template_id 'portfolio-command-center' of backend_id 'backend_001', with dashboard_name
      'Smoke Instantiated App' and activate true.
      """
    Then the dashboard "Smoke Instantiated App" is the app "Portfolio Command Center" of "Bench Stark Enterprise" as it comes
    And the dashboard is called "Smoke Instantiated App"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call            | arguments                                                                                                                                      |
      | manage_backends | operation: list                                                                                                                                |
      | manage_apps     | operation: instantiate, backend_id: backend_001, template_id: portfolio-command-center, dashboard_name: Smoke Instantiated App, activate: true |
    And these near misses fail:
      | near miss              | differs by                                                                  | fails with                     |
      | another app            | call 2 with template_id strategy-health-monitor                             | app_not_opened                 |
      | under its own name     | call 2 without dashboard_name                                               | app_not_opened, dashboard_name |
      | a bare dashboard       | call 2 is manage_dashboard: operation: create, name: Smoke Instantiated App | app_not_opened, missing_widget |
      | something else touched | <touched>                                                                   | <code>                         |

    @level:1
    Examples:
      | level | start            | touched      | code                         |
      | 1     | a bare workspace | call 2 again | unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                                                                                             | code                                        |
      | 2     | the workspace "stark-onboard-a" | call 2 is manage_dashboard: operation: update, dashboard_id: dash_004, name: Smoke Instantiated App | app_not_opened, collateral_dashboard_change |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 6 turns:
      """
      Open the app Portfolio Command Center of Bench Stark Enterprise as a new dashboard, Smoke
      Instantiated App, and leave that one open.
      """
    Then the dashboard "Smoke Instantiated App" is the app "Portfolio Command Center" of "Bench Stark Enterprise" as it comes
    And the dashboard is called "Smoke Instantiated App"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call            | arguments                                                                                                                                      |
      | manage_backends | operation: list                                                                                                                                |
      | manage_apps     | operation: list, backend_id: backend_001                                                                                                       |
      | manage_apps     | operation: instantiate, backend_id: backend_001, template_id: portfolio-command-center, dashboard_name: Smoke Instantiated App, activate: true |
    And these near misses fail:
      | near miss                       | differs by                                                                                          | fails with                                  |
      | the app's old dashboard renamed | call 3 is manage_dashboard: operation: update, dashboard_id: dash_004, name: Smoke Instantiated App | app_not_opened, collateral_dashboard_change |
      | behind the open one             | call 3 with activate false                                                                          | dashboard_name                              |
      | opened twice                    | call 3 again                                                                                        | unexpected_dashboard_created                |
      | and thinned out                 | then delete_widget: widget_id: portfolio_command_center_overview_morning_note                       | missing_widget                              |
