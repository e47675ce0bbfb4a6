# Keywords are spelt with a capital.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: Silent
    given a counter at 1
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
