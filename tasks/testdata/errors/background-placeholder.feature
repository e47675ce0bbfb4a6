# Backgrounds are not filled in.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given a counter at <n>
    And at most 4 turns
  Scenario Outline: Add
    Given a counter at <n>
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
    Examples:
      | key | n |
      | one | 1 |
