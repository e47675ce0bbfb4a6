# A misspelt requirement is named with its neighbour.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: First gate
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  @requires:frist_gate
  Scenario: B
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
