# Only a feature has a suite and a world; only a scenario has an id.
@id:x @suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  @suite:other @world:counter
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
