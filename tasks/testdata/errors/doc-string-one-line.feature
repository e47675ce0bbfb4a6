# Text after the quotes would be taken for a media type.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    When the agent is asked:
      """Add two
      """
    Then the counter stands at 1
    And the reference adds 1
