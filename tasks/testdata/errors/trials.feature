# Trials are a small number, said once.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  @trials:many
  Scenario: A
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  @trials:0
  Scenario: B
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  @trials:2 @trials:3
  Scenario: C
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  @trials
  Scenario: D
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
