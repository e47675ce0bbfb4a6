# A title in lower case swallows its steps.
@suite:bad @world:counter
Feature: Bad
  scenario: Lost
    When the agent is asked "x"
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
