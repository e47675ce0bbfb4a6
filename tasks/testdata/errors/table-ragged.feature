# All rows of a table have the same cells.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given the counters:
      | name | value |
      | a    |
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
