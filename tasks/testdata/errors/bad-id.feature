# An id is used verbatim, so it must be one.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  @id:a__b
  Scenario: A
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
