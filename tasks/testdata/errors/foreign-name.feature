# A name in another script needs an id.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: दो 2 जोड़ो
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
  Scenario: !!!
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
