# A vocabulary may refuse the whole.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given a counter at 13
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
