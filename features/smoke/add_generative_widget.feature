@suite:smoke @world:workspace @category:single-widget
Feature: add_generative_widget
  A note with a text of the user's goes onto the dashboard that is open.

  Background:
    Given the backend stark-enterprise-x
    And the skills daloopa-capital-allocation, daloopa-earnings-review, daloopa-guidance-tracker, daloopa-industry, daloopa-inflection and daloopa-tearsheet

  @level:0
  Scenario: Level 0
    Given a bare workspace
    And the tool add_generative_widget
    When the agent is asked, with 1 turn:
      """
      Use add_generative_widget with widget_type 'note' to add the note named 'Smoke Note' to the
      current dashboard, with the data 'Round trip complete.'
      """
    Then a note "Smoke Note" says "Round trip complete"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                  | arguments                                                         |
      | add_generative_widget | widget_type: note, name: Smoke Note, data: "Round trip complete." |
      | done                  |                                                                   |
    And these near misses fail:
      | near miss              | differs by                                | fails with                                  |
      | it says something else | call 1 with data Done.                    | missing_generated_widget                    |
      | a document, not a note | call 1 with widget_type html              | missing_generated_widget, unexpected_widget |
      | under another name     | call 1 with name Note                     | missing_generated_widget, unexpected_widget |
      | denied                 | call 1 with data Round trip not complete. | missing_generated_widget                    |

  Scenario Outline: Level <level>
    Given <start>
    And every tool
    When the agent is asked, with 2 turns:
      """
      Use add_generative_widget with widget_type 'note' to add the note named 'Smoke Note' to the
      current dashboard, with the data 'Round trip complete.'
      """
    Then a note "Smoke Note" says "Round trip complete"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                  | arguments                                                         |
      | add_generative_widget | widget_type: note, name: Smoke Note, data: "Round trip complete." |
    And these near misses fail:
      | near miss              | differs by             | fails with               |
      | it says something else | call 1 with data Done. | missing_generated_widget |
      | left twice             | call 1 again           | unexpected_widget        |
      | something else touched | <touched>              | <code>                   |

    @level:1
    Examples:
      | level | start            | touched                                                  | code                                                   |
      | 1     | a bare workspace | first manage_dashboard: operation: create, name: Scratch | missing_generated_widget, unexpected_dashboard_created |

    @level:2
    Examples:
      | level | start                           | touched                           | code                                        |
      | 2     | the workspace "stark-onboard-a" | call 1 with dashboard_id dash_006 | missing_generated_widget, unexpected_widget |

  @level:3
  Scenario: Level 3
    Given the workspace "stark-onboard-a"
    And every tool
    When the agent is asked, with 4 turns:
      """
      Leave a note called Smoke Note on the dashboard that is open. It says: Round trip complete.
      """
    Then a note "Smoke Note" says "Round trip complete"
    And nothing else has changed
    And no call fails
    And a reference solution is:
      | call                  | arguments                                                         |
      | add_generative_widget | widget_type: note, name: Smoke Note, data: "Round trip complete." |
    And these near misses fail:
      | near miss                 | differs by                                                            | fails with                                  |
      | without a name            | call 1 without name                                                   | missing_generated_widget, unexpected_widget |
      | beside the other notes    | call 1 with dashboard_id dash_006                                     | missing_generated_widget, unexpected_widget |
      | half of the text          | call 1 with data Round trip.                                          | missing_generated_widget                    |
      | an old note for a new one | then delete_widget: dashboard_id: dash_006, widget_id: generated_note | collateral_widget_change                    |
