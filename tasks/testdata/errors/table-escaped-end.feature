# An escaped | does not end a row.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given the counters:
      | name |
      | b \|
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
