# The nearest sentences are shown; later steps of the scenario report too.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given a counter on 3
    And a counter of "pears"
    When the agent was asked "x"
    Then nothing at all happened to anybody
    And a stray demand
