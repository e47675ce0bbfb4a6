# Limits beyond reason.
@suite:bad @world:counter
Feature: Bad
  Scenario: A
    Given at most 4000000 turns
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  Scenario: B
    Given at most 4 turns
    And at most 0 seconds
    And at most 0 tokens
    When the agent is asked, with 0 turns, "x"
    Then the counter stands at 1
