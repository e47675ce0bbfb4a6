# A doc string that never ends.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    When the agent is asked:
      """
      text
