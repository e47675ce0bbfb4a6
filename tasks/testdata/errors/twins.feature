# Two scenarios of one name.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: Same name
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  Scenario: Same, name!
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
