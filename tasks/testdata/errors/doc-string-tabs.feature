# Only spaces are taken off the lines of a doc string.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    When the agent is asked:
		"""
		text
		"""
    Then the counter stands at 1
    And the reference adds 1
