# A mistyped title swallows its steps into the feature's description.
@suite:bad @world:counter
Feature: Bad
  Scenaro: Lost
    When the agent is asked "x"
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
