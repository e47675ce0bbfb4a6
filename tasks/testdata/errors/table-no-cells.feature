# A lone | is a row of no cells.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: x
    Given the counters:
      |
      |
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
    Examples:
      |
      |
