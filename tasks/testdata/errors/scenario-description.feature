# Prose in a scenario is where a mistyped step ends up, so it is refused.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: Talkative
    This one is about numbers.
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
