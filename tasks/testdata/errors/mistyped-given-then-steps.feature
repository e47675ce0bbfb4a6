# A mistyped first step would be dropped without a word.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: Silent
    Givn a counter at 1
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
