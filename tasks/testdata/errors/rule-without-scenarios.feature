# A rule is there to hold scenarios.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Rule: Empty
