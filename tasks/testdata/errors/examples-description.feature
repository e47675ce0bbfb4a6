# The same for Examples.
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
      some numbers
      | key | n |
      | a   | 1 |
