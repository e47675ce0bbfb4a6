# What stands after the last | is lost.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given the counters:
      | name | value
      | a    | 1
    And the counters:
      | name |
      | b | c
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
