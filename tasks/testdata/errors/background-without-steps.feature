# An empty background is a forgotten one.
@suite:bad @world:counter
Feature: Bad
  Background:
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
