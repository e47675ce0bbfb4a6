# What stands in the wrong place.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  Background:
    Given at most 4 turns
