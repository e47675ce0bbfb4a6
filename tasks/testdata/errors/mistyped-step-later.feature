# Further down a mistyped keyword is a parse error; both are reported.
@suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  Scenario: A
    Given a counter at 1
    Adn a counter at 2
  Scenario: B
    Given a counter at 1
    Tehn the counter stands at 1
