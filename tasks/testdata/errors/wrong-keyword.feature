# A Given used as Then.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    When the agent is asked "x"
    Then a counter at 3
    And the counter stands at 1
    When the counter stands at 2
