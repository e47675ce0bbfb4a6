# The key column is the name of a row.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: Add
    Given a counter at <n>
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
    Examples:
      | key   | n |
      | one   | 1 |
      | One!  | 2 |
    Examples:
      | key   | n |
      | one   | 3 |
