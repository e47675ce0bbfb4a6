# An error that all rows share is said once; one of a single row names it.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: A
    Given a counter of "<unit>"
    And a counter of "pears"
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
    Examples:
      | key | unit   |
      | a   | apples |
      | b   | aples  |
      | c   | shares |
