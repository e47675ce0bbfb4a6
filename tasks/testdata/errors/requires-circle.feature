# Tasks that wait for each other never run.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  @requires:b
  Scenario: A
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  @requires:a
  Scenario: B
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  @requires:c
  Scenario: C
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
