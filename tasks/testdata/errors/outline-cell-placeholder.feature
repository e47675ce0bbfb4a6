# Whether a cell's <b> is replaced depends on the order of columns.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: Add
    Given a counter of "<a>"
    And a counter at <b>
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
    Examples:
      | key | a   | b |
      | one | <b> | 1 |
