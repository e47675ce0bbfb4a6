# Ginkgo ends the program for such labels.
@a/b @x,y @p(q) @k: @:v @a&b @not! @suite:bad @world:counter
Feature: Bad
  Background:
    Given at most 4 turns
  @q|r
  Scenario: Fine
    When the agent is asked "x"
    Then the counter stands at 1
    And the reference adds 1
