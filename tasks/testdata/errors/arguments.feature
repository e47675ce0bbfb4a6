# A table or doc string missing, or there for nothing.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given the counters:
    And a counter at 1
      | a |
      | b |
    And a counter at 2
      """
      text
      """
    And the counters:
      """
      text
      """
    When the agent is asked:
    Then the counter stands at 1
