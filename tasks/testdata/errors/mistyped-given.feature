# A mistyped first step is a description to Gherkin, and the scenario is then empty.
@suite:bad @world:counter
Feature: Bad
  Scenario: Silent
    Givn a counter at 1
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
