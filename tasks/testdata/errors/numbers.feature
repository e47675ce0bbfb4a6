# Numbers that do not fit; later steps still report.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given a counter at 99999999999999999999
    And a rate of 1e999
    And a rate of x
    And a rate of NaN
    And a counter of "pears"
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
