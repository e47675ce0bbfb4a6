# Control characters have no place in a feature.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given a [31mcounter
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
