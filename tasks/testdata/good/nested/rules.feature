@suite:counting @world:counter @trials:3
Feature: Rules
  Background:
    Given at most 6 turns

  @story:low
  Rule: Low counters
    Some words about low counters.

    Background:
      Given a counter at 1

    Scenario: Raise
      When the agent is asked "Raise it."
      Then the counter stands at 2
      And the reference adds 1
      And the reference answers ok

  @story:high
  Rule: High counters
    Background:
      Given a counter at 1000

    @requires:raise
    Scenario: Raise high
      When the agent is asked "Raise it."
      Then the counter stands at 1001
      And the reference adds 1
      And the reference answers ok
