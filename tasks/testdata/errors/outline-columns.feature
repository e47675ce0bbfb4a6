# A placeholder without a column, a column that nobody reads, a column twice, one without a name.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: Add
    Given a counter at <amuont>
    And a counter of "<unit>"
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
    Examples:
      | key | amount | unit   | unit |  |
      | one | 1      | apples | x    |  |
