# A table has named columns, each once, and rows.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given the counters:
      | name |
    And the counters:
      | name | name |
      | a    | b    |
    And the counters:
      | name |  |
      | a    | b |
    And the counters:
      | nmae | valeu |
      | a    | 1     |
    And the counters:
      | value |
      | 1     |
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
