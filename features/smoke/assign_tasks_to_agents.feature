@suite:smoke @world:workspace @category:platform
Feature: assign_tasks_to_agents
  Another agent gets one request. Its words are the sender's own: it is about the open alerts, and it goes to the right
  agent.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool assign_tasks_to_agents
    When the agent is asked, with 1 turn:
      """
      Use assign_tasks_to_agents to send one request with the id '1' and the description 'Please
      summarise the open alerts for the desk' to assigned_agent_id 'Atlas' at assigned_holder_url
      'https://agents.example.com'.
      """
    Then a result of assign_tasks_to_agents says "Atlas" and "open alerts"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                                                                           |
      | assign_tasks_to_agents | task_requests: [{id: "1", description: Please summarise the open alerts for the desk, assigned_holder_url: "https://agents.example.com", assigned_agent_id: Atlas}] |
      | done                   |                                                                                                                                                                     |
    And these near misses fail:
      | near miss            | differs by                                                                                                                                                                      | fails with          |
      | to another agent     | call 1 with task_requests [{id: "1", description: Please summarise the open alerts for the desk, assigned_holder_url: "https://agents.example.com", assigned_agent_id: Orion}]  | missing_tool_result |
      | about something else | call 1 with task_requests [{id: "1", description: Please summarise the closed cases for the desk, assigned_holder_url: "https://agents.example.com", assigned_agent_id: Atlas}] | missing_tool_result |
      | nothing to do        | call 1 with task_requests []                                                                                                                                                    | missing_tool_result |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use assign_tasks_to_agents to send one request with the id '1' and the description 'Please
      summarise the open alerts for the desk' to assigned_agent_id 'Atlas' at assigned_holder_url
      'https://agents.example.com'.
      """
    Then a result of assign_tasks_to_agents says "Atlas" and "open alerts"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                                                                           |
      | assign_tasks_to_agents | task_requests: [{id: "1", description: Please summarise the open alerts for the desk, assigned_holder_url: "https://agents.example.com", assigned_agent_id: Atlas}] |
    And these near misses fail:
      | near miss              | differs by                                                                                                           | fails with          |
      | nothing to do          | call 1 with task_requests []                                                                                         | missing_tool_result |
      | done oneself           | call 1 is get_widget_data: origin: Bench Stark Enterprise, widget_id: compliance_surveillance_hub_alerts_alert_queue | missing_tool_result |
      | something else touched | <touched>                                                                                                            | <code>              |

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
      Have Atlas, the agent at https://agents.example.com, summarise the open alerts. There is
      nothing to do here but to pass this on.
      """
    Then a result of assign_tasks_to_agents says "Atlas" and "open alerts"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                   | arguments                                                                                                                                                           |
      | assign_tasks_to_agents | task_requests: [{id: "1", description: Please summarise the open alerts for the desk, assigned_holder_url: "https://agents.example.com", assigned_agent_id: Atlas}] |
    And these near misses fail:
      | near miss        | differs by                                                                                                                                                                     | fails with                             |
      | to another agent | call 1 with task_requests [{id: "1", description: Please summarise the open alerts for the desk, assigned_holder_url: "https://agents.example.com", assigned_agent_id: Orion}] | missing_tool_result                    |
      | left as a note   | call 1 is add_generative_widget: widget_type: note, name: For Atlas, data: Please summarise the open alerts for the desk                                                       | missing_tool_result, unexpected_widget |
      | placed for Atlas | then create_widget: origin: Bench Stark Enterprise, widget_id: compliance_surveillance_hub_alerts_alert_queue                                                                  | unexpected_widget                      |
