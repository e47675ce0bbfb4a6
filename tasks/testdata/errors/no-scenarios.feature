# A feature that yields no task.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
