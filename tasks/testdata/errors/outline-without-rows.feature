# Examples without rows yield nothing, silently.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: Add
    Given a counter at <n>
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
    Examples: bare
    Examples: head
      | key | n |
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
