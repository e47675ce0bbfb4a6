# A task has one id.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  @id:x @id:y
  Scenario: A
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
