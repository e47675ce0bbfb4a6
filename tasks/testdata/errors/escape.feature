# Hostile text is escaped in messages.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given a ‮counter ​ at 3
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
