# Steps end where Examples begin.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: A
    Given a counter at <n>
    Examples:
      | key | n |
      | a   | 1 |
    Then the counter stands at 1
