# The same for a background.
@suite:bad @world:counter
Feature: Bad
  Background:
    Wen at most 4 turns
    Given at most 4 turns
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
