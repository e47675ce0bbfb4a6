# One step, one thing below it.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    When the agent is asked:
      """
      text
      """
      | a |
      | b |
    Then the counter stands at 1
    And the reference adds 1
