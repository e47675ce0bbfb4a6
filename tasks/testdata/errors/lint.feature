# What no front end may let through.
@suite:bad @world:counter
Feature: Bad
  Scenario: Nothing asked
    Given a counter at 1
  Scenario: Nothing demanded
    When the agent is asked "x"
  Scenario: Stray
    Given at most 4 turns
    When the agent is asked "x"
    Then a stray demand
    And the reference adds 1
    And the near miss "idle" fails with "wrong_value"
  Scenario: Too much
    Given at most 4000000 turns
    And at most 999999 seconds
    When the agent is asked, with 9 turns:
      """
       
      """
    Then the counter stands at 1
    And the reference adds 1
  Scenario: Unspeakable
    Given at most 4 turns
    And unspeakable JSON
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
