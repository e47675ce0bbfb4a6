# What is required must exist and not lead back.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  @requires:a:b:c:d
  Scenario: A
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
