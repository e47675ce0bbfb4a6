# A scenario without steps demands nothing.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: Nothing
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
