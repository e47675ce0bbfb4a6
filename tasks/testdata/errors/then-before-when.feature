# A demand is about an ask.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Then the counter stands at 1
    And the next ask depends on this
