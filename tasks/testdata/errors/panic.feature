# A vocabulary's bug does not end the program.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given a broken step
    And a counter of "pears"
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
