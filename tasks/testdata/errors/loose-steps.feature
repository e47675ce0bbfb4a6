# Steps below a Feature line are read as its description.
@suite:bad @world:counter
Feature: Bad
  Given that it is late, prose is fine.
  Given a counter at 3
  Background:
    Given at most 4 turns
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
