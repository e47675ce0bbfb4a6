# A mistyped title after steps.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario Outline: Add
    Given a counter at <n>
    Exampels:
      | key | n |
      | a   | 1 |
